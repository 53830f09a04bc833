// SPDX-License-Identifier: Apache-2.0
// First values: their ranges and moments, and that they depend on seed and name alone.
#include <sinter/nn/layers/basic.hpp>

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
struct steps : nn::hybrid_block<steps> {
  using integers = nn::basic_parameter<int>;
  BOOST_HANA_DEFINE_STRUCT(steps, (nn::parameter, scale), (integers, step));
  constexpr auto hybrid_forward(auto F, auto x) const {
    return x * F.get(scale, shape<2>{}) + F.cast(F.get(step, shape<2>{}), sinter::as<float>);
  }
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
  // The formulas of Gluon: 300 inputs, 200 outputs.
  auto const deviation = [&](init::spec const& how) { return moments_of<double>(how, extents).deviation; };
  CHECK(std::abs(deviation(init::xavier{3, init::factor::in}) - std::sqrt(1. / 300)) < 0.001);
  CHECK(std::abs(deviation(init::xavier{3, init::factor::out}) - std::sqrt(1. / 200)) < 0.001);
  CHECK(std::abs(deviation(init::xavier{2, init::factor::in, init::distribution::gaussian}) - std::sqrt(2. / 300)) < 0.002);
  CHECK(std::abs(deviation(init::msra_prelu{}) - std::sqrt(2 / (1 + 0.0625) / 250)) < 0.002);
  CHECK(std::abs(deviation(init::msra_prelu{init::factor::out, 0}) - std::sqrt(2. / 200)) < 0.002);
  auto const zero = moments_of<float>(init::zeros{}, {9});
  CHECK((zero.low == 0 && zero.high == 0));
  auto const one = moments_of<float>(init::constant{1.5}, {9});
  CHECK((one.low == 1.5 && one.high == 1.5));
}

TEST_CASE("orthogonal rows and columns") {
  for (sinter::dims const& extents :
       {sinter::dims{5, 8}, sinter::dims{8, 5}, sinter::dims{6, 6}, sinter::dims{4, 3, 2, 2}, sinter::dims{7}})
    for (init::distribution const as : {init::distribution::uniform, init::distribution::gaussian}) {
      std::vector<double> v(static_cast<std::size_t>(extents.size()));
      init::fill(init::orthogonal{2, as}, 7, extents, v.data());
      sinter::extent const rows = extents.d[0], columns = extents.size() / rows;
      auto const at = [&](sinter::extent i, sinter::extent k) {  // element k of vector i, the rows or the columns
        return v[static_cast<std::size_t>(rows <= columns ? i * columns + k : k * columns + i)];
      };
      for (sinter::extent i = 0; i < std::min(rows, columns); ++i)
        for (sinter::extent j = 0; j <= i; ++j) {
          double dot = 0;
          for (sinter::extent k = 0; k < std::max(rows, columns); ++k) dot += at(i, k) * at(j, k);
          CHECK(std::abs(dot - (i == j ? 4 : 0)) < 1e-13);
        }
    }
  std::vector<float> none(1);
  init::fill(init::orthogonal{}, 7, {0, 3}, none.data());
  init::fill(init::orthogonal{}, 7, {3, 0}, none.data());
  CHECK(none[0] == 0);
  static_assert(number<double, 0>(init::orthogonal{}, 1) * number<double, 0>(init::orthogonal{}, 1) > 1.99);  // of one column
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

TEST_CASE("a parameter is not initialized with values that it cannot hold") {
  steps net;
  net.initialize(init::constant{3});
  auto const refuses = [&](init::spec const& how, std::string const& why) {
    CHECK_THROWS_WITH(net.initialize(how), "sinter: a parameter of " + why);
    CHECK(net(sinter::nd::tensor<float, shape<2>>{2, 2})(1) == 9);  // nothing is changed
  };
  refuses(init::constant{1e39}, "float32 cannot hold the values that it is initialized with: scale");
  refuses(init::uniform{1e39}, "float32 cannot hold the values that it is initialized with: scale");
  refuses(init::normal{1e308}, "float32 cannot hold the values that it is initialized with: scale");
  refuses(init::uniform{std::numeric_limits<double>::infinity()}, "float32 cannot hold the values that it is initialized with: scale");
  refuses(init::normal{std::nan("")}, "float32 cannot hold the values that it is initialized with: scale");
  refuses(init::xavier{-1}, "float32 cannot hold the values that it is initialized with: scale");
  refuses(init::uniform{-1e10}, "int32 cannot hold the values that it is initialized with: step");
  refuses(init::normal{3e37}, "float32 cannot hold the values that it is initialized with: scale");
  refuses(init::constant{0.5}, "int32 cannot hold the values that it is initialized with: step");
  refuses(init::constant{1e10}, "int32 cannot hold the values that it is initialized with: step");
  refuses(init::uniform{1e10}, "int32 cannot hold the values that it is initialized with: step");
  refuses(init::constant{std::nan("")}, "int32 cannot hold the values that it is initialized with: step");
  CHECK_THROWS_AS(net.step.initialize(init::constant{0.5}, 1), sinter::parameter_error);
  net.step.initialize(init::constant{-2147483648.}, 1);
  CHECK(net.step.data<shape<2>>()(0) == std::numeric_limits<int>::min());
  nn::basic_parameter<bool> flag;
  CHECK_THROWS_AS(flag.initialize(init::uniform{}, 1), sinter::parameter_error);
  CHECK_THROWS_AS(flag.initialize(init::constant{2}, 1), sinter::parameter_error);
  flag.initialize(init::ones{}, 1);
  net.initialize(init::uniform{100}, 7);  // integers without their fractions
  CHECK(net.step.data<shape<2>>()(0) != 0);
}
