// SPDX-License-Identifier: Apache-2.0
// Networks over images that run in blocks of image rows (plan/image_blocks.hpp) give what their layers give one by one, to the bit. Here the blocks are
// small, and of small images, too: -DSINTER_SMALL_IMAGE_BLOCKS=8192, bytes.
#include <random>

#include <sinter/compile/hybridized.hpp>
#include <sinter/nn/layers/basic.hpp>
#include <sinter/nn/layers/convolution.hpp>
#include <sinter/nn/layers/norms.hpp>
#include <sinter/nn/layers/pooling.hpp>
#include <sinter/viz/report.hpp>

#include "catch.hpp"

using namespace sinter;

namespace {

template <int Channels, nn::size2d Kernel, class Activation = nn::relu, nn::size2d Stride = 1, nn::size2d Pad = 0, nn::size2d Dilation = 1,
          int Groups = 1, class T = float>
using conv = nn::conv2d<Channels, Kernel, Stride, Pad, Dilation, Groups, Activation, T>;

template <class Shape, class T> auto random_array(unsigned seed) {
  nd::tensor<T, Shape> x;
  std::mt19937 random(seed);
  for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = std::uniform_real_distribution<T>(-1, 1)(random);
  return x;
}
int in_blocks(auto const& compiled, auto const& x) {
  std::string const report(compiled.report(x));
  int n = 0;
  for (std::size_t at = 0; (at = report.find("in blocks of image rows, each", at)) != std::string::npos; ++at) ++n;
  return n;
}
// `kernels`: how many of them run in blocks.
template <class Shape, class T = float> void compare(auto net, int kernels) {
  net.initialize(init::uniform{1}, 1);
  auto const compiled = net.hybridize();
  for (unsigned seed = 1; seed < 4; ++seed) {
    auto const x = random_array<Shape, T>(seed);
    auto const want = net(x);
    CHECK(in_blocks(compiled, x) == kernels);
    for (unsigned threads = 1; threads < 4; ++threads) {
      CAPTURE(threads);
      simd::set_threads(threads);
      auto const got = compiled(x);
      REQUIRE(got.shape() == want.shape());
      int wrong = 0;
      for (std::int64_t i = 0; i < want.size(); ++i) wrong += !(got.data()[i] == want.data()[i]);
      CHECK(wrong == 0);
    }
    simd::set_threads(1);
  }
}
template <class... Layer> using layers = nn::hybrid_sequential<Layer...>;
struct residual : nn::hybrid_block<residual> {
  using body = layers<conv<16, 1>, conv<16, 3, nn::relu, 1, 1, 1, 16>, conv<4, 1, nn::no_activation>>;
  BOOST_HANA_DEFINE_STRUCT(residual, (body, out));
  constexpr auto hybrid_forward(auto, auto const& x) const { return out(x) + x; }
};
// Each place as a distribution over the channels: a kernel over rows, of which each has elements of all channels.
struct mixed : nn::hybrid_block<mixed> {
  using first = conv<12, 3>;
  using second = conv<12, 3, nn::relu, 1, 1, 1, 12>;
  BOOST_HANA_DEFINE_STRUCT(mixed, (first, in), (second, out));
  constexpr auto hybrid_forward(auto F, auto const& x) const { return out(F.softmax(in(x), axis<1>)); }
};
// A convolution with windows over every second row.
struct stepped : nn::hybrid_block<stepped> {
  using first = conv<9, 3>;
  using second = conv<5, 3, nn::relu, 1, 1>;
  BOOST_HANA_DEFINE_STRUCT(stepped, (first, in), (second, out));
  constexpr auto hybrid_forward(auto F, auto const& x) const {
    return out(F.slice(in(x), begin<open, open, 1>, end<open, open, open>, step<1, 1, 2>));
  }
};

}  // namespace

TEST_CASE("separable convolutions run in blocks of image rows") {
  using one = layers<conv<12, 1>, conv<12, 3, nn::relu, 1, 1, 1, 12>, conv<8, 1, nn::no_activation>>;
  compare<shape<1, 5, 23, 9>>(one{}, 3);
  CHECK(one{}.hybridize().report(nd::tensor<float, shape<1, 5, 23, 9>>()).find("each of them by kernels 0, 1, 2\n") != std::string::npos);
  compare<shape<3, 5, 17, 16>>(one{}, 3);
  compare<shape<1, 5, 40, 7>, double>(layers<conv<12, 1, nn::relu, 1, 0, 1, 1, double>, conv<12, 3, nn::relu, 1, 1, 1, 12, double>>{}, 2);
  // Steps, a window of even size, dilation, groups of two channels, a window of other steps than its size.
  compare<shape<2, 4, 31, 12>>(layers<conv<8, 1>, conv<8, 3, nn::relu, 2, 1, 1, 8>, conv<6, 1>>{}, 3);
  compare<shape<1, 4, 26, 12>>(
      layers<conv<8, 1>, conv<8, nn::size2d{4, 2}, nn::relu, nn::size2d{1, 2}, nn::size2d{2, 0}, 1, 8>, conv<6, 1>>{}, 3);
  compare<shape<2, 4, 29, 11>>(layers<conv<8, 3, nn::relu, 1, 1>, conv<8, 3, nn::relu, 1, 2, 2, 4>>{}, 2);
  compare<shape<1, 4, 37, 11>>(layers<conv<8, 1>, conv<8, 2, nn::relu, 3, 0, 1, 8>, conv<6, 1, nn::relu, 2>>{}, 3);
  // More zeros around the image than the window has elements: rows that show nothing of it.
  compare<shape<1, 3, 14, 9>>(layers<conv<8, 1>, conv<8, 3, nn::relu, 1, 5, 1, 8>, conv<5, 1>>{}, 3);
  compare<shape<1, 3, 14, 9>>(layers<conv<8, 3, nn::relu, 2, 6>, conv<8, 3, nn::relu, 2, 4, 1, 8>>{}, 2);
  compare<shape<1, 3, 9, 9>>(layers<conv<8, 1>, conv<8, 3, nn::relu, 4, 3, 2, 8>, conv<5, 1>>{}, 3);
}
TEST_CASE("convolutions and what pools them run in blocks of image rows") {
  compare<shape<1, 3, 25, 14>>(layers<conv<9, 3>, nn::max_pool2d<>>{}, 3);
  compare<shape<2, 3, 26, 15>>(layers<conv<9, 3, nn::tanh, 2, 1>, nn::avg_pool2d<>, conv<4, 3>>{}, 3);
  // The second convolution computes what it reads, which steps over two rows.
  compare<shape<1, 3, 41, 8>>(layers<conv<9, 3>, nn::avg_pool2d<nn::size2d{2, 1}>, conv<4, 3, nn::relu, 1, 1>>{}, 3);
  compare<shape<2, 1, 33, 12>>(layers<conv<6, 5, nn::tanh, 1, 2>, nn::max_pool2d<>, conv<16, 5, nn::tanh>, nn::max_pool2d<>>{}, 4);
  compare<shape<1, 2, 31, 9>>(layers<conv<6, 3>, nn::max_pool2d<3, 2>, conv<6, 3, nn::relu, 1, 1>, nn::avg_pool2d<3, 1>>{}, 4);
  compare<shape<1, 2, 31, 9>>(layers<conv<6, 3>, nn::max_pool2d<3, 2, 1>>{}, 0);
}
TEST_CASE("arrays beside those that lie in blocks") {
  compare<shape<2, 4, 19, 9>>(residual{}, 3);
  compare<shape<1, 4, 19, 9>>(residual{}, 3);
  compare<shape<2, 3, 20, 7>>(mixed{}, 3);
  compare<shape<2, 3, 96, 8>>(stepped{}, 2);
}
TEST_CASE("images of which a call says how many there are run in blocks of image rows") {
  layers<conv<12, 1>, conv<12, 3, nn::relu, 1, 1, 1, 12>, conv<8, 1, nn::no_activation>> net;
  net.initialize(init::uniform{1}, 1);
  auto const compiled = net.hybridize();
  for (extent images : {3, 1, 0, 2}) {
    nd::tensor<float, shape<dim<"n">, 5, 23, 9>> x(dims{images, 5, 23, 9});
    std::mt19937 random(static_cast<unsigned>(images));
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = std::uniform_real_distribution<float>(-1, 1)(random);
    auto const want = net(x), got = compiled(x);
    REQUIRE(got.shape() == want.shape());
    int wrong = 0;
    for (std::int64_t i = 0; i < want.size(); ++i) wrong += !(got.data()[i] == want.data()[i]);
    CHECK(wrong == 0);
  }
}
TEST_CASE("blocks of image rows by other backends") {
  layers<conv<12, 1>, conv<12, 3, nn::relu, 1, 1, 1, 12>, conv<40, 3>> net;
  net.initialize(init::uniform{1}, 1);
  auto const x = random_array<shape<2, 5, 23, 9>, float>(1);
  auto const want = net(x), by_winograd = net.hybridize(math::winograd)(x), narrow = net.hybridize(weights::bf16)(x);
  int wrong = 0;
  for (std::int64_t i = 0; i < want.size(); ++i)
    wrong += !(by_winograd.data()[i] == want.data()[i]) || !(narrow.data()[i] == want.data()[i]);
  CHECK(wrong == 0);
}
TEST_CASE("volumes run in blocks of their third axis") {
  using volume = layers<nn::conv3d<6, 1>, nn::conv3d<6, 3, 1, 1, 1, 6, nn::relu>, nn::conv3d<4, nn::size3d{2, 1, 3}>>;
  compare<shape<2, 3, 11, 5, 4>>(volume{}, 3);
}
