// SPDX-License-Identifier: Apache-2.0
#include <sinter/core/math.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "../catch.hpp"

namespace math = sinter::math;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr float inff = std::numeric_limits<float>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class T>
constexpr bool same(T a, T b) {
  return a == b ? math::signbit(a) == math::signbit(b) : math::isnan(a) && math::isnan(b);
}

static_assert(math::exp(1.0f) == 2.7182818f && math::exp(0.0) == 1 && math::exp(-inf) == 0 && math::exp(710.0) == inf);
static_assert(math::exp(-745.0) == 0x1p-1074 && math::exp(-150.0f) == 0 && math::exp(89.0f) == inff && math::exp(88.5f) < inff);
static_assert(math::isnan(math::exp(nan)) && math::isnan(math::log(-1.0)) && math::log(0.0f) == -inff && math::log(inf) == inf);
static_assert(math::log1p(-1.0) == -inf && math::isnan(math::log1p(-2.0f)) && same(math::log1p(-0.0), -0.0));
static_assert(same(math::expm1(-0.0f), -0.0f) && math::expm1(-inf) == -1 && math::expm1(inf) == inf);
static_assert(math::tanh(inf) == 1 && math::tanh(-inff) == -1 && same(math::tanh(-0.0), -0.0) && math::isnan(math::tanh(nan)));
static_assert(math::sigmoid(0.0f) == 0.5f && math::sigmoid(-inf) == 0 && math::sigmoid(inf) == 1 && math::sigmoid(-104.0f) == 0);
static_assert(math::softrelu(1000.0) == 1000 && math::softrelu(-1000.0) == 0 && math::softrelu(inf) == inf);
static_assert(math::erf(inf) == 1 && math::erf(-7.0f) == -1 && same(math::erf(-0.0), -0.0) && math::erf(1.0f) == 0.84270079f);
static_assert(math::sqrt(2.0) == 0x1.6a09e667f3bcdp+0 && math::sqrt(0x1p-1074) == 0x1p-537 && math::sqrt(inf) == inf);
static_assert(math::sqrt(2.0f) == 1.41421354f && same(math::sqrt(-0.0f), -0.0f) && math::isnan(math::sqrt(-1.0)));
static_assert(math::rsqrt(4.0f) == 0.5f && math::rsqrt(0.0) == inf && math::rsqrt(-0.0f) == -inff && math::rsqrt(inf) == 0);
static_assert(math::floor(-0.5) == -1 && same(math::ceil(-0.5), -0.0) && same(math::trunc(-0.9f), -0.0f) && math::rint(2.5) == 2);
static_assert(math::rint(-3.5f) == -4 && same(math::rint(-0.2), -0.0) && math::floor(1e300) == 1e300 && math::ceil(1.25f) == 2);
static_assert(math::abs(-0.0) == 0 && !math::signbit(math::abs(-0.0)) && math::copysign(3.0f, -0.0f) == -3 && math::isinf(-inf));
static_assert(math::sin(0.0) == 0 && math::cos(0.0) == 1 && math::isnan(math::cos(inf)));
static_assert(math::pow(2.0, 10.0) == 1024 && math::pow(2.0, -1074.0) == 0x1p-1074 && math::pow(10.0f, -2.0f) == 0.01f);
// C99, annex F.
static_assert(math::pow(nan, 0.0) == 1 && math::pow(1.0, nan) == 1 && math::isnan(math::pow(nan, 1.0)) && math::pow(-1.0, inf) == 1);
static_assert(math::pow(0.0, -3.0) == inf && math::pow(-0.0, -3.0) == -inf && math::pow(-0.0, -2.0) == inf &&
              same(math::pow(-0.0, 3.0), -0.0));
static_assert(math::pow(-inf, 3.0) == -inf && math::pow(-inf, 2.0) == inf && same(math::pow(-inf, -3.0), -0.0) &&
              math::pow(0.5, -inf) == inf);
static_assert(math::isnan(math::pow(-2.0, 0.5)) && math::pow(-2.0, 3.0) == -8 && math::pow(2.0, 1e300) == inf &&
              math::pow(0.9f, 1e30f) == 0);

double ulp(double got, long double want) {
  int exponent = 0;
  std::frexp(want, &exponent);
  return static_cast<double>(std::abs(static_cast<long double>(got) - want) / std::ldexp(1.0L, std::max(exponent, -1021) - 53));
}

template <class F, class G>
double worst(double lo, double hi, F f, G g) {
  std::mt19937_64 bits(7);
  double most = 0;
  for (int i = 0; i < 40000; ++i) {
    double const x = lo + (hi - lo) * (static_cast<double>(bits() >> 11) * 0x1p-53);
    most = std::max(most, ulp(f(x), g(static_cast<long double>(x))));
  }
  return most;
}

#define WORST(name, lo, hi) worst(lo, hi, [](double x) { return math::name(x); }, [](long double x) { return std::name(x); })

}  // namespace

TEST_CASE("math: double functions keep their bounds") {
  for (double const size : {1.0, 40.0, 700.0}) {
    CAPTURE(size);
    CHECK(WORST(exp, -size, size) < 1);
    CHECK(WORST(expm1, -size, size) < 1);
    CHECK(WORST(log, 0, size) < 1);
    CHECK(WORST(log1p, -1, size) < 1);
    CHECK(WORST(tanh, -size, size) < 1.5);
    CHECK(WORST(erf, -size, size) < 1.5);
    CHECK(WORST(sin, -size, size) < 1.1);
    CHECK(WORST(cos, -size, size) < 1.1);
    CHECK(worst(
              -size, size, [](double x) { return math::sigmoid(x); },
              [](long double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }) < 2);
    CHECK(worst(
              -size, size, [](double x) { return math::softrelu(x); },
              [](long double x) { return std::max(x, 0.0L) + std::log1p(std::exp(-std::abs(x))); }) < 2);
    CHECK(worst(0, size, [](double x) { return math::rsqrt(x); }, [](long double x) { return 1 / std::sqrt(x); }) < 1.5);
  }
    // Subnormal arguments and results.
  CHECK(WORST(exp, -745, -708) < 1);
  CHECK(WORST(log, 0, 0x1p-1030) < 1);
  CHECK(WORST(sin, -1e9, 1e9) < 1.1);
}

TEST_CASE("math: pow keeps its bound over its whole range") {
  std::mt19937_64 bits(11);
  double most = 0;
  for (int i = 0; i < 100000; ++i) {
    double const x = std::exp2((static_cast<double>(bits() >> 11) * 0x1p-52 - 1) * (i % 2 != 0 ? 1000 : 1));
    double const y = (static_cast<double>(bits() >> 11) * 0x1p-52 - 1) * 740 / std::log(x);
    auto const want = std::pow(static_cast<long double>(x), static_cast<long double>(y));
    if (want < 1e308L) most = std::max(most, ulp(math::pow(x, y), want));
  }
  CHECK(most < 1);
}

TEST_CASE("math: float functions are rounded once") {
  std::mt19937 bits(3);
  double most = 0;
  for (int i = 0; i < 100000; ++i) {
    float const x = static_cast<float>(bits()) * 0x1p-28f - 8;
    auto const far = [](float got, double want) {
      int exponent = 0;
      std::frexp(want, &exponent);
      return std::abs(static_cast<double>(got) - want) / std::ldexp(1.0, std::max(exponent, -125) - 24);
    };
    auto const d = static_cast<double>(x);
    for (double const e : {far(math::exp(x), std::exp(d)), far(math::tanh(x), std::tanh(d)), far(math::erf(x), std::erf(d)),
                           far(math::expm1(x), std::expm1(d)), far(math::log(std::abs(x)), std::log(std::abs(d))),
                           far(math::pow(std::abs(x), 2.7f), std::pow(std::abs(d), static_cast<double>(2.7f)))})
      most = std::max(most, e);
  }
  CHECK(most < 0.5001);
}

TEST_CASE("math: sqrt by integers is correctly rounded") {
  std::mt19937_64 bits(5);
  for (int i = 0; i < 100000; ++i) {
        // Squares of halfway points and their neighbours among the arguments.
    double const root = 1 + static_cast<double>(bits() >> 11) * 0x1p-53, square = root * root;
    for (double const x : {square, std::nextafter(square, 9), std::nextafter(square, 0), std::bit_cast<double>(bits() >> 2)})
      if (x > 0 && math::detail::sqrt_by_integers(x) != std::sqrt(x)) FAIL("sqrt of " << x);
  }
  CHECK(math::detail::sqrt_by_integers(std::nextafter(4.0, 0.0)) == std::sqrt(std::nextafter(4.0, 0.0)));
}

namespace {

// The same call, evaluated by the compiler and by the processor; volatile keeps the latter from being folded.
template <class T, class F>
void same_bits(F f) {
  constexpr std::size_t n = 64;
    // The arguments as constants as well, lest a compiler fuse their own computation.
  static constexpr auto arguments = [] {
    std::array<T, n> r{};
    for (std::size_t i = 0; i < n; ++i) r[i] = T(0.37) * (T(i) - T(n / 2)) + T(0.0137);
    return r;
  }();
  static constexpr auto compiled = [] {
    std::array<T, n> r{};
    for (std::size_t i = 0; i < n; ++i) r[i] = F{}(arguments[i]);
    return r;
  }();
  for (std::size_t i = 0; i < n; ++i) {
    T volatile x = arguments[i];
    if (!same(f(x), compiled[i])) FAIL("differs at " << arguments[i]);
  }
}

}  // namespace

TEMPLATE_TEST_CASE("math: constant expressions and run time agree in every bit", "", float, double) {
  using T = TestType;
#define SAME(...) same_bits<T>([](T x) constexpr { return __VA_ARGS__; })
  SAME(math::exp(x));
  SAME(math::expm1(x));
  SAME(math::log(math::abs(x)));
  SAME(math::log1p(math::abs(x)));
  SAME(math::softrelu(x));
  SAME(math::tanh(x));
  SAME(math::sigmoid(x));
  SAME(math::erf(x));
  SAME(math::sin(x));
  SAME(math::cos(x));
  SAME(math::sqrt(math::abs(x)));
  SAME(math::rsqrt(math::abs(x)));
  SAME(math::pow(math::abs(x), x));
  SAME(math::floor(x) + math::ceil(x) * 3 + math::trunc(x) * 5 + math::rint(x) * 7);
}
