// SPDX-License-Identifier: Apache-2.0
// The compiled network gives what the eager one gives, however it is called.
#include <sinter/nn/hybridized.hpp>

#include "../catch.hpp"

namespace nn = sinter::nn;
using sinter::dim;
using sinter::shape;
template <auto... D> using f32 = sinter::nd::tensor<float, shape<D...>>;

namespace {

template <class T> T filled(sinter::dims const& extents) {
  T t(extents);
  for (int i = 0; i < t.size(); ++i) t[i] = static_cast<typename T::value_type>((i * 37 % 23) - 11) / 8;
  return t;
}
template <class T> T filled() { return filled<T>(T::shape_type::value); }
template <class A, class B> void check_same(A const& a, B const& b) {
  static_assert(std::is_same_v<A, B>);
  REQUIRE(a.shape() == b.shape());
  for (int i = 0; i < a.size(); ++i) {
    INFO("element " << i);
    CHECK(a[i] == b[i]);
  }
}
template <class Call> std::string message_of(Call call) {
  try {
    call();
  } catch (sinter::error const& e) {
    return e.what();
  }
  return "nothing was thrown";
}
using mlp = nn::hybrid_sequential<nn::dense<16, nn::relu>, nn::layer_norm<>, nn::dense<5, nn::softmax>>;

// Tuples in, tuples of tuples out.
struct cell : nn::hybrid_block<cell> {
  BOOST_HANA_DEFINE_STRUCT(cell, (nn::dense<4>, state), (nn::dense<4>, input));
  constexpr auto hybrid_forward(auto F, auto x, auto memory) const {
    auto const [h, c] = memory;
    auto const n = F.tanh(state(h) + input(x));
    return std::make_tuple(n * c, std::make_tuple(n, F.sigmoid(n) + c));
  }
};

}  // namespace

TEST_CASE("batches of many sizes, one after the other") {
  mlp net;
  net.initialize(sinter::init::xavier{}, 3);
  auto const fast = net.hybridize();
  using input = f32<dim<"batch">, 12>;
  for (int n : {0, 1, 7, 64, 1, 64, 0, 7}) {
    auto const x = filled<input>({2, {n, 12}});
    INFO("batch " << n);
    check_same(fast(x), net(x));
    f32<dim<"batch">, 5> out({2, {n, 5}});
    fast(x, out);
    check_same(out, net(x));
  }
  check_same(fast(filled<f32<3, 12>>()), net(filled<f32<3, 12>>()));  // another plan, the same parameters
}

TEST_CASE("a nameless dynamic batch") {
  nn::dense<3, nn::relu> net;
  net.initialize();
  auto const fast = net.hybridize();
  for (int n : {2, 5}) check_same(fast(filled<f32<sinter::dynamic, 4>>({2, {n, 4}})), net(filled<f32<sinter::dynamic, 4>>({2, {n, 4}})));
}

TEST_CASE("views as inputs") {
  mlp net;
  net.initialize(sinter::init::xavier{}, 3);
  auto const fast = net.hybridize();
  auto const turned = sinter::transpose(filled<f32<12, 7>>());
  REQUIRE(!turned.is_contiguous());
  check_same(fast(turned), net(turned));
  check_same(fast(turned), net(turned.copy()));
  auto const every_second = sinter::slice(filled<f32<7, 24>>(), sinter::begin<sinter::open, 1>, sinter::end<sinter::open, sinter::open>, sinter::step<1, 2>);
  REQUIRE(!every_second.is_contiguous());
  check_same(fast(every_second), net(every_second));
  f32<7, 5> out;
  fast(every_second, out);
  check_same(out, net(every_second));
}

TEST_CASE("tuples in and out") {
  cell net;
  net.initialize(sinter::init::uniform{1}, 9);
  auto const fast = net.hybridize();
  auto const x = filled<f32<2, 3>>();
  auto const memory = std::make_tuple(filled<f32<2, 4>>(), sinter::transpose(filled<f32<4, 2>>()));
  auto const eager = net(x, memory), compiled = fast(x, memory);
  static_assert(std::is_same_v<decltype(eager), decltype(compiled)>);
  check_same(std::get<0>(eager), std::get<0>(compiled));
  check_same(std::get<0>(std::get<1>(eager)), std::get<0>(std::get<1>(compiled)));
  check_same(std::get<1>(std::get<1>(eager)), std::get<1>(std::get<1>(compiled)));
  auto out = std::make_tuple(f32<2, 4>{}, std::make_tuple(f32<2, 4>{}, f32<2, 4>{}));
  fast(x, memory, out);
  check_same(std::get<1>(std::get<1>(out)), std::get<1>(std::get<1>(eager)));
}

TEST_CASE("a plain function") {
  auto const fast = sinter::hybridize([](auto F, auto a, auto b) { return F.relu(a - b) * 2; });
  auto const a = filled<f32<3, 1>>();
  auto const b = filled<f32<1, 4>>();
  auto const expected = [&] {
    auto const F = sinter::space_of(a);
    return F.relu(a - b) * 2;
  }();
  check_same(fast(a, b), expected);
  f32<3, 4> out;
  fast(a, b, out);
  check_same(out, expected);
  auto const parts = sinter::hybridize([](auto F, auto x) { return F.split(x, sinter::parts<3>); });
  auto const [first, second, third] = parts(filled<f32<2, 6>>());
  CHECK(second(1, 0) == filled<f32<2, 6>>()(1, 2));
  CHECK((first.size() == 4 && third(1, 1) == filled<f32<2, 6>>()(1, 5)));
  CHECK(fast(3, 1) == 4);
}

TEST_CASE("an input that is its own result") {
  auto const same = sinter::hybridize([](auto, auto x) { return x; });
  auto const x = filled<f32<3, 4>>();
  check_same(same(x), x);
  auto const both = sinter::hybridize([](auto F, auto v) {
    auto const y = F.relu(v);
    return std::make_tuple(y, y);
  });
  auto const [a, b] = both(x);
  check_same(a, b);
  a(0, 0) = 77;
  CHECK(b(0, 0) != 77);  // two results are two tensors
}

TEST_CASE("extents that do not fit are exceptions with both shapes") {
  mlp net;
  net.initialize();
  auto const fast = net.hybridize();
  using input = f32<dim<"batch">, 12>;
  f32<dim<"batch">, 5> wrong({2, {3, 5}});
  CHECK(message_of([&] { fast(filled<input>({2, {2, 12}}), wrong); }) == "sinter: the result has shape (2, 5), and the tensor given for it (3, 5)");
  auto const turned = sinter::transpose(f32<5, 7>{});
  f32<7, 5> const row_major = net(filled<f32<7, 12>>());
  CHECK(message_of([&] { fast(filled<f32<7, 12>>(), turned); }) == "sinter: the result has shape (7, 5), and the tensor given for it (7, 5), not row-major");
  CHECK(row_major.size() == 35);
  CHECK(message_of([] { input({2, {2, 13}}); }) == "sinter: a tensor of shape (batch, 12) cannot have the extents (2, 13)");

  auto const add = sinter::hybridize([](auto, auto a, auto b) { return a + b; });
  using named = f32<dim<"batch">, 2>;
  CHECK(message_of([&] { add(named({2, {2, 2}}), named({2, {3, 2}})); }) == "sinter: input 1 of shape (batch, 2) is given the extents (3, 2); dimension 0 must be 2");
  using nameless = f32<sinter::dynamic, 2>;
  CHECK(message_of([&] { add(named({2, {2, 2}}), nameless({2, {3, 2}})); }).find("two dynamic dimensions meet that must be equal") != std::string::npos);
  CHECK(message_of([&] { named({2, {2, 2}}) + nameless({2, {3, 2}}); }).find("sinter: add of (2, 2) and (3, 2): ") == 0);
  CHECK(add(named({2, {2, 2}}), nameless({2, {2, 2}})).shape() == sinter::dims{2, {2, 2}});
}

TEST_CASE("integers, bools and doubles") {
  auto const fast = sinter::hybridize([](auto F, auto i, auto d) { return std::make_tuple(i * 2, F.where(i > 1, d, -d), i > 1); });
  sinter::nd::tensor<std::int64_t, shape<3>> const i{0, 1, 2};
  sinter::nd::tensor<double, shape<3>> const d{0.5, 1.5, 2.5};
  auto const [doubled, chosen, above] = fast(i, d);
  CHECK((doubled(2) == 4 && chosen(1) == -1.5 && chosen(2) == 2.5 && !above(1) && above(2)));
}
