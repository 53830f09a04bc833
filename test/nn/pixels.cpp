// SPDX-License-Identifier: Apache-2.0
// Convolutions with many channels, whose tiles are some pixels high and two vectors of channels wide (kernels/pixels.hpp). Here all products with a
// map are computed so that can be, with any vectors: -DSINTER_SIMD_PIXELS. Each result is one sum in ascending order, to the bit.
#include <cmath>
#include <random>

#include <sinter/compile/hybridized.hpp>
#include <sinter/nn/layers/convolution.hpp>

#include "catch.hpp"

using namespace sinter;

namespace {

struct sizes {
  int images, inputs, height, width, outputs, high, wide, step = 1, pad = 0, dilation = 1, groups = 1;
  constexpr int rows() const { return (height + 2 * pad - dilation * (high - 1) - 1) / step + 1; }
  constexpr int columns() const { return (width + 2 * pad - dilation * (wide - 1) - 1) / step + 1; }
};
// As vectors add a product: rounded once where the processor can.
template <class T> T add_product(T x, T y, T sum) {
#if defined(__FMA__) || defined(__aarch64__)
  return std::fma(x, y, sum);
#else
  T const product = x * y;
  return product + sum;
#endif
}
template <class T> T sum_at(sizes const& s, T const* x, T const* w, T const* bias, int image, int output, int row, int column) {
  int const of_group = s.inputs / s.groups, group = output / (s.outputs / s.groups);
  T sum = 0;
  for (int c = 0; c < of_group; ++c)
    for (int a = 0; a < s.high; ++a)
      for (int b = 0; b < s.wide; ++b) {
        int const y = row * s.step + a * s.dilation - s.pad, z = column * s.step + b * s.dilation - s.pad;
        bool const is_in = y >= 0 && y < s.height && z >= 0 && z < s.width;
        T const v = is_in ? x[((image * s.inputs + group * of_group + c) * s.height + y) * s.width + z] : T(0);
        sum = add_product(w[((output * of_group + c) * s.high + a) * s.wide + b], v, sum);
      }
  return std::max(sum + bias[output], T(0));
}
// Where the values of each parameter lie, once a call has made them.
template <class T> std::vector<T const*> values_of(auto const& net) {
  std::vector<T const*> all_of_them;
  nn::visit_parameters(net, [&](auto const& p, std::string_view) { all_of_them.push_back(p.storage().data()); });
  return all_of_them;
}
template <class T, sizes S> void compare() {
  CAPTURE(S.inputs, S.height, S.width, S.outputs, S.high, S.wide, S.step, S.pad, S.dilation, S.groups);
  nn::conv2d<S.outputs, nn::size2d{S.high, S.wide}, S.step, S.pad, S.dilation, S.groups, nn::relu, T> net;
  net.initialize(init::uniform{1}, 1);
  nd::tensor<T, shape<S.images, S.inputs, S.height, S.width>> x;
  std::mt19937 random(2);
  for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = std::uniform_real_distribution<T>(-1, 1)(random);
  auto const eager = net(x), compiled = net.hybridize()(x);
  REQUIRE(eager.shape().d[2] == S.rows());
  REQUIRE(eager.shape().d[3] == S.columns());
  auto const parameters = values_of<T>(net);
  int wrong = 0;
  std::int64_t i = 0;
  for (int image = 0; image < S.images; ++image)
    for (int output = 0; output < S.outputs; ++output)
      for (int row = 0; row < S.rows(); ++row)
        for (int column = 0; column < S.columns(); ++column, ++i) {
          T const want = sum_at(S, x.data(), parameters[0], parameters[1], image, output, row, column);
          wrong += eager.data()[i] != want || compiled.data()[i] != want;
        }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("tiles of pixels sum as one chain each") {
  // Lines of one tile, of several, of parts of a tile; two short lines at once, and one that is left; several blocks of lines, parts of a line.
  compare<float, sizes{1, 5, 14, 14, 64, 3, 3, 1, 1}>();
  compare<float, sizes{2, 3, 9, 17, 40, 3, 3, 1, 1}>();
  compare<float, sizes{1, 4, 7, 7, 33, 3, 3, 1, 1}>();
  compare<float, sizes{1, 3, 30, 6, 24, 3, 2, 1, 0}>();
  compare<float, sizes{1, 3, 7, 3, 20, 3, 3, 1, 1}>();
  compare<float, sizes{1, 2, 3, 230, 20, 3, 3, 1, 1}>();
  // Few channels, which one vector holds; images without zeros around them, which are read where they lie.
  compare<float, sizes{2, 6, 14, 14, 16, 5, 5}>();
  compare<float, sizes{1, 3, 9, 8, 6, 3, 3, 1, 1}>();
  compare<float, sizes{3, 4, 7, 5, 3, 3, 2}>();
  compare<float, sizes{2, 3, 13, 31, 20, 3, 3, 1, 0, 2}>();
  compare<float, sizes{1, 6, 11, 12, 10, 3, 3, 1, 0, 1, 2}>();
  compare<double, sizes{1, 3, 9, 8, 4, 3, 3, 1, 1}>();
  // Many turns of the depth, in blocks; an odd number of them.
  compare<float, sizes{1, 85, 4, 5, 36, 5, 5, 1, 2}>();
  // Steps, dilation, groups, and no window at all: columns of a matrix.
  compare<float, sizes{1, 6, 15, 13, 34, 3, 3, 2, 1}>();
  compare<float, sizes{1, 4, 11, 10, 18, 3, 3, 1, 2, 2}>();
  compare<float, sizes{2, 8, 6, 8, 64, 3, 3, 1, 1, 1, 2}>();
  compare<float, sizes{1, 21, 5, 9, 50, 1, 1}>();
  compare<float, sizes{1, 9, 9, 11, 35, 1, 1, 2}>();
  compare<double, sizes{1, 5, 8, 15, 20, 3, 3, 1, 1}>();
}
TEST_CASE("tiles of pixels read weights that lie otherwise") {
  nd::tensor<float, shape<1, 4, 9, 9>> x;
  nd::tensor<float, shape<4, 21, 3, 3>> w;
  nd::tensor<float, shape<21, 4, 3, 3>> swapped;
  for (int i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i * 37 % 101) - 50;
  for (int i = 0; i < w.size(); ++i) w.data()[i] = static_cast<float>(i * 53 % 103) - 51;
  for (int o = 0; o < 21; ++o)
    for (int c = 0; c < 4; ++c)
      for (int k = 0; k < 9; ++k) swapped.data()[(o * 4 + c) * 9 + k] = w.data()[(c * 21 + o) * 9 + k];
  auto const compiled = hybridize([](auto F, auto a, auto b) { return F.convolution(a, F.swap_axes(b, axes<0, 1>), pad<1>); });
  auto const y = compiled(x, w), want = convolution(x, swapped, pad<1>);
  CHECK(std::equal(y.data(), y.data() + y.size(), want.data()));
}
// Some of an operand's channels, and three spatial axes: against loops in the order of the sums; integers, so that any order is exact.
TEST_CASE("tiles of pixels read channels that lie apart") {
  nd::tensor<float, shape<1, 6, 9, 9>> x;
  nd::tensor<float, shape<20, 3, 3, 3>> w;
  for (int i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i * 37 % 17 - 8);
  for (int i = 0; i < w.size(); ++i) w.data()[i] = static_cast<float>(i * 53 % 13 - 6);
  auto const compiled = hybridize([](auto F, auto a, auto b) { return F.convolution(a(all, range<open, open, 2>), b); });
  auto const y = compiled(x, w);
  nd::tensor<float, shape<1, 3, 9, 9>> const whole = x(all, range<open, open, 2>).copy();
  int wrong = 0;
  for (int o = 0; o < 20; ++o)
    for (int r = 0; r < 7; ++r)
      for (int c = 0; c < 7; ++c) {
        float total = 0;
        for (int i = 0; i < 3; ++i)
          for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) total += whole(0, i, r + a, c + b) * w(o, i, a, b);
        wrong += y(0, o, r, c) != total;
      }
  CHECK(wrong == 0);
}
template <int Depth, int High, int Wide, int Step> static void check_depth() {
  nn::conv3d<26, 3, Step, 1> net;
  net.initialize(init::uniform{1}, 1);
  nd::tensor<float, shape<1, 3, Depth, High, Wide>> x;
  for (int i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i * 37 % 17 - 8);
  auto const y = net.hybridize()(x);
  auto const parameters = values_of<float>(net);
  int wrong = 0;
  std::int64_t at = 0;
  for (int o = 0; o < 26; ++o)
    for (int d = 0; d < y.shape().d[2]; ++d)
      for (int r = 0; r < y.shape().d[3]; ++r)
        for (int c = 0; c < y.shape().d[4]; ++c, ++at) {
          float total = 0;
          for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 27; ++k) {
              int const e = d * Step + k / 9 - 1, f = r * Step + k / 3 % 3 - 1, g = c * Step + k % 3 - 1;
              bool const is_in = e >= 0 && e < Depth && f >= 0 && f < High && g >= 0 && g < Wide;
              total = add_product(parameters[0][(o * 3 + i) * 27 + k], is_in ? x(0, i, e, f, g) : 0.f, total);
            }
          wrong += y.data()[at] != total + parameters[1][o];
        }
  CHECK(wrong == 0);
}
TEST_CASE("one line with zeros around it does not lie as its plane") {
  nn::conv1d<20, 3, 1, 1> net;
  net.initialize(init::uniform{1}, 1);
  std::vector<float> memory(35, 100.f);
  for (std::size_t i = 1; i < 34; ++i) memory[i] = static_cast<float>(i * 37 % 17) - 8;
  auto const x = nd::tensor<float, shape<1, 1, 33>>::borrow(memory.data() + 1, {1, 1, 33});
  auto const y = net.hybridize()(x);
  auto const parameters = values_of<float>(net);
  int wrong = 0;
  for (int o = 0; o < 20; ++o)
    for (int c = 0; c < 33; ++c) {
      float total = 0;
      for (int k = 0; k < 3; ++k) total = add_product(parameters[0][o * 3 + k], c + k > 0 && c + k < 34 ? x(0, 0, c + k - 1) : 0.f, total);
      wrong += y(0, o, c) != total + parameters[1][o];
    }
  CHECK(wrong == 0);
}
TEST_CASE("tiles of pixels go on in the next plane") {
  check_depth<6, 9, 2, 1>();
  check_depth<6, 6, 6, 2>();
  check_depth<3, 5, 15, 1>();
}
TEST_CASE("tiles of pixels are shared by threads") {
  simd::set_threads(2);
  compare<float, sizes{1, 16, 28, 28, 72, 3, 3, 1, 1}>();
  simd::set_threads(1);
}
