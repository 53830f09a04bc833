// SPDX-License-Identifier: Apache-2.0
// Error bounds of the vector functions against long double, over every 4096th float, random doubles and special values; one
// program for each instruction set. bench/ulp.cpp does the same over every float.
#include <sinter/backend/xsimd/math.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "../../catch.hpp"

namespace simd = sinter::simd;

namespace {

constexpr auto count = static_cast<std::size_t>(simd::lanes);
using wide = long double;

template <class T>
bool same(T a, T b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

// Units in the last place of the true value; a wrong zero, infinity or NaN counts as a million.
template <class T>
double ulp(T got, wide want) {
  using limits = std::numeric_limits<T>;
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got) ? 0 : 1e6;
    // The next power of two stands in for infinity, as rounding has it.
  wide const top = std::ldexp(1.0L, limits::max_exponent);
  wide const g = std::isinf(got) ? std::copysign(top, static_cast<wide>(got)) : static_cast<wide>(got);
  if (std::abs(want) > top) want = std::copysign(top, want);
  if (want == 0) return g == 0 && std::signbit(g) == std::signbit(want) ? 0 : 1e6;
  int exponent = 0;
  std::frexp(want, &exponent);
  return static_cast<double>(std::abs(g - want) / std::ldexp(1.0L, std::max(exponent, limits::min_exponent) - limits::digits));
}

template <class T, class F>
void apply(std::vector<T> const& x, std::vector<T>& y, F f) {
  for (std::size_t i = 0; i < x.size(); i += count) simd::store(&y[i], f(simd::load(&x[i])));
}

// Every 4096th float of either sign, which reaches all exponents; a million doubles of every size, and near 1.
template <class T>
std::vector<T> const& sample() {
  static std::vector<T> const values = [] {
    std::vector<T> v;
    if constexpr (sizeof(T) == 4) {
      for (std::uint64_t i = 0; i < std::uint64_t(1) << 32; i += 4096) v.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(i)));
    } else {
      std::mt19937_64 bits(23);
      for (int i = 0; i < 100000; ++i) {
        v.push_back(std::bit_cast<double>(bits()));
        for (double const size : {1.0, 10.0, 750.0}) v.push_back((static_cast<double>(bits() >> 11) * 0x1p-52 - 1) * size);
      }
    }
    using limits = std::numeric_limits<T>;
    for (T const special : {T(0), limits::infinity(), limits::quiet_NaN(), limits::max(), limits::min(), limits::denorm_min(), T(1), T(0.5),
                            T(88.5), T(88.7228), T(103.97), T(709.78), T(745.1), T(0.625), T(0.92), T(4), T(6), T(22)})
      for (T const s : {special, -special}) v.push_back(s);
    while (v.size() % count != 0) v.push_back(T(1));
    return v;
  }();
  return values;
}

template <class T, class F, class G>
double worst(F f, G g) {
  auto const& x = sample<T>();
  std::vector<T> y(x.size());
  apply(x, y, f);
  double most = 0;
  T at = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (double const e = ulp(y[i], g(static_cast<wide>(x[i]))); e > most) most = e, at = x[i];
  UNSCOPED_INFO("worst at " << at << ": " << most << " ulp");
  return most;
}

wide sigmoid(wide x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }
// glibc's powl(-inf, -2^63) is infinite; its pow is right about infinities.
wide power(wide x, wide y) {
  return std::isinf(x) ? static_cast<wide>(std::pow(static_cast<double>(x), static_cast<double>(y))) : std::pow(x, y);
}
// By halves: erf and erfc are increasing and decreasing.
wide erfinv(wide x) {
  wide const size = std::abs(x);
  if (!(size <= 1)) return std::numeric_limits<wide>::quiet_NaN();
  if (size == 1) return std::copysign(std::numeric_limits<wide>::infinity(), x);
  long double const pi = std::acos(-1.0L);
  if (size < 1e-5L) return x * (std::sqrt(pi) / 2 * (1 + pi / 12 * x * x));
  wide low = 0, high = 7;
  for (int i = 0; i < 100; ++i) {
    wide const middle = (low + high) / 2;
    ((size < 0.5L ? std::erf(middle) < size : std::erfc(middle) > 1 - size) ? low : high) = middle;
  }
  return std::copysign((low + high) / 2, x);
}
wide softrelu(wide x) { return x != x ? x : (x > 0 ? x : 0) + std::log1p(std::exp(-std::abs(x))); }

}  // namespace

#define WORST(name, reference) worst<TestType>([](auto const& x) { return simd::name(x); }, [](wide x) { return reference(x); })

TEMPLATE_TEST_CASE("simd: elementary functions keep their bounds", "", float, double) {
  CHECK(WORST(exp, std::exp) <= 1.1);
  CHECK(WORST(expm1, std::expm1) <= 1.1);
  CHECK(WORST(log, std::log) <= 1);
  CHECK(WORST(log1p, std::log1p) <= 2);
  CHECK(WORST(tanh, std::tanh) <= (sizeof(TestType) == 4 ? 2 : 1.5));
  CHECK(WORST(sigmoid, sigmoid) <= 2);
  CHECK(WORST(softrelu, softrelu) <= 2);
  CHECK(WORST(erf, std::erf) <= 1.5);
  // Floats are computed in double.
  auto const bound = [](double of_double) { return sizeof(TestType) == 4 ? 0.501 : of_double; };
  CHECK(WORST(sin, std::sin) <= bound(1.1));
  CHECK(WORST(cos, std::cos) <= bound(1.1));
  CHECK(WORST(tan, std::tan) <= bound(3));
  CHECK(WORST(arcsin, std::asin) <= bound(2.1));
  CHECK(WORST(arccos, std::acos) <= bound(1.5));
  CHECK(WORST(arctan, std::atan) <= bound(1.5));
  CHECK(WORST(sinh, std::sinh) <= bound(3));
  CHECK(WORST(cosh, std::cosh) <= bound(3));
  CHECK(WORST(arcsinh, std::asinh) <= bound(3));
  CHECK(WORST(arccosh, std::acosh) <= bound(3));
  CHECK(WORST(arctanh, std::atanh) <= bound(3));
  CHECK(WORST(log2, std::log2) <= bound(0.51));
  CHECK(WORST(log10, std::log10) <= bound(0.51));
  CHECK(WORST(cbrt, std::cbrt) <= bound(1));
  CHECK(WORST(gamma, std::tgamma) <= bound(3.5));
  CHECK(worst<TestType>([](auto const& x) { return simd::gammaln(abs(x)); }, [](wide x) { return std::lgamma(std::abs(x)); }) <= bound(4));
  CHECK(WORST(sqrt, std::sqrt) <= 0.5);
  CHECK(WORST(rsqrt, 1 / std::sqrt) <= 1.5);
}

// The true values take their time, so that of the sample some are enough.
TEMPLATE_TEST_CASE("simd: erfinv keeps its bound", "", float, double) {
  using T = TestType;
  auto const& all = sample<T>();
  std::vector<T> x, y;
  for (std::size_t i = 0; i < all.size(); i += i + 64 < all.size() ? 13 : 1)
    if (!(std::abs(all[i]) > 1) || i % 128 == 0) x.push_back(all[i]);
  while (x.size() % count != 0) x.push_back(0.5);
  y.resize(x.size());
  apply(x, y, [](auto const& v) { return simd::erfinv(v); });
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, ulp(y[i], erfinv(static_cast<wide>(x[i]))));
  CHECK(most <= (sizeof(T) == 4 ? 0.501 : 4));
}

TEST_CASE("simd: faster forms keep their bounds") {
  using TestType = float;
  CHECK(WORST(fast_exp, std::exp) <= 5);
  CHECK(WORST(fast_sigmoid, sigmoid) <= 5);
  CHECK(WORST(fast_tanh, std::tanh) <= 5);
  CHECK(WORST(fast_erf, std::erf) <= 5);
}

TEMPLATE_TEST_CASE("simd: pow keeps its bound", "", float, double) {
  using T = TestType;
  for (T const y : {T(2), T(-1), T(0.5), T(2.75), T(-7.3), T(3), T(1e-3), T(12345), T(0), T(-0.5), std::numeric_limits<T>::infinity(),
                    -std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN(), T(1e30), T(-3)}) {
    CAPTURE(y);
    CHECK(worst<T>([y](auto const& x) { return simd::pow(x, simd::splat(y)); }, [y](wide x) { return power(x, static_cast<wide>(y)); }) <=
          1);
  }
  for (T const x : {T(2), T(0.9), T(10), T(1), T(-1), T(0), -T(0), T(-2), std::numeric_limits<T>::infinity(),
                    -std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::denorm_min()}) {
    CAPTURE(x);
    CHECK(worst<T>([x](auto const& y) { return simd::pow(simd::splat(x), y); }, [x](wide y) { return power(static_cast<wide>(x), y); }) <=
          1);
  }
}

TEMPLATE_TEST_CASE("simd: a lane does not see its neighbours", "", float, double) {
  using T = TestType;
  std::mt19937_64 bits(29);
  auto const all = [](simd::vec<T> const& x) {
    return std::array{simd::exp(x),
                      simd::log(x),
                      simd::log1p(x),
                      simd::expm1(x),
                      simd::tanh(x),
                      simd::sigmoid(x),
                      simd::erf(x),
                      simd::erfinv(x),
                      simd::gamma(x),
                      simd::gammaln(x),
                      simd::softrelu(x),
                      simd::rsqrt(x),
                      simd::sin(x),
                      simd::cos(x),
                      simd::tan(x),
                      simd::arcsin(x),
                      simd::arccos(x),
                      simd::arctan(x),
                      simd::sinh(x),
                      simd::cosh(x),
                      simd::arcsinh(x),
                      simd::arccosh(x),
                      simd::arctanh(x),
                      simd::log2(x),
                      simd::log10(x),
                      simd::cbrt(x),
                      simd::hypot(x, simd::splat(T(1.7))),
                      simd::pow(x, simd::splat(T(1.7))),
                      simd::pow(simd::splat(T(1.7)), x)};
  };
  auto const& values = sample<T>();
  for (int round = 0; round < 2000; ++round) {
    std::array<T, count> x, y, z;
    for (T& e : x) e = values[bits() % values.size()];
    auto const mixed = all(simd::load(x.data()));
    auto const lane = static_cast<std::size_t>(bits() % count);
    auto const alone = all(simd::splat(x[lane]));
    for (std::size_t f = 0; f < mixed.size(); ++f) {
      simd::store(y.data(), mixed[f]);
      simd::store(z.data(), alone[f]);
            // Any other lane of the splat will do.
      if (!same(y[lane], z[(lane + 1) % count])) FAIL("function " << f << " at " << x[lane]);
    }
  }
}

TEST_CASE("simd: several vectors in step have the bits of each alone") {
  auto const all = [](auto const& x) {
    return std::array{simd::exp(x),       simd::tanh(x),     simd::sigmoid(x),      simd::erf(x),       simd::softrelu(x), simd::gelu(x),
                      simd::gelu_tanh(x), simd::fast_exp(x), simd::fast_sigmoid(x), simd::fast_tanh(x), simd::fast_erf(x)};
  };
  auto const& values = sample<float>();
  for (std::size_t i = 0; i + 4 * count <= values.size(); i += 4 * count) {
    simd::vec<float> x[4];
    for (std::size_t k = 0; k < 4; ++k) x[k] = simd::load(&values[i + k * count]);
    auto const together = all(simd::four<float>{{x[0], x[1]}, {x[2], x[3]}});
    for (std::size_t k = 0; k < 4; ++k) {
      auto const alone = all(x[k]);
      for (std::size_t f = 0; f < alone.size(); ++f) {
        std::array<float, count> y, z;
        auto const& half = k < 2 ? together[f].a : together[f].b;
        simd::store(y.data(), k % 2 == 0 ? half.a : half.b);
        simd::store(z.data(), alone[f]);
        for (std::size_t lane = 0; lane < count; ++lane)
          if (!same(y[lane], z[lane])) FAIL("function " << f << " at " << values[i + k * count + lane]);
      }
    }
  }
}

TEST_CASE("simd: GELU keeps its bound") {
  // In roundings of |x|, as test/data/ops/make.py derives it for x / 2 (1 + erf(x / sqrt(2))) and the form with tanh.
  auto const roundings = [](auto f, auto g) {
    auto const& x = sample<float>();
    std::vector<float> y(x.size());
    apply(x, y, f);
    double most = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      wide const want = g(static_cast<wide>(x[i]));
      if (std::isnan(want)) most = std::isnan(y[i]) ? most : 1e6;
      else if (std::isinf(want) || std::isnan(y[i])) most = static_cast<wide>(y[i]) == want ? most : 1e6;
      else if (std::abs(x[i]) > 1e-35f)
        most = std::max(most, static_cast<double>(std::abs(static_cast<wide>(y[i]) - want) / std::abs(static_cast<wide>(x[i])) * 0x1p+24L));
    }
    return most;
  };
  wide const root = std::sqrt(0.5L), c = std::sqrt(2 / (4 * std::atan(1.0L)));
  CHECK(roundings([](auto const& x) { return simd::gelu(x); }, [=](wide x) { return x / 2 * (1 + std::erf(x * root)); }) <= 2.5);
  CHECK(roundings([](auto const& x) { return simd::gelu_tanh(x); },
                  [=](wide x) { return x / 2 * (1 + std::tanh(c * (x + 0.044715L * x * x * x))); }) <= 2.5);
}

TEST_CASE("simd: exp reaches the ends of its range") {
  auto const at = [](float x) {
    std::array<float, count> r;
    simd::store(r.data(), simd::exp(simd::splat(x)));
    return r[0];
  };
  CHECK(at(88.5f) > 2.7e38f);
  CHECK(std::isfinite(at(88.722831f)));
  CHECK(std::isinf(at(88.722846f)));
  CHECK(at(-103.9f) == std::numeric_limits<float>::denorm_min());
  CHECK(at(-104.0f) == 0);
}
