// SPDX-License-Identifier: Apache-2.0
// Floats of 16 bits, all of them, against their definition: sign, exponent and fraction as powers of two.
#include <sinter/core/dtype.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include "../catch.hpp"

using namespace sinter;

namespace {

template <class T> T from_bits(unsigned b) {
  T r;
  r.bits = static_cast<std::uint16_t>(b);
  return r;
}
template <class T> struct format;
template <> struct format<float16> {
  static constexpr int exponent = 5, fraction = 10;
};
template <> struct format<bfloat16> {
  static constexpr int exponent = 8, fraction = 7;
};
template <class T> double defined(unsigned b) {
  constexpr int f = format<T>::fraction, e = format<T>::exponent, bias = (1 << (e - 1)) - 1;
  double const sign = b >> 15 ? -1 : 1;
  int const exponent = static_cast<int>(b >> f) & ((1 << e) - 1), fraction = static_cast<int>(b) & ((1 << f) - 1);
  if (exponent == (1 << e) - 1) return fraction ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - f);
  return sign * std::ldexp((1 << f) + fraction, exponent - bias - f);
}

}  // namespace

TEMPLATE_TEST_CASE("a float of 16 bits is what its bits say", "", float16, bfloat16) {
  int wrong = 0;
  for (unsigned b = 0; b < 0x10000; ++b) {
    double const want = defined<TestType>(b), got = static_cast<float>(from_bits<TestType>(b));
    wrong += want == want ? !(got == want) || std::signbit(got) != std::signbit(want) : got == got;
  }
  CHECK(wrong == 0);
}

TEMPLATE_TEST_CASE("numbers become the nearest float of 16 bits, of two the even one", "", float16, bfloat16) {
  using T = TestType;
  int wrong = 0;
  auto const is = [&](double v, unsigned want) { wrong += T(v).bits != want || T(-v).bits != (want | 0x8000u); };
  unsigned const infinite = ((1u << format<T>::exponent) - 1) << format<T>::fraction;
  for (unsigned b = 0; b < infinite; ++b) {
    double const here = defined<T>(b), next = b + 1 < infinite ? defined<T>(b + 1) : 2 * here - defined<T>(b - 1);
    double const half = (here + next) / 2;
    is(here, b);
    is(half, b % 2 == 0 ? b : b + 1);
    is(std::nextafter(half, 0), b);
    is(std::nextafter(half, next), b + 1);
    if (static_cast<double>(static_cast<float>(half)) == half) {
      auto const f = static_cast<float>(half);
      wrong += T(f).bits != (b % 2 == 0 ? b : b + 1) || T(std::nextafter(f, 0.0f)).bits != b;
    }
  }
  CHECK(wrong == 0);
  is(std::numeric_limits<double>::infinity(), infinite);
  is(1e300, infinite);
  is(std::numeric_limits<double>::denorm_min(), 0);
  CHECK(wrong == 0);
  float const nan = static_cast<float>(T(std::numeric_limits<double>::quiet_NaN()));
  CHECK(nan != nan);
  CHECK(static_cast<float>(T(3)) == 3);
  CHECK(static_cast<float>(T(true)) == 1);
  static_assert(static_cast<float>(T(0.5)) == 0.5f && T(1) == 1 && T(1.5) * 2 == 3.0f);
}
