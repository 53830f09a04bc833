// SPDX-License-Identifier: Apache-2.0
// Each layer: its shapes, its values, and that the compiled one gives the same.
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
// Eager and compiled; the eager result.
template <class Net, class X> auto both(Net& net, X const& x) {
  net.initialize(sinter::init::uniform{0.5}, 7);
  auto const y = net(x);
  check_same(y, net.hybridize()(x));
  return y;
}
template <int I> struct shift : nn::hybrid_block<shift<I>> {
  constexpr auto hybrid_forward(auto F, auto x) const { return F.add(x, I); }
};

}  // namespace

TEST_CASE("dense multiplies with its weight and adds its bias") {
  nn::dense<3> net;
  auto const x = filled<f32<2, 4>>();
  auto const y = both(net, x);
  f32<3, 4> const w = net.weight.data<shape<3, 4>>();
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) {
      double sum = 0;
      for (int k = 0; k < 4; ++k) sum += static_cast<double>(x(i, k)) * static_cast<double>(w(j, k));
      CHECK(std::abs(static_cast<double>(y(i, j)) - sum) < 1e-6);
    }
  net.bias.set(f32<3>{10, 20, 30});
  f32<2, 3> const z = net(x);
  for (int i = 0; i < 6; ++i) CHECK(std::abs(z[i] - y[i] - static_cast<float>(i % 3 + 1) * 10) < 1e-5f);
}

TEST_CASE("dense flattens all axes behind the first, or works on the last alone") {
  nn::dense<5> flat;
  auto const y = both(flat, filled<f32<2, 3, 4>>());
  static_assert(std::is_same_v<std::remove_const_t<decltype(y)>, f32<2, 5>>);
  CHECK(flat.weight.shape() == sinter::dims{2, {5, 12}});
  nn::dense<5, nn::relu, float, true, false> last;
  auto const z = both(last, filled<f32<2, 3, 4>>());
  static_assert(std::is_same_v<std::remove_const_t<decltype(z)>, f32<2, 3, 5>>);
  CHECK(last.weight.shape() == sinter::dims{2, {5, 4}});
  for (int i = 0; i < z.size(); ++i) CHECK(z[i] >= 0);
}

TEST_CASE("dense without a bias, with activations, in double") {
  nn::dense<3, nn::no_activation, float, false> plain;
  CHECK(both(plain, f32<2, 4>{})(1, 1) == 0);
  CHECK(plain.summary() == "weight (3, 4)\n");
  nn::dense<3, nn::softmax> soft;
  auto const p = both(soft, filled<f32<2, 4>>());
  CHECK(std::abs(p(0, 0) + p(0, 1) + p(0, 2) - 1) < 1e-6f);
  nn::dense<3, nn::sigmoid, double> wide;
  auto const y = both(wide, filled<sinter::nd::tensor<double, shape<2, 4>>>());
  static_assert(std::is_same_v<decltype(y(0, 0)), double&>);
  CHECK((y(0, 0) > 0 && y(0, 0) < 1));
}

TEST_CASE("dense on a dynamic batch") {
  nn::dense<3> net;
  for (int n : {0, 1, 7}) CHECK(both(net, filled<f32<dim<"batch">, 4>>({2, {n, 4}})).shape() == sinter::dims{2, {n, 3}});
}

TEST_CASE("layers without parameters") {
  auto const x = filled<f32<2, 3, 4>>();
  nn::activation<nn::relu> relu;
  CHECK(both(relu, x)(0, 0, 0) == 0);
  nn::flatten flatten;
  auto const flat = both(flatten, x);
  static_assert(std::is_same_v<std::remove_const_t<decltype(flat)>, f32<2, 12>>);
  CHECK(flat(1, 11) == x(1, 2, 3));
  nn::identity identity;
  check_same(both(identity, x), x);
  nn::dropout<300> dropout;  // inference drops nothing
  check_same(both(dropout, x), x);
  nn::hybrid_lambda square{[](auto F, auto v) { return F.square(v); }};
  CHECK(both(square, x)(1, 2, 3) == x(1, 2, 3) * x(1, 2, 3));
  static_assert(sinter::compiled_t<nn::hybrid_sequential<nn::activation<nn::relu>, nn::dropout<500>, nn::identity>, shape<2, 3>>::kernels == 1);
}

TEST_CASE("layer_norm begins with gamma one and beta zero") {
  nn::layer_norm<> net;
  auto const y = both(net, filled<f32<3, 5>>());
  CHECK(net.gamma.data<shape<5>>()(4) == 1);
  CHECK(net.beta.data<shape<5>>()(4) == 0);
  for (int i = 0; i < 3; ++i) {
    float sum = 0, squares = 0;
    for (int k = 0; k < 5; ++k) {
      sum += y(i, k);
      squares += y(i, k) * y(i, k);
    }
    CHECK(std::abs(sum) < 1e-5f);
    CHECK(std::abs(squares - 5) < 1e-3f);
  }
}

TEST_CASE("a sequence runs its blocks in order, and nests") {
  auto net = nn::hybrid_sequential{nn::dense<4, nn::relu>{}, shift<1>{}, nn::dense<2>{}};
  both(net, filled<f32<3, 5>>());
  CHECK(net.summary() == "0.weight (4, 5)\n0.bias (4,)\n2.weight (2, 4)\n2.bias (2,)\n");
  auto nested = nn::sequential_of(nn::sequential_of(nn::sequential_of(nn::dense<4>{}), shift<2>{}), nn::sequential_of(nn::dense<2>{}));
  both(nested, filled<f32<3, 5>>());
  CHECK(nested.summary() == "0.0.0.weight (4, 5)\n0.0.0.bias (4,)\n1.0.weight (2, 4)\n1.0.bias (2,)\n");
  nn::hybrid_sequential<> nothing;
  check_same(both(nothing, filled<f32<3, 5>>()), filled<f32<3, 5>>());
}

TEST_CASE("branches side by side") {
  auto net = nn::hybrid_concurrent{nn::dense<4, nn::relu>{}, nn::identity{}, nn::dense<2>{}};
  auto const x = filled<f32<3, 5>>();
  auto const y = both(net, x);
  static_assert(std::is_same_v<std::remove_const_t<decltype(y)>, f32<3, 11>>);
  CHECK(y(2, 4) == x(2, 0));
  CHECK(y(2, 8) == x(2, 4));
  CHECK(net.summary() == "0.weight (4, 5)\n0.bias (4,)\n2.weight (2, 5)\n2.bias (2,)\n");
  nn::hybrid_concurrent<nn::identity> one;
  check_same(both(one, x), x);
}

TEST_CASE("a sequence of 120 blocks") {
  auto const net = []<int... I>(std::integer_sequence<int, I...>) { return nn::sequential_of(shift<I % 3 - 1>{}...); }(std::make_integer_sequence<int, 120>{});
  auto const x = filled<f32<2, 3>>();
  check_same(net(x), x);
  check_same(net.hybridize()(x), x);
  int blocks = 0;
  std::string last;
  nn::visit_parameters(
      net, [](auto const&, std::string_view) {},
      [&](void const*, void const*, std::string_view name) {
        ++blocks;
        last = name;
      });
  CHECK(blocks == 121);
  CHECK(last == "119");
}
