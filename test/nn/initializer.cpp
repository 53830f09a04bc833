// SPDX-License-Identifier: Apache-2.0
// First values: their ranges and moments, and that they depend on seed and name alone.
#include <sinter/nn/layers.hpp>

#include "../catch.hpp"

namespace nn = sinter::nn;
namespace init = sinter::init;
using sinter::shape;

namespace {

struct moments {
  double mean, deviation, low, high;
};
template <class T> moments moments_of(init::spec const& how, sinter::dims const& extents) {
  std::vector<T> v(static_cast<std::size_t>(extents.size()));
  init::fill(how, 42, extents, v.data());
  double sum = 0, squares = 0, low = 1e300, high = -1e300;
  for (T e : v) {
    double const d = static_cast<double>(e);
    sum += d;
    squares += d * d;
    low = d < low ? d : low;
    high = d > high ? d : high;
  }
  double const n = static_cast<double>(v.size()), mean = sum / n;
  return {mean, std::sqrt(squares / n - mean * mean), low, high};
}
template <class T, int N> constexpr T number(init::spec const& how, std::uint64_t key) {
  T v[N + 1]{};
  init::fill(how, key, {N + 1}, v);
  return v[N];
}
struct pair_of_layers : nn::hybrid_block<pair_of_layers> {
  BOOST_HANA_DEFINE_STRUCT(pair_of_layers, (nn::dense<4>, first), (nn::dense<4>, second));
  constexpr auto hybrid_forward(auto, auto x) const { return second(first(x)); }
};

}  // namespace

TEST_CASE("ranges and moments") {
  sinter::dims const extents{200, 300};  // 60,000 numbers: the mean lies within 5 deviations / sqrt(60000)
  auto const u = moments_of<float>(init::uniform{0.5}, extents);
  CHECK((u.low >= -0.5 && u.low < -0.499 && u.high < 0.5 && u.high > 0.499));
  CHECK(std::abs(u.mean) < 0.006);
  CHECK(std::abs(u.deviation - 0.5 / std::sqrt(3.)) < 0.004);
  auto const g = moments_of<float>(init::normal{0.2}, extents);
  CHECK(std::abs(g.mean) < 0.0041);
  CHECK(std::abs(g.deviation - 0.2) < 0.003);
  CHECK((g.low < -0.6 && g.high > 0.6));
  auto const x = moments_of<double>(init::xavier{}, extents);
  double const bound = std::sqrt(3. / 250);  // inputs 300, outputs 200
  CHECK((x.low >= -bound && x.high <= bound && x.high > 0.99 * bound && x.low < -0.99 * bound));
  CHECK(std::abs(x.deviation - bound / std::sqrt(3.)) < 0.001);
  auto const field = moments_of<double>(init::xavier{}, {20, 30, 3, 5});
  CHECK(field.high <= std::sqrt(3. / (25 * 15)));
  CHECK(field.high > 0.98 * std::sqrt(3. / (25 * 15)));
  auto const zero = moments_of<float>(init::zeros{}, {9});
  CHECK((zero.low == 0 && zero.high == 0));
  auto const one = moments_of<float>(init::constant{1.5}, {9});
  CHECK((one.low == 1.5 && one.high == 1.5));
}

TEST_CASE("the numbers are the same everywhere") {  // splitmix64, seed 0: the reference's first outputs
  static_assert(sinter::random_bits(0, 0) == 0xe220a8397b1dcdafu);
  static_assert(sinter::random_bits(0, 1) == 0x6e789e6aa1b965f4u);
  static_assert(sinter::random_bits(0, 2) == 0x06c45d188009454fu);
  static_assert(number<double, 0>(init::uniform{1}, 0) == 0x1.8882a0e5ec772p-1);
  static_assert(number<float, 5>(init::uniform{0.07}, 42) == 0x1.a6503cp-5f);
  static_assert(number<double, 3>(init::normal{1}, 42) == 0x1.c1b680ea2bc5dp-3);
  static_assert(number<float, 2>(init::xavier{}, 7) == 0x1.f69c08p-1f);
  CHECK(number<double, 0>(init::uniform{1}, 0) == 0x1.8882a0e5ec772p-1);
  CHECK(number<float, 5>(init::uniform{0.07}, 42) == 0x1.a6503cp-5f);
  CHECK(number<double, 3>(init::normal{1}, 42) == 0x1.c1b680ea2bc5dp-3);
  CHECK(number<float, 2>(init::xavier{}, 7) == 0x1.f69c08p-1f);
}

TEST_CASE("values depend on the seed and the name, not on the order") {
  sinter::nd::tensor<float, shape<1, 4>> const x{1, 2, 3, 4};
  pair_of_layers a, b, other;
  a.initialize(init::uniform{}, 5);
  b.initialize(init::uniform{}, 5);
  other.initialize(init::uniform{}, 6);
  a(x);
  b.second(x);  // first use in another order
  b.first(x);
  other(x);
  using matrix = shape<4, 4>;
  bool names_differ = false, seeds_differ = false;
  for (int i = 0; i < 16; ++i) {
    CHECK(a.first.weight.data<matrix>()[i] == b.first.weight.data<matrix>()[i]);
    CHECK(a.second.weight.data<matrix>()[i] == b.second.weight.data<matrix>()[i]);
    names_differ = names_differ || a.first.weight.data<matrix>()[i] != a.second.weight.data<matrix>()[i];
    seeds_differ = seeds_differ || a.first.weight.data<matrix>()[i] != other.first.weight.data<matrix>()[i];
  }
  CHECK(names_differ);
  CHECK(seeds_differ);
  CHECK(a.first.bias.data<shape<4>>()(2) == 0);
}

TEST_CASE("a second initialize replaces the values") {
  sinter::nd::tensor<float, shape<1, 4>> const x{1, 1, 1, 1};
  nn::dense<2> net;
  net.initialize(init::constant{1});
  CHECK(net(x)(0, 0) == 4);
  net.initialize(init::constant{3});
  CHECK(net(x)(0, 0) == 12);
}

TEST_CASE("biases and gammas have first values of their own") {
  CHECK(init::for_name(init::uniform{}, "hidden.bias").how == init::kind::constant);
  CHECK(init::for_name(init::uniform{}, "norm.gamma").a == 1);
  CHECK(init::for_name(init::uniform{}, "norm.running_var").a == 1);
  CHECK(init::for_name(init::constant{3}, "norm.beta").a == 0);
  CHECK(init::for_name(init::constant{3}, "hidden.weight").a == 3);
}
