// SPDX-License-Identifier: Apache-2.0
// Convolution in networks: what fuses with it, and that a compiled network gives the bits of its operations one by one.
#include "network.hpp"

namespace {

using sinter::axis;
using sinter::begin;
using sinter::dilate;
using sinter::dynamic;
using sinter::groups;
using sinter::pad;
using sinter::step;
using sinter::stride;

// Whether a function of the operands gives the same bits as a network; in so many kernels.
template <int Kernels, class Function, class... X> void check_network(Function f, X const&... x) {
  auto const net = nn::hybrid_lambda{f};
  static_assert(sinter::compiled_t<std::remove_const_t<decltype(net)>, X...>::kernels == Kernels);
  check_same(net(x...), net.hybridize()(x...));
}
auto const image = filled<f32<2, 4, 5, 19>>();
auto const kernel = filled<f32<6, 4, 3, 3>>();
auto const bias = filled<f32<6>>();

}  // namespace

TEST_CASE("what follows a convolution, and what is cheap before it, is part of its kernel") {
  check_network<1>([](auto F, auto x, auto w, auto b) { return F.relu(F.convolution(x, w, b, pad<1>)); }, image, kernel, bias);
  check_network<1>([](auto F, auto x, auto w, auto b) { return F.tanh(F.convolution(F.relu(x), w, b, pad<1>, stride<2>)); }, image, kernel,
                   bias);
  // Padding is a zero behind what is computed from the operand: not relu(x) + 1 of a zero.
  check_network<1>([](auto F, auto x, auto w) { return F.convolution(F.relu(x) + 1, w, pad<2>, dilate<2>); }, image, kernel);
  check_network<1>([](auto F, auto x, auto w, auto s) { return F.convolution(x * s, w, pad<1>); }, image, kernel, filled<f32<4, 1, 1>>());
  check_network<1>([](auto F, auto x, auto w, auto s) { return F.convolution(x * s, w, pad<1>); }, image, kernel, filled<f32<19>>());
  check_network<1>([](auto F, auto x, auto w, auto r) { return F.relu(F.convolution(x, w, pad<1>) + r); }, image, kernel,
                   filled<f32<2, 6, 5, 19>>());
  check_network<1>([](auto F, auto x, auto w, auto r) { return F.convolution(x, w, pad<1>) * r; }, image, kernel, filled<f32<19>>());
  check_network<1>([](auto F, auto x, auto w, auto r) { return F.convolution(x, w, pad<1>) * r; }, image, kernel, filled<f32<5, 1>>());
}

TEST_CASE("the groups of a convolution fuse as one does") {
  auto const x = filled<f32<2, 6, 7, 9>>();
  auto const w = filled<f32<4, 3, 3, 3>>();
  auto const b = filled<f32<4>>();
  check_network<1>([](auto F, auto v, auto k, auto c) { return F.relu(F.convolution(F.relu(v), k, c, groups<2>, pad<1>)); }, x, w, b);
  check_network<1>([](auto F, auto v, auto k) { return F.relu(F.convolution(v, k, groups<6>, pad<1>, stride<2>)); }, x,
                   filled<f32<6, 1, 3, 3>>());
}

TEST_CASE("a convolution reads and writes what lies anyhow") {
  check_network<1>(
      [](auto F, auto x, auto w) { return F.concat(F.convolution(x, w, pad<1>), F.convolution(x, w, pad<1>, stride<1>) * 2, axis<1>); },
      image, kernel);
  check_network<3>(
      [](auto F, auto x, auto w) { return F.concat(F.convolution(x, w, pad<1>), F.relu(x), F.convolution(x * 2, w, pad<1>), axis<3>); },
      filled<f32<2, 6, 5, 19>>(), filled<f32<6, 6, 3, 3>>());
  check_network<1>([](auto F, auto x, auto w) { return F.convolution(F.slice(x, begin<0, 1, 4, 0>, step<1, 1, -1, 3>), w, pad<1>); },
                   filled<f32<2, 5, 5, 19>>(), kernel);
  check_network<1>([](auto F, auto x, auto w) { return F.convolution(F.transpose(x), F.transpose(w), pad<1>); }, filled<f32<7, 9, 4, 2>>(),
                   filled<f32<3, 3, 4, 6>>());
  check_network<2>([](auto F, auto x, auto w) { return F.transpose(F.convolution(x, w, pad<1>)); }, image, kernel);
}

TEST_CASE("every rank and dtype compiles to the bits of eager calls") {
  check_network<1>([](auto F, auto x, auto w) { return F.relu(F.convolution(x, w, stride<2>, pad<1>)); }, filled<f32<3, 2, 33>>(),
                   filled<f32<5, 2, 4>>());
  check_network<1>([](auto F, auto x, auto w) { return F.relu(F.convolution(F.relu(x), w, pad<1>)); }, filled<f32<2, 3, 4, 5, 6>>(),
                   filled<f32<4, 3, 3, 2, 3>>());
  check_network<1>([](auto F, auto x, auto w) { return F.relu(F.convolution(F.relu(x), w, pad<1>)); },
                   filled<sinter::nd::tensor<double, shape<2, 3, 4, 17>>>(), filled<sinter::nd::tensor<double, shape<4, 3, 3, 2>>>());
  check_network<1>([](auto F, auto x, auto w) { return F.relu(F.convolution(F.relu(x), w, pad<1>)); },
                   filled<sinter::nd::tensor<std::int32_t, shape<2, 3, 4, 17>>>(),
                   filled<sinter::nd::tensor<std::int32_t, shape<4, 3, 3, 2>>>());
}

namespace {
// Two convolutional layers, a dense one on top.
struct classifier : nn::hybrid_block<classifier> {
  BOOST_HANA_DEFINE_STRUCT(classifier, (nn::parameter, first), (nn::parameter, bias), (nn::parameter, second), (nn::dense<3>, output));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const h = F.relu(F.convolution(x, F.get(first, shape<8, 1, 3, 3>{}), F.get(bias, shape<8>{}), pad<1>));
    return output(F.relu(F.convolution(h, F.get(second, shape<6, 8, 3, 3>{}), stride<2>)));
  }
};
}  // namespace

TEST_CASE("a network of convolutions, for any number of images") {
  classifier net;
  both(net, filled<f32<2, 1, 9, 9>>());
  static_assert(sinter::compiled_t<classifier, shape<2, 1, 9, 9>>::kernels == 3);
  auto const fast = net.hybridize();
  for (sinter::extent const n : {0, 1, 5}) {
    auto const x = filled<f32<dim<"batch">, 1, 9, 9>>(sinter::dims{n, 1, 9, 9});
    check_same(net(x), fast(x));
    auto const y = filled<f32<dynamic, 1, 9, 9>>(sinter::dims{n, 1, 9, 9});
    check_same(net(y), fast(y));
  }
}

TEST_CASE("policies leave the weights of a convolution as they are") {
  auto const layer = nn::hybrid_lambda{[](auto F, auto x, auto w, auto b) { return F.relu(F.convolution(x, w, b, pad<1>)); }};
  auto const want = layer(image, kernel, bias);
#if defined(SINTER_XSIMD)
  check_same(want, layer.hybridize(sinter::weights::bf16)(image, kernel, bias));
  check_same(want, layer.hybridize(sinter::weights::int8)(image, kernel, bias));
  check_same(want, layer.hybridize(sinter::math::fast)(image, kernel, bias));
#endif
  classifier net;
  both(net, filled<f32<2, 1, 9, 9>>());
#if defined(SINTER_XSIMD)
  auto const few = net.hybridize(sinter::weights::int8);
  auto const x = filled<f32<2, 1, 9, 9>>();
  auto const y = net(x), z = few(x);
  for (int i = 0; i < y.size(); ++i) CHECK(std::abs(y[i] - z[i]) < 0.2f);
#endif
}

namespace {
constexpr bool compiled_in_a_constant_expression() {
  auto const layer = nn::hybrid_lambda{[](auto F, auto x, auto w) { return F.relu(F.convolution(F.relu(x), w, pad<1>)); }};
  f32<1, 1, 2, 2> const x{1, -2, 3, 4};
  f32<1, 1, 3, 3> const w{0, 1, 0, 1, 0, -1, 0, 1, 0};
  auto const y = layer.hybridize()(x, w);
  return y[0] == 3 && y[1] == 5 && y[2] == 0 && y[3] == 3;
}
static_assert(compiled_in_a_constant_expression());
}  // namespace
