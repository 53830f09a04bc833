// SPDX-License-Identifier: Apache-2.0
// Layers for images that are their operations: eagerly, compiled and as symbols.
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/nn/layers/images.hpp>
#include <sinter/nn/layers/transposed.hpp>
#include <sinter/symbol.hpp>

#include "../builds.hpp"
#include "network.hpp"

namespace {

using sinter::begin;
using sinter::end;

// A layer with given parameters gives `want`, called with a tensor and with a symbol, and compiled where the test asks for it.
template <bool Compiled = false> void same(auto const& net, auto const& x, auto const& want) {
  check_same(net(x), want);
  if constexpr (Compiled && test::compiles_networks) check_same(net.hybridize()(x), want);
  CHECK(net(sinter::sym::var("x")).eval({{"x", x}})[0].template as<std::remove_cvref_t<decltype(want)>>().to_vector() == want.to_vector());
}
template <class Net> Net initialized() {
  Net net;
  net.initialize(sinter::init::uniform{1}, 7);
  return net;
}

}  // namespace

TEST_CASE("transposed convolutions as layers are their operation") {
  using namespace sinter;
  auto const image = filled<f32<2, 4, 3, 5>>();
  auto const net = initialized<nn::conv2d_transpose<6, nn::size2d{3, 4}, 2, nn::size2d{1, 0}, nn::size2d{1, 0}, 1, 2>>();
  auto const got = net(image);
  static_assert(std::is_same_v<decltype(got)::shape_type, shape<2, 6, 6, 12>>);
  same<true>(net, image,
             convolution_transpose(image, net.weight.data<shape<4, 3, 3, 4>>(), net.bias.data<shape<6>>(), stride<2, 2>, pad<1, 0>,
                                   groups<2>, adjust<1, 0>));
  auto const line = filled<f32<2, 3, 4>>();
  auto const thin = initialized<nn::conv1d_transpose<2, 3, 2, 1, 1, 1, 1, nn::relu, float, false>>();
  thin(line);  // the first call decides the shape of the weight
  same(thin, line, relu(convolution_transpose(line, thin.weight.data<shape<3, 2, 3>>(), stride<2>, pad<1>, adjust<1>)));
  auto const volume = filled<f32<1, 2, 2, 3, 2>>();
  auto const deep = initialized<nn::conv3d_transpose<2, 2, 2, 0, 0, 1, 1, nn::no_activation, float, false>>();
  deep(volume);
  same(deep, volume, convolution_transpose(volume, deep.weight.data<shape<2, 2, 2, 2, 2>>(), stride<2>));
}

TEST_CASE("pixels that are shuffled and reflected") {
  using namespace sinter;
  auto const image = filled<f32<2, 12, 3, 4>>();
  same<true>(nn::pixel_shuffle2d<nn::size2d{2, 3}>{}, image, pixel_shuffle(image, factor<2, 3>));
  same(nn::pixel_shuffle1d<3>{}, filled<f32<2, 6, 4>>(), pixel_shuffle(filled<f32<2, 6, 4>>(), factor<3>));
  same(nn::pixel_shuffle3d<2>{}, filled<f32<1, 8, 2, 1, 3>>(), pixel_shuffle(filled<f32<1, 8, 2, 1, 3>>(), factor<2>));
  auto const reflected = nn::reflection_pad2d<1, 2, 3, 0>{}(image);
  static_assert(std::is_same_v<decltype(reflected)::shape_type, shape<2, 12, 6, 7>>);
  same<true>(nn::reflection_pad2d<1, 2, 3, 0>{}, image, reflected);
  CHECK(reflected(0, 0, 0, 0) == image(0, 0, 1, 3));
  CHECK(reflected(1, 11, 5, 6) == image(1, 11, 0, 3));
  static_assert(std::is_same_v<decltype(nn::reflection_pad2d<1>{}(image))::shape_type, shape<2, 12, 5, 6>>);
}

TEST_CASE("prelu has an alpha for all channels, or for each") {
  using namespace sinter;
  auto const image = filled<f32<2, 3, 2, 2>>();
  nn::prelu<> one;
  one.initialize(init::constant{3});
  CHECK(one.alpha.data<shape<1>>().to_vector() == std::vector<float>{0.25f});
  same(one, image, leaky_relu(image, slope<0.25>));
  nn::prelu<3> each;
  each.initialize();
  CHECK(each.alpha.data<shape<3>>().to_vector() == std::vector<float>{0.25f, 0.25f, 0.25f});
  each.alpha.set(f32<3>{2, -1, 0.5f});
  same<true>(each, image, prelu(image, f32<3, 1, 1>{2, -1, 0.5f}));
  same(each, filled<f32<4, 3>>(), prelu(filled<f32<4, 3>>(), f32<3>{2, -1, 0.5f}));
  auto const single = each(sym::var("x"));
  CHECK_THROWS(single.eval({{"x", filled<f32<2, 1, 2>>()}}));
  auto const rows = filled<f32<4, 6>>();
  same(nn::activation<nn::swish<1.0>>{}, rows, silu(rows));
  same(nn::activation<nn::swish<2.0>>{}, rows, rows * sigmoid(rows * 2));
}
