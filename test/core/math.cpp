// SPDX-License-Identifier: Apache-2.0
#include <sinter/core/math.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

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
static_assert(math::sin(1e300) < 1 && math::isnan(math::sin(inf)) && math::isnan(math::tan(-inf)) && same(math::tan(-0.0f), -0.0f));
static_assert(math::isnan(math::arcsin(1.5)) && same(math::arcsin(-0.0), -0.0) && math::arccos(1.0) == 0 && math::arctan(inf) > 1.57);
static_assert(math::sinh(-inff) == -inff && math::cosh(-inf) == inf && math::sinh(711.0) == inf && math::cosh(0.0f) == 1);
static_assert(math::arctanh(-1.0f) == -inff && math::isnan(math::arctanh(2.0)) && math::arccosh(1.0) == 0 &&
              math::isnan(math::arccosh(0.5)));
static_assert(math::log2(8.0) == 3 && math::log10(1000.0f) == 3 && math::log10(0.0) == -inf && math::cbrt(-27.0) == -3 &&
              math::hypot(3.0, 4.0) == 5 && math::hypot(nan, -inf) == inf && math::arcsinh(-inf) == -inf);
static_assert(math::erfinv(1.0) == inf && math::erfinv(-1.0f) == -inff && math::isnan(math::erfinv(1.5)) && same(math::erfinv(-0.0), -0.0));
static_assert(math::gamma(5.0) == 24 && math::gamma(-0.0) == -inf && math::isnan(math::gamma(-3.0f)) && math::isnan(math::gamma(-inf)) &&
              math::gamma(inf) == inf && math::gamma(172.0) == inf && same(math::gamma(-200.5), -0.0) && math::gamma(36.0f) == inff);
static_assert(math::gammaln(1.0) == 0 && math::gammaln(0.0f) == inff && math::gammaln(-2.0) == inf && math::gammaln(-inf) == inf &&
              math::gammaln(1e306) == inf && math::isnan(math::gammaln(nan)));
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
#define WORST_OF(name, other, lo, hi) worst(lo, hi, [](double x) { return math::name(x); }, [](long double x) { return std::other(x); })

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
    CHECK(WORST(tan, -size, size) < 3);
    CHECK(WORST(sinh, -size, size) < 3);
    CHECK(WORST(cosh, -size, size) < 3);
    CHECK(WORST(cbrt, -size, size) < 1);
    CHECK(WORST(log2, 0, size) < 0.51);
    CHECK(WORST(log10, 0, size) < 0.51);
    CHECK(WORST_OF(arctan, atan, -size, size) < 2);
    CHECK(WORST_OF(arcsinh, asinh, -size, size) < 3);
    CHECK(WORST_OF(arccosh, acosh, 1, size + 1) < 3);
    CHECK(WORST_OF(arcsin, asin, -1 / size, 1 / size) < 2.1);
    CHECK(WORST_OF(arccos, acos, -1 / size, 1 / size) < 1.5);
    CHECK(WORST_OF(arctanh, atanh, -1 / size, 1 / size) < 3);
    CHECK(worst(-size, size, [](double x) { return math::hypot(x, 0.7); }, [](long double x) { return std::hypot(x, 0.7L); }) < 2);
    CHECK(worst(0, size, [](double x) { return math::rsqrt(x); }, [](long double x) { return 1 / std::sqrt(x); }) < 1.5);
  }
    // Subnormal arguments and results.
  CHECK(WORST(exp, -745, -708) < 1);
  CHECK(WORST(log, 0, 0x1p-1030) < 1);
  CHECK(WORST(sin, -1e9, 1e9) < 1.1);
}

TEST_CASE("math: the gamma function and its logarithm keep their bounds") {
  CHECK(WORST_OF(gamma, tgamma, -8, 8) < 1.5);
  CHECK(WORST_OF(gamma, tgamma, 8, 171.6) < 1.5);
  CHECK(WORST_OF(gamma, tgamma, -184, -8) < 3.5);
  CHECK(WORST_OF(gamma, tgamma, 0x1p-1023, 0x1p-1010) < 1.5);
  CHECK(WORST_OF(gammaln, lgamma, 0, 3) < 4);
  CHECK(WORST_OF(gammaln, lgamma, 0.999, 1.001) < 4);
  CHECK(WORST_OF(gammaln, lgamma, 1.999, 2.001) < 4);
  CHECK(WORST_OF(gammaln, lgamma, 2.15, 200) < 1);
  CHECK(WORST_OF(gammaln, lgamma, 200, 1e20) < 1);
  CHECK(WORST_OF(gammaln, lgamma, 1e20, 2.5e305) < 1.1);
  // Next to its zeros below 0 the distance is not in units of the result.
  std::mt19937_64 bits(19);
  double near = 0, far = 0;
  for (int i = 0; i < 100000; ++i) {
    double const x = -20 * (static_cast<double>(bits() >> 11) * 0x1p-53);
    auto const want = std::lgamma(static_cast<long double>(x));
    auto const away = static_cast<double>(std::abs(static_cast<long double>(math::gammaln(x)) - want));
    if (std::abs(want) < 1) (x > -8 ? near : far) = std::max(x > -8 ? near : far, away - static_cast<double>(std::abs(want)) * 0x1p-53);
    else if (ulp(math::gammaln(x), want) > 2) FAIL("gammaln of " << x);
  }
  CHECK(near < 0x1p-58);
  CHECK(far < 0x1p-50);
}

TEST_CASE("math: factorials are exact") {
  double factorial = 1;
  for (int n = 1; n <= 23; factorial *= n++) {
    CHECK(math::gamma(static_cast<double>(n)) == factorial);
    CHECK(math::gamma(static_cast<float>(n)) == static_cast<float>(factorial));
  }
}

TEST_CASE("math: functions of an angle are right for every finite number") {
  std::mt19937_64 bits(13);
  double most = 0, most_tan = 0;
  auto const check = [&](double x) {
    if (!(std::abs(x) <= std::numeric_limits<double>::max())) return;
    auto const w = static_cast<long double>(x);
    most = std::max({most, ulp(math::sin(x), std::sin(w)), ulp(math::cos(x), std::cos(w))});
    most_tan = std::max(most_tan, ulp(math::tan(x), std::tan(w)));
  };
  for (int i = 0; i < 200000; ++i) check(std::bit_cast<double>(bits()));
  // Next to multiples of pi / 2: the nearest of all (Muller), and doubles around those of every size.
  for (double const x : {0x1.6ac5b262ca1ffp+849, 0x1.fffffffffffffp+1023, 1e22, 0x1p+30, 0x1.0000000000001p+30, 1e300}) check(x), check(-x);
  for (int e = -2; e < 70; ++e)
    for (int k = 1; k < 40; ++k) {
      double const x = std::ldexp(static_cast<double>(k), e) * 1.5707963267948966;
      check(x), check(std::nextafter(x, 0)), check(std::nextafter(x, inf)), check(-x);
    }
  CHECK(most < 1.1);
  CHECK(most_tan < 3);
  CHECK(math::sin(1e22) == -0.8522008497671888018);
  CHECK(ulp(math::cos(0x1.6ac5b262ca1ffp+849), -4.687165924254627611122582801963884e-19L) < 1.1);
}

TEST_CASE("math: logarithms and roots of what has a whole one are exact") {
  for (int k = -1074; k < 1024; ++k) {
    CHECK(math::log2(std::ldexp(1., k)) == k);
    CHECK((k % 3 != 0 || math::cbrt(std::ldexp(1., k)) == std::ldexp(1., k / 3)));
  }
  double power = 1;
  for (int k = 0; k < 23; ++k, power *= 10)
    CHECK((math::log10(power) == k && math::log10(static_cast<float>(power)) == static_cast<float>(k)));
  for (int k = -2000; k < 2000; ++k) CHECK(math::cbrt(static_cast<double>(k) * k * k) == k);
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

TEST_CASE("math: functions in single precision alone keep their bounds, for all kinds of floats") {
  namespace single = math::single;
  auto const worst_of_all = [](auto f, auto g) {
    double most = 0;
    std::vector<float> all{0.0f, -0.0f, inff, -inff, 0x1p-149f, -0x1p-149f, 0x1p-126f, 0.92f, -0.92f, 0x1p-26f, -17.5f, 0x1.6a09e6p-1f};
    for (std::uint64_t b = 0; b < std::uint64_t{1} << 32; b += 10007) all.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(b)));
    for (float const x : all) {
      float const got = f(x);
      double const want = g(static_cast<double>(x));
      if (std::isnan(want) || std::isnan(got)) most = std::max(most, std::isnan(want) && std::isnan(got) ? 0 : inf);
      else if (std::isinf(got) || std::abs(want) >= 0x1p+128) most = std::max(most, static_cast<float>(want) == got ? 0 : inf);
      else if (got == 0) most = std::max(most, std::signbit(got) == std::signbit(want) && std::abs(want) < 0x1p-149 ? 0 : inf);
      else {
        int exponent = 0;
        std::frexp(want, &exponent);
        most = std::max(most, std::abs(static_cast<double>(got) - want) / std::ldexp(1.0, std::max(exponent, -125) - 24));
      }
    }
    return most;
  };
  CHECK(worst_of_all([](float x) { return single::exp(x); }, [](double x) { return std::exp(x); }) < 0.9);
  CHECK(worst_of_all([](float x) { return single::expm1(x); }, [](double x) { return std::expm1(x); }) < 1.1);
  CHECK(worst_of_all([](float x) { return single::log(x); }, [](double x) { return std::log(x); }) < 0.82);
  CHECK(worst_of_all([](float x) { return single::tanh(x); }, [](double x) { return std::tanh(x); }) < 1.85);
  CHECK(worst_of_all([](float x) { return single::erf(x); }, [](double x) { return std::erf(x); }) < 1.3);
  CHECK(worst_of_all([](float x) { return single::sigmoid(x); }, [](double x) { return 1 / (1 + std::exp(-x)); }) < 1.9);
  CHECK(worst_of_all([](float x) { return single::softrelu(x); },
                     [](double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }) < 1.7);
  auto const n = std::numeric_limits<float>::quiet_NaN();
  for (float const y : {single::exp(n), single::expm1(n), single::log(n), single::tanh(n), single::erf(n), single::sigmoid(n),
                        single::softrelu(n), single::log(-1.0f)})
    CHECK(std::isnan(y));
  CHECK((single::exp(inff) == inff && single::exp(-inff) == 0 && single::log(inff) == inff && single::log(0.0f) == -inff));
  CHECK((single::tanh(inff) == 1 && single::erf(-inff) == -1 && single::sigmoid(-inff) == 0 && single::sigmoid(inff) == 1));
  CHECK((single::expm1(-inff) == -1 && single::expm1(inff) == inff && single::softrelu(-inff) == 0 && single::softrelu(inff) == inff));
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

TEMPLATE_TEST_CASE("math: remainders are those of C", "", float, double) {
  using T = TestType;
  static_assert(math::fmod(T(7), T(-3)) == 1 && math::mod(T(7), T(-3)) == -2 && math::floor_divide(T(7), T(-3)) == -3);
  std::mt19937_64 bits(17);
  using limits = std::numeric_limits<T>;
  T const some[]{0, limits::infinity(), limits::quiet_NaN(), limits::denorm_min(), limits::min(), limits::max(), 1, T(0.1), 3, 1e30f};
  auto const number = [&](int i) -> T {
    if (i % 7 == 0) return some[bits() % std::size(some)] * (i % 2 == 0 ? T(1) : T(-1));
    if (i % 3 == 0) return static_cast<T>(static_cast<std::int64_t>(bits() >> 44));
    if constexpr (sizeof(T) == 4) return std::bit_cast<float>(static_cast<std::uint32_t>(bits()));
    else return std::bit_cast<double>(bits());
  };
  for (int i = 0; i < 100000; ++i) {
    T const x = number(i), y = number(i / 5);
    if (!same(math::fmod(x, y), std::fmod(x, y))) FAIL("the remainder of " << x << " and " << y << " is " << math::fmod(x, y));
  }
}

// x - n y has the sign that it has exactly, and is exact where n is the quotient: std::fma rounds once, and nothing is smaller than the least number.
TEMPLATE_TEST_CASE("math: floor_divide is the whole number below the exact quotient, and mod is what is left", "", float, double) {
  using T = TestType;
  constexpr int digits = std::numeric_limits<T>::digits;
  static_assert(math::floor_divide(T(8069371.288), T(1)) == 8069371 && math::floor_divide(T(-7), T(2)) == -4);
  std::mt19937_64 bits(42);
  auto const part = [&] { return static_cast<T>(static_cast<double>(bits() >> 11) * 0x1p-53); };
  int wrong = 0, others = 0;
  for (int i = 0; i < 400000; ++i) {
    T const size = std::ldexp(1 + part(), static_cast<int>(bits() % static_cast<unsigned>(digits))),
            y = (i % 2 ? -1 : 1) * (part() + T(1) / 128);
    // Quotients of all sizes, and those next to whole numbers and to their halves.
    T const near = (i % 3 == 0 ? size
                               : (std::rint(size) + (i % 3 == 1 ? T(0.5) : T(0))) *
                                     (1 + (part() < T(0.5) ? std::numeric_limits<T>::epsilon() : T(0))));
    T const x = (i % 4 < 2 ? -1 : 1) * (near * std::abs(y)), n = math::floor_divide(x, y), left = std::fma(-n, y, x);
    bool const below = std::abs(x) < std::ldexp(std::abs(y), digits);  // else no two neighbours are whole numbers
    if (below && !(n == std::rint(n) && (y > 0 ? left >= 0 && left < y : left <= 0 && left > y)) && ++wrong < 5)
      FAIL_CHECK(x << " / " << y << " is not " << n);
    T const rest = std::fmod(x, y), want = rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
    if (math::mod(x, y) != want && ++others < 5) FAIL_CHECK(x << " mod " << y << " is not " << math::mod(x, y));
    if (below && left != want && ++others < 5) FAIL_CHECK(x << " mod " << y << " is " << want << ", and the quotient leaves " << left);
  }
  CHECK(wrong == 0);
  CHECK(others == 0);
  // Beyond what T counts: the exact quotient 2^24 + 1 or 2^53 + 1 and a part of it, rounded once to the even neighbour.
  T const even = std::ldexp(T(1), digits), y = T(0.75);
  CHECK(math::floor_divide((even + 2) * y, y) == even + 2);
  CHECK(math::floor_divide(std::numeric_limits<T>::max(), T(3)) == std::numeric_limits<T>::max() / 3);
  CHECK(math::floor_divide(T(1), std::numeric_limits<T>::denorm_min()) == 1 / std::numeric_limits<T>::denorm_min());
  CHECK(math::floor_divide(T(1000) * std::numeric_limits<T>::denorm_min(), T(3) * std::numeric_limits<T>::denorm_min()) == 333);
  CHECK(same(math::floor_divide(T(-0.0), T(3)), T(-0.0)));
  CHECK(same(math::floor_divide(T(0), T(-3)), T(-0.0)));
  // A remainder of zero has the sign of the divisor, too.
  for (T const x : {T(0), T(4)})
    for (T const sign : {T(1), T(-1)}) {
      CHECK(same(math::mod(sign * x, T(2)), T(0)));
      CHECK(same(math::mod(sign * x, T(-2)), T(-0.0)));
    }
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
  SAME(math::tan(x));
  SAME(math::arcsin(x / 16) + math::arccos(x / 16) + math::arctan(x));
  SAME(math::sinh(x) + math::cosh(x));
  SAME(math::arcsinh(x) + math::arccosh(math::abs(x) + 1) + math::arctanh(x / 16));
  SAME(math::log2(math::abs(x)) + math::log10(math::abs(x)));
  SAME(math::cbrt(x) + math::hypot(x, T(3)));
  SAME(math::erfinv(x / 16));
  SAME(math::gamma(x) + math::gammaln(x * 3));
  SAME(math::sin(x * T(1e10)));
  SAME(math::pow(math::abs(x), x));
  SAME(math::mod(x, T(-0.3)) + math::floor_divide(x, T(0.7)));
  SAME(math::floor(x) + math::ceil(x) * 3 + math::trunc(x) * 5 + math::rint(x) * 7);
}
