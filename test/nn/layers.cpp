// SPDX-License-Identifier: Apache-2.0
// Each layer: its shapes, its values, and that the compiled one gives the same.
#include "network.hpp"

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
  CHECK(flat.weight.shape() == sinter::dims{5, 12});
  nn::dense<5, nn::relu, float, true, false> last;
  auto const z = both(last, filled<f32<2, 3, 4>>());
  static_assert(std::is_same_v<std::remove_const_t<decltype(z)>, f32<2, 3, 5>>);
  CHECK(last.weight.shape() == sinter::dims{5, 4});
  for (int i = 0; i < z.size(); ++i) CHECK(z[i] >= 0);
}

TEST_CASE("dense without a bias, with activations, in double") {
  nn::dense<3, nn::no_activation, float, false> plain;
  CHECK(both(plain, f32<2, 4>{})(1, 1) == 0);
  CHECK(plain.summary() == "weight (3, 4): 12\n12 values\n");
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
  for (int n : {0, 1, 7}) CHECK(both(net, filled<f32<dim<"batch">, 4>>({n, 4})).shape() == sinter::dims{n, 3});
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
  nn::dropout<0.3> dropout;  // inference drops nothing
  check_same(both(dropout, x), x);
  nn::hybrid_lambda square{[](auto F, auto v) { return F.square(v); }};
  CHECK(both(square, x)(1, 2, 3) == x(1, 2, 3) * x(1, 2, 3));
  static_assert(sinter::compiled_t<nn::hybrid_sequential<nn::activation<nn::relu>, nn::dropout<0.5>, nn::identity>, shape<2, 3>>::kernels ==
                1);
}

TEST_CASE("embedding gives rows of its weight") {
  using words = nn::embedding<4, 3>;
  words net;
  net.weight.set(sinter::reshape(sinter::arange(sinter::values<12>), sinter::into<4, 3>));
  auto const fast = net.hybridize();
  sinter::nd::tensor<int, shape<sinter::dim<"batch">, 2>> const x{{2, 0}, {-1, 9}};  // out of range: the first and the last
  std::vector<float> const want{6, 7, 8, 0, 1, 2, 0, 1, 2, 9, 10, 11};
  CHECK(net(x).to_vector() == want);
  CHECK(fast(x).to_vector() == want);
  CHECK(to_string(fast(x).shape()) == "(2, 2, 3)");
  auto const none = fast(sinter::nd::tensor<int, shape<sinter::dim<"batch">, 2>>::of(0, 2));
  CHECK(none.size() == 0);
  nn::embedding<4, 3, double> wide;
  wide.initialize(sinter::init::constant{1.5});
  CHECK(wide(sinter::nd::tensor<std::int64_t, shape<>>{3}).to_vector() == std::vector<double>(3, 1.5));
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
