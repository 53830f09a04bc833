// SPDX-License-Identifier: Apache-2.0
// Networks whose kernels are cut in every way, interpreted beside compiled: the same bits.
#include "beside.hpp"

#include <sinter/nn/layers/basic.hpp>

#include "../../builds.hpp"
#include "../../catch.hpp"
#include "../../nn/loops.hpp"

namespace my {

// x * x + x of the elements, and a sum of sizes, and the elements the other way round: operations that sinter does not know.
struct polynomial : sinter::ops::elementwise<polynomial, 1> {
  static constexpr std::string_view name = "my.polynomial";
  template <class V> static constexpr V eval(V x) { return sinter::element::add(sinter::element::multiply(x, x), x); }
};
struct unknown : sinter::ops::elementwise<unknown, 1> {
  static constexpr std::string_view name = "my.unknown";
  template <class V> static constexpr V eval(V x) { return sinter::element::add(x, x); }
};
struct reversed : sinter::ops::opaque_op<reversed> {
  static constexpr std::string_view name = "my.reversed";
  static constexpr int arity = 1;
  static constexpr sinter::inferred infer(sinter::operand_types in, sinter::dimension_table&) { return {in[0]}; }
  static constexpr std::int64_t items(sinter::no_attributes const&, sinter::dims const* shapes) { return shapes[0].size(); }
  template <class T> static constexpr void item(sinter::no_attributes const&, sinter::ops::share s, sinter::ops::array_view<T> out,
                                                sinter::ops::array_view<T const> in) {
    out.data[s.item] = in.data[in.shape.size() - 1 - s.item];
  }
};

}  // namespace my

SINTER_USER_OP(my::polynomial);
SINTER_USER_OP(my::unknown);
SINTER_USER_OP(my::reversed);

using namespace sinter;

namespace {

inline constexpr ops::function<my::polynomial> polynomial{};
inline constexpr ops::function<my::unknown> unknown{};
inline constexpr ops::function<my::reversed> reversed{};

template <class T, class S> nd::tensor<T, S> numbers(extent n, int seed) {
  dims d = S::value;
  for (int i = 0; i < d.rank; ++i)
    if (d.d[i] < 0) d.d[i] = n;
  nd::tensor<T, S> t(d);
  for (extent i = 0; i < t.size(); ++i) {
    extent const v = (i * 7919 + seed * 31 + i / 13) % 1009 - 504;
    t.data()[i] = std::is_floating_point_v<T> ? static_cast<T>(static_cast<double>(v) / 171.0) : static_cast<T>(v % 40);
  }
  return t;
}
// Compares where this build compiles networks; everywhere the interpreter runs. Parameters get their shapes and values from a call.
template <class M, class... X> bool same(M const& net, X const&... x) {
  if constexpr (test::compiles_networks || !std::is_empty_v<M>) return test::interpreted_alike(net, net.hybridize()(x...), x...);
  else {
    for (int const vectors : test::tile_sizes) test::interpreted_network<M, X...>(net, vectors, x...).run(vectors != 1);
    return true;
  }
}
// The function on tensors of these shapes; of a dynamic dimension at several extents.
template <class T, class... S, class F> bool same_as_compiled(F f) {
  nn::hybrid_lambda const net{f};
  auto const alike_at = [&]<std::size_t... I>(extent n, std::index_sequence<I...>) {
    return same(net, numbers<T, S>(n, static_cast<int>(I))...);
  };
  constexpr auto all = std::index_sequence_for<S...>{};
  if constexpr ((S::fixed && ...)) return alike_at(0, all);
  else {
    for (extent const n : {0, 1, 3, 8, 21, 100}) {
      INFO("extent " << n);
      bool const alike = alike_at(n, all);
      CHECK(alike);
      if (!alike) return false;
    }
    return true;
  }
}

}  // namespace

TEST_CASE("pointwise kernels") {
  auto const chain = [](auto F, auto x) { return F.multiply(F.relu(F.add(F.multiply(x, 1.5f), 0.25f)), F.sigmoid(F.exp(x))); };
  CHECK(same_as_compiled<float, shape<5>>(chain));
  CHECK(same_as_compiled<float, shape<10007>>(chain));
  CHECK(same_as_compiled<double, shape<3, 1501>>(chain));
  CHECK(same_as_compiled<float, shape<dim<"n">, 37>>(chain));
  auto const bias = [](auto F, auto x, auto b) { return std::tuple{F.tanh(F.add(x, b)), F.greater(x, b), F.transpose(F.add(x, b))}; };
  CHECK(same_as_compiled<float, shape<41, 37>, shape<37>>(bias));
  CHECK(same_as_compiled<float, shape<3, 2501>, shape<2501>>(bias));
  CHECK(same_as_compiled<float, shape<dim<"n">, 19>, shape<dim<"n">, 1>>(bias));
  auto const whole = [](auto F, auto x, auto y) {
    return F.add(F.multiply(x, y), F.cast(F.sqrt(F.cast(F.square(x), as<double>)), as<int>));
  };
  CHECK(same_as_compiled<std::int32_t, shape<23, 41>, shape<23, 1>>(whole));
  auto const mixed = [](auto F, auto x, auto y) {
    return F.where(F.greater(x, y), F.cast(x, as<double>), F.cast(F.slice(y, begin<0>, end<1>), as<double>));
  };
  CHECK(same_as_compiled<float, shape<61, 23>, shape<61, 23>>(mixed));
}

TEST_CASE("kernels over rows") {
  auto const probabilities = [](auto F, auto x) { return F.softmax(x); };
  CHECK(same_as_compiled<float, shape<77, 10>>(probabilities));
  CHECK(same_as_compiled<float, shape<9, 5003>>(probabilities));
  CHECK(same_as_compiled<double, shape<1, 2000>>(probabilities));
  CHECK(same_as_compiled<float, shape<dim<"n">, 64>>(probabilities));
  CHECK(same_as_compiled<float, shape<64, dim<"n">>>(probabilities));
  auto const columns = [](auto F, auto x) { return std::tuple{F.softmax(x, axis<0>), F.sum(x, axis<0>), F.argmax(x, axis<0>)}; };
  CHECK(same_as_compiled<float, shape<300, 41>>(columns));
  CHECK(same_as_compiled<double, shape<dim<"n">, 50>>(columns));
  auto const normalized = [](auto F, auto x, auto g, auto b) { return F.relu(F.layer_norm(x, g, b)); };
  CHECK(same_as_compiled<float, shape<33, 70>, shape<70>, shape<70>>(normalized));
  CHECK(same_as_compiled<float, shape<2, 4099>, shape<4099>, shape<4099>>(normalized));
  auto const blocks = [](auto F, auto x) { return std::tuple{F.mean(x, axis<0, 2>), F.max(x), F.argmax(x), F.sum(x, axis<1>, keepdims)}; };
  CHECK(same_as_compiled<float, shape<7, 19, 31>>(blocks));
  CHECK(same_as_compiled<float, shape<3, 2, 3001>>(blocks));
  CHECK(same_as_compiled<float, shape<dim<"n">, 5, 9>>(blocks));
  CHECK(same_as_compiled<std::int64_t, shape<17, 33>>([](auto F, auto x) { return std::tuple{F.sum(x, axis<1>), F.max(x, axis<0>)}; }));
}

TEST_CASE("products") {
  auto const dense = [](auto F, auto x, auto w, auto b) { return F.relu(F.fully_connected(x, w, b)); };
  CHECK(same_as_compiled<float, shape<1, 100>, shape<10, 100>, shape<10>>(dense));
  CHECK(same_as_compiled<float, shape<1, 40>, shape<7, 40>, shape<7>>(dense));
  CHECK(same_as_compiled<float, shape<65, 300>, shape<129, 300>, shape<129>>(dense));
  CHECK(same_as_compiled<double, shape<dim<"n">, 33>, shape<21, 33>, shape<21>>(dense));
  CHECK(same_as_compiled<float, shape<6, 3000>, shape<5, 3000>, shape<5>>(dense));
  auto const fused = [](auto F, auto x, auto y) { return F.add(F.gelu(F.matmul(F.sigmoid(x), y)), 1.0f); };
  CHECK(same_as_compiled<float, shape<20, 31>, shape<31, 70>>(fused));
  CHECK(same_as_compiled<float, shape<3, 20, 1200>, shape<3, 1200, 17>>(fused));
  CHECK(same_as_compiled<float, shape<dim<"n">, 8, 16>, shape<16, 24>>(fused));
  auto const turned = [](auto F, auto x, auto y) { return F.matmul(x, y, transpose_a); };
  CHECK(same_as_compiled<float, shape<31, 20>, shape<31, 70>>(turned));
  CHECK(same_as_compiled<std::int32_t, shape<31, 20>, shape<31, 300>>(turned));
}

TEST_CASE("convolutions") {
  auto const fused = [](auto F, auto x, auto w, auto b) { return F.relu(F.convolution(x, w, b, pad<1>)) * 0.5f; };
  CHECK(same_as_compiled<float, shape<2, 4, 9, 19>, shape<6, 4, 3, 3>, shape<6>>(fused));
  CHECK(same_as_compiled<double, shape<dim<"n">, 3, 40>, shape<5, 3, 3>, shape<5>>(fused));
  CHECK(same_as_compiled<std::int32_t, shape<2, 3, 4, 5, 6>, shape<4, 3, 3, 2, 3>, shape<4>>(
      [](auto F, auto x, auto w, auto b) { return F.convolution(x * 2, w, b, pad<1>); }));
  CHECK(same_as_compiled<std::int64_t, shape<2, 3, 37>, shape<40, 3, 3>>([](auto F, auto x, auto w) { return F.convolution(x, w); }));
  // What is computed from the operand stops at the windows: padding is a zero behind it, not relu(x) + 1 of a zero.
  auto const before = [](auto F, auto x, auto w) { return F.convolution(F.relu(x) + 1, w, pad<2>, dilate<2>); };
  CHECK(same_as_compiled<float, shape<2, 4, 5, 19>, shape<6, 4, 3, 3>>(before));
  CHECK(same_as_compiled<float, shape<1, 70, 30, 30>, shape<33, 70, 3, 3>>(before));
  CHECK(same_as_compiled<float, shape<2, 4, 5, 19>, shape<6, 4, 3, 3>, shape<4, 1, 1>>(
      [](auto F, auto x, auto w, auto s) { return F.tanh(F.convolution(x * s, w, pad<1>, stride<2>)) + 1; }));
  // One place of a large stride, outside of the operand.
  CHECK(same_as_compiled<float, shape<1, 2, 3, 3>, shape<3, 2, 1, 1>>(
      [](auto F, auto x, auto w) { return F.convolution(F.exp(x), w, pad<1>, stride<5>); }));
  auto const groups_of = [](auto F, auto x, auto w) { return F.convolution(F.relu(x), w, groups<6>, pad<1>, stride<2>); };
  CHECK(same_as_compiled<float, shape<dim<"n">, 6, 27, 25>, shape<6, 1, 3, 3>>(groups_of));
  auto const anyhow = [](auto F, auto x, auto w) {
    auto y = F.convolution(F.transpose(x), F.transpose(w), pad<1>);
    return std::tuple{F.concat(y, F.square(y), axis<1>), F.transpose(y)};
  };
  CHECK(same_as_compiled<float, shape<7, 9, 4, 2>, shape<3, 3, 4, 6>>(anyhow));
  CHECK(same_as_compiled<float, shape<1, 4, 1, 1>, shape<6, 4, 1, 1>>([](auto F, auto x, auto w) { return F.convolution(x, w); }));
}

TEST_CASE("networks with parameters") {
  using net = nn::hybrid_sequential<nn::dense<64, nn::relu>, nn::layer_norm<>, nn::dense<40, nn::tanh>, nn::dense<10>>;
  net n;
  n.initialize(init::xavier{}, 1);
  CHECK(same(n, numbers<float, shape<1, 50>>(0, 1)));
  CHECK(same(n, numbers<float, shape<70, 50>>(0, 1)));
}

TEST_CASE("several threads give the same bits") {
  simd::set_threads(4);
  auto const f = [](auto F, auto x) { return F.add(F.exp(x), F.mean(x, axis<1>, keepdims)); };
  CHECK(same_as_compiled<float, shape<700, 300>>(f));
  CHECK(same_as_compiled<float, shape<300000>>([](auto F, auto x) { return F.tanh(F.exp(x)); }));
  CHECK(same_as_compiled<float, shape<300, 500>, shape<500, 400>>([](auto F, auto x, auto y) { return F.relu(F.matmul(F.exp(x), y)); }));
  CHECK(same_as_compiled<float, shape<1, 32, 40, 40>, shape<64, 32, 3, 3>>(
      [](auto F, auto x, auto w) { return F.relu(F.convolution(F.exp(x), w, pad<1>)); }));
  CHECK(same_as_compiled<float, shape<16, 8, 20, 20>, shape<8, 8, 3, 3>>(
      [](auto F, auto x, auto w) { return F.relu(F.convolution(x, w, pad<1>)); }));
  simd::set_threads(1);
}

TEST_CASE("operations that move elements") {
  CHECK(same_as_compiled<float, shape<23, 40>>([](auto F, auto x) { return std::tuple{F.sort(x), F.concat(x, F.square(x), axis<1>)}; }));
  auto const rows = [](auto F, auto x, auto i) { return F.take(x, i); };
  nn::hybrid_lambda const net{rows};
  CHECK(same(net, numbers<float, shape<23, 40>>(0, 1), numbers<std::int64_t, shape<9>>(0, 1)));
}

TEST_CASE("an operation of one's own is made known by its type, and one that is not known is named") {
  auto const f = [](auto, auto x) { return polynomial(x); };
  auto const g = [](auto, auto x) { return reversed(x); };
  REQUIRE(interpreter::knows<my::polynomial>());
  REQUIRE(interpreter::knows<my::reversed, float(float), int(int)>());
  CHECK(same_as_compiled<float, shape<100>>(f));
  CHECK(same_as_compiled<double, shape<100>>(f));
  CHECK(same_as_compiled<float, shape<100>>(g));
  auto const sentence_of = [](auto h) -> std::string {
    try {
      interpreter::program const p(compiled_t<nn::hybrid_lambda<decltype(h)>, shape<3>>::source::make());
    } catch (error const& e) { return e.what(); }
    return "";
  };
  CHECK(sentence_of([](auto, auto x) { return unknown(x); }) ==
        "sinter: the interpreter has no loop for the operation my.unknown of (float32); call sinter::interpreter::knows<the operation>() "
        "before");
}

TEST_CASE("control flow: bodies are programs, too") {
  test::loops_in_loops net;
  net.initialize(init::uniform{0.5}, 7);
  CHECK(same(net, numbers<float, shape<5, 4, 3>>(0, 1), numbers<float, shape<3>>(0, 2)));
  for (extent const n : {0, 1, 3, 8}) {
    INFO("extent " << n);
    CHECK(same(net, numbers<float, shape<dim<"time">, 4, 3>>(n, 1), numbers<float, shape<3>>(0, 2)));
    CHECK(same(net, numbers<float, shape<5, dim<"batch">, 3>>(n, 1), numbers<float, shape<3>>(0, 2)));
  }
}
