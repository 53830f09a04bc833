// SPDX-License-Identifier: Apache-2.0
// What an eager network returns is the caller's alone, as what a compiled one returns is, and its parameters are changed by set() alone.
#include <sinter/compile/hybridized.hpp>
#include <sinter/nn/layers/loss.hpp>
#include <sinter/nn/layers/recurrent.hpp>
#include <sinter/nn/layers/transformer.hpp>

#include <utility>

#include "../catch.hpp"

namespace nn = sinter::nn;
using Catch::Contains;
using sinter::into;
using sinter::shape;
template <auto... D> using f32 = sinter::nd::tensor<float, shape<D...>>;

namespace {

// Returns its weights, and a view of them, beside a product.
struct tied : nn::hybrid_block<tied> {
  BOOST_HANA_DEFINE_STRUCT(tied, (nn::parameter, weight));
  constexpr auto hybrid_forward(auto F, auto const& x) const {
    auto const w = F.get(weight, shape<2, 3>{});
    return std::tuple{F.matmul(x, w, sinter::transpose_b), w, F.transpose(w)};
  }
};
struct outer : nn::hybrid_block<outer> {
  BOOST_HANA_DEFINE_STRUCT(outer, (tied, inner));
  constexpr auto hybrid_forward(auto, auto const& x) const { return inner(x); }
};
// A block for eager calls alone, which does something to its weights.
template <class Change> struct changing : nn::hybrid_block<changing<Change>> {
  BOOST_HANA_DEFINE_STRUCT(changing, (nn::parameter, weight));
  auto hybrid_forward(auto F, auto const& x) const {
    auto w = F.get(weight, shape<3>{});
    Change{}(w);
    return x + w;
  }
};
template <class Change> struct around : nn::hybrid_block<around<Change>> {
  BOOST_HANA_DEFINE_STRUCT(around, (changing<Change>, part));
  auto hybrid_forward(auto, auto const& x) const { return part(x); }
};
template <class Change> void check_refused(Change) {
  around<Change> net;
  net.initialize(sinter::init::constant{2});
  f32<3> const x{1, 2, 3};
  CHECK_THROWS_WITH(net(x), Contains("in part: sinter: ") && Contains("copy()") && Contains("set()"));
  auto const w = net.part.weight.template data<shape<3>>();
  CHECK((w[0] == 2 && w[1] == 2 && w[2] == 2));
}
template <class Net> void check_unchanged(Net const& net, nn::parameter const& weight) {
  auto const fast = net.hybridize();
  f32<1, 3> const x{1, 2, 3};
  auto const before = fast(x);
  auto const first = net(x);
  std::get<1>(first).fill(100);
  std::get<2>(first).fill(100);
  CHECK(weight.data<shape<2, 3>>()(1, 2) == 0.5f);
  auto const after = net(x), compiled = fast(x);
  CHECK(std::get<0>(after)(0, 1) == 3);
  CHECK(std::get<0>(compiled)(0, 1) == std::get<0>(before)(0, 1));
  CHECK(std::get<1>(after)(1, 2) == 0.5f);
}

struct looks : nn::hybrid_block<looks> {
  auto hybrid_forward(auto, auto const& x) const {
    CHECK(nn::identity{}(x).data() == x.data());
    CHECK(nn::hybrid_sequential<nn::identity, nn::flatten>{}(x).data() == x.data());
    return x;
  }
};
float const* made = nullptr;
struct makes : nn::hybrid_block<makes> {
  auto hybrid_forward(auto F, auto const& x) const {
    auto y = F.reshape(F.exp(x), into<-1>);
    made = y.data();
    return y;
  }
};
struct doubled : nn::hybrid_block<doubled> {
  BOOST_HANA_DEFINE_STRUCT(doubled, (nn::parameter, weight));
  auto hybrid_forward(auto F, auto const& x) const {
    auto const parameter = F.get(weight, shape<3>{});
    auto w = parameter.copy();
    w *= 2;
    w(0) = parameter.to_vector()[0];
    return x + w + F.reshape(F.get(weight, shape<3>{}), into<1, 3>).row(0);
  }
};

}  // namespace

TEST_CASE("a network returns none of its parameters") {
  tied net;
  net.initialize(sinter::init::constant{0.5});
  check_unchanged(net, net.weight);
  outer deep;
  deep.initialize(sinter::init::constant{0.5});
  check_unchanged(deep, deep.inner.weight);
}

TEST_CASE("a network returns none of its inputs") {
  f32<2, 3> const x{1, 2, 3, 4, 5, 6};
  nn::identity const same;
  nn::flatten const flat;
  nn::hybrid_sequential<nn::identity, nn::flatten, nn::dropout<0.5>> const all;
  auto const pair = nn::hybrid_lambda{[](auto F, auto a) { return std::tuple{a, std::tuple{F.reshape(a, into<3, 2>)}}; }};
  auto const y = pair(x);
  same(x).fill(7);
  flat(x).fill(7);
  all(x).fill(7);
  std::get<0>(y).fill(7);
  CHECK(std::get<0>(std::get<1>(y))(0, 0) == 1);
  std::get<0>(std::get<1>(y)).fill(7);
  CHECK((x(0, 0) == 1 && x(1, 2) == 6));
  same(sinter::training(x)).fill(7);
  CHECK(x(0, 0) == 1);
}

TEST_CASE("blocks in a network pass tensors on without copies") {
  f32<2, 3> const x{1, 2, 3, 4, 5, 6};
  CHECK(looks{}(x).data() != x.data());
  // A call that throws is over.
  CHECK_THROWS(nn::dense<2>{}(x));
  CHECK(nn::identity{}(x).data() != x.data());
}

TEST_CASE("a result that nobody else holds is not copied") { CHECK(makes{}(f32<2, 3>{}).data() == made); }

TEST_CASE("in a constant expression") {
  static_assert([] {
    f32<2> const x{1, 2};
    nn::identity const same{};
    same(x).fill(7);
    return x[0] == 1;
  }());
}

TEST_CASE("an eager block does not write into its parameters") {
  check_refused([](auto& w) { w *= 2; });
  check_refused([](auto& w) { w.row(1) += 1; });
  check_refused([](auto& w) { w.slice(1) -= w.slice(0, 2); });
  check_refused([](auto& w) { sinter::nd::out(w).exp(w); });
  check_refused([](auto& w) { sinter::nd::out(sinter::reshape(w, into<1, 3>)).fully_connected(f32<1, 1>{}, f32<3, 1>{}); });
  check_refused([](auto& w) { w.fill(1); });
  check_refused([](auto& w) { w(1) = 1; });
  check_refused([](auto& w) { w[1] = 1; });
  check_refused([](auto& w) {
    auto v = w;
    v[1] = 1;
  });
  check_refused([](auto& w) {
    for (float& e : w) e = 1;
  });
  check_refused([](auto& w) { nn::identity{}.hybridize()(f32<3>{}, w); });
  check_refused([](auto& w) { nn::identity{}(w).contiguous() /= 2; });
}

TEST_CASE("a copy of a parameter is written, and the parameter read") {
  doubled net;
  net.initialize(sinter::init::constant{2});
  auto const y = net(f32<3>{1, 2, 3});
  CHECK((y(0) == 5 && y(2) == 9));
}

TEST_CASE("a compiled network that is assigned another one computes with its parameters") {
  using network = nn::hybrid_sequential<nn::dense<20>>;
  f32<3, 20> x;
  x.fill(1);
  network zeros;
  zeros.initialize(sinter::init::constant{0});
  auto fast = zeros.hybridize();
  CHECK(fast(x)(0, 0) == 0);
  for (int value = 1; value < 200; ++value) {
    network net;
    net.initialize(sinter::init::constant{static_cast<double>(value)});
    fast = net.hybridize();
    REQUIRE(fast(x)(0, 0) == static_cast<float>(20 * value));
  }
}

TEST_CASE("results of a network with several go into a tuple of references, too") {
  auto const both = sinter::hybridize([](auto F, auto a, auto b) { return std::tuple(a + b, F.sum(a)); });
  f32<2> const a{1, 2}, b{3, 4};
  f32<2> sums;
  f32<> total;
  both(a, b, std::tie(sums, total));
  CHECK((sums(0) == 4 && sums(1) == 6 && total == 3));
  auto [again, once_more] = both(a, b);
  both(b, b, std::tie(again, once_more));
  CHECK((again(1) == 8 && once_more == 7));
}

struct with_optional : nn::hybrid_block<with_optional> {
  BOOST_HANA_DEFINE_STRUCT(with_optional);
  static constexpr auto hybrid_forward(auto F, auto x) { return F.multiply(x, 2); }
  static constexpr auto hybrid_forward(auto F, auto x, auto other) { return F.add(x, other); }
};
struct final_with_optional final : nn::hybrid_block<final_with_optional> {
  BOOST_HANA_DEFINE_STRUCT(final_with_optional);
  constexpr auto hybrid_forward(auto F, auto x, auto... more) const { return F.relu((x + ... + more)); }
};
// Called with fewer it does not compile, and is not compiled to find out.
struct of_any_number : nn::hybrid_block<of_any_number> {
  BOOST_HANA_DEFINE_STRUCT(of_any_number);
  constexpr auto hybrid_forward(auto F, auto... x) const { return F.negative(std::get<1>(std::tuple(x...))); }
};
struct with_states : nn::hybrid_block<with_states> {
  BOOST_HANA_DEFINE_STRUCT(with_states);
  constexpr auto hybrid_forward(auto F, auto x, auto... states) const { return std::tuple(F.relu(x), std::tuple(x + 1, states...)); }
};
// No tensor could be an operand as well as the place for a result.
static_assert([] {
  using sinter::detail::last_argument;
  using x = f32<1, 2, 4>;
  using loss = f32<1>;
  constexpr auto of = []<class M, class... X>(std::type_identity<M>, std::type_identity<X>...) {
    return sinter::detail::last_of_call<M, X...>;
  };
  constexpr auto refused = [of]<class M, class... X>(std::type_identity<M> m, std::type_identity<X>... a) {
    return of(m, a..., std::type_identity<x&>{}) == last_argument::either &&
           of(m, a..., std::type_identity<x>{}) == last_argument::either &&
           of(m, a..., std::type_identity<x const&>{}) == last_argument::clear;
  };
  constexpr std::type_identity<x&> in;
  bool all = refused(std::type_identity<nn::gru<4>>{}, in) && refused(std::type_identity<nn::rnn<4>>{}, in) &&
             refused(std::type_identity<nn::multi_head_attention<4, 2>>{}, in) && refused(std::type_identity<nn::l2_loss<>>{}, in, in) &&
             refused(std::type_identity<nn::softmax_cross_entropy_loss<-1, false>>{}, in, in) &&
             refused(std::type_identity<with_optional>{}, in) && refused(std::type_identity<final_with_optional>{}, in) &&
             refused(std::type_identity<of_any_number>{}, in);
  using both = std::tuple<x&, loss&>;
  all = all && of(std::type_identity<with_states>{}, in, std::type_identity<both>{}) == last_argument::either &&
        of(std::type_identity<with_states>{}, in, std::type_identity<both const&>{}) == last_argument::either &&
        of(std::type_identity<with_states>{}, in, std::type_identity<std::tuple<x const&, loss const&>>{}) == last_argument::clear;
  all = all && of(std::type_identity<nn::l2_loss<>>{}, in, in, std::type_identity<loss&>{}) == last_argument::either;
  // What cannot be left out is an operand, and what cannot be an operand a place.
  return all && of(std::type_identity<nn::lstm<4>>{}, in, in, in) == last_argument::clear &&
         of(std::type_identity<nn::lstm<4>>{}, in, in) == last_argument::place &&
         of(std::type_identity<nn::dense<4>>{}, in, std::type_identity<f32<1, 4>&>{}) == last_argument::place &&
         of(std::type_identity<nn::gru<4>>{}, in, std::type_identity<sinter::nd::functions_into<x&>>{}) == last_argument::clear &&
         of(std::type_identity<of_any_number>{}, in, std::type_identity<int>{}) == last_argument::clear;
}());
TEST_CASE("a temporary is no place for a result, unless its elements are another tensor's") {
  auto const fast = sinter::hybridize([](auto F, auto a) { return F.negative(a); });
  auto const both = sinter::hybridize([](auto F, auto a, auto b) { return std::tuple(a + b, std::tuple(F.sum(a), b)); });
  f32<2> const x{1, 2};
  f32<2> y, sums;
  f32<> total;
  auto const refused = [](auto const& call) {
    CHECK_THROWS_WITH(call(),
                      Contains("sinter: the place for a result is a temporary, whose elements nothing else holds, so that the result "
                               "would be lost; give it a name"));
  };
  refused([&] { fast(x, f32<2>{}); });
  refused([&] { fast(x, y.copy()); });
  refused([&] { fast(x, sinter::nd::out(f32<2>{})); });
  refused([&] { sinter::nd::out(f32<2>{}).exp(x); });
  refused([&] { both(x, x, std::tuple(f32<2>{}, std::tuple(f32<>{}, f32<2>{}))); });
  refused([&] { both(x, x, std::tuple(sums, std::tuple(total, y.copy()))); });
  refused([&] { both(x, x, sinter::nd::out(std::tuple(sums, std::tuple(total, f32<2>{})))); });
  refused([&] { fast(sinter::training(x), sinter::nd::out(fast(sinter::training(x)))); });
  fast(x, f32<2>(y));
  CHECK(y(1) == -2);
  sinter::nd::tensor<float, shape<3, 2>> rows;
  fast(x, sinter::nd::out(rows.row(1)));
  CHECK(rows(1, 1) == -2);
  float memory[2]{};
  fast(x, f32<2>::borrow(memory, {2}));
  CHECK(memory[1] == -2);
  f32<2>::borrow(memory, {2}) = x;
  CHECK(memory[1] == 2);
  // Tuples of references within such a tuple.
  auto inner = std::tie(total, y);
  both(x, x, std::tie(sums, inner));
  CHECK((sums(1) == 4 && total == 3 && y(1) == 2));
}
TEST_CASE("nd::out says that a tensor is for the result, where it could be an operand, too") {
  auto const fast = with_optional{}.hybridize();
  f32<2> const x{1, 2};
  f32<2> y{10, 20}, z;
  CHECK(fast(x, std::as_const(y))(0) == 11);
  CHECK(fast.network()(x, y)(0) == 11);
  CHECK(fast(x, 10)(1) == 12);
  CHECK(y(0) == 10);
  fast(x, sinter::nd::out(y));
  CHECK((y(0) == 2 && y(1) == 4));
  fast(x, y, sinter::nd::out(z));
  CHECK((z(0) == 3 && z(1) == 6));
  fast(y, sinter::nd::out(y));
  CHECK(y(1) == 8);
  f32<> one;
  fast(1.f, sinter::nd::out(one));
  CHECK(one == 2);

  auto const both = sinter::hybridize([](auto F, auto a, auto b) { return std::tuple(a + b, F.sum(a)); });
  f32<2> sums;
  f32<> total;
  both(x, x, sinter::nd::out(std::tie(sums, total)));
  CHECK((sums(0) == 2 && total == 3));
  both(x, 1, sinter::nd::out(std::tuple(sums, total)));
  CHECK((sums(1) == 3 && total == 3));

  // Results of a training pass, and tuples within tuples.
  auto trained = fast(sinter::training(x));
  x.fill(5);
  fast(sinter::training(x), sinter::nd::out(trained));
  CHECK(trained(1) == 10);
  auto const nested = sinter::hybridize([](auto F, auto a) { return std::tuple(a + 1, std::tuple(F.sum(a), -a)); });
  auto results = nested(x);
  x.fill(7);
  nested(x, sinter::nd::out(results));
  CHECK((std::get<0>(results)(0) == 8 && std::get<0>(std::get<1>(results)) == 14 && std::get<1>(std::get<1>(results))(1) == -7));
  auto marked = both(sinter::training(x), x);
  x.fill(2);
  both(sinter::training(x), x, sinter::nd::out(marked));
  CHECK(std::get<1>(marked) == 4);
}
