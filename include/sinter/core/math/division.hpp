// SPDX-License-Identifier: Apache-2.0
// Division with remainder as NumPy has it: the remainder has the sign of the divisor.
#pragma once

#include "basic.hpp"

namespace sinter::math::inline SINTER_ISA {

namespace detail {
// The sizes of x and y divided: the whole quotient modulo 2^64, and what is left, exactly. Finite, and y is not 0.
template <Real T> struct divided {
  std::uint64_t quotient = 0;
  T left{};
};
// Mantissas are divided as integers, as many bits at a time as 64 have room for.
template <Real T>
SINTER_HD constexpr divided<T> divide(T x, T y) {
  if (abs(x) < abs(y)) return {0, abs(x)};
  constexpr int fraction = sizeof(T) == 4 ? 23 : 52, spare = 63 - fraction;
  constexpr std::uint64_t one = std::uint64_t(1) << fraction;
  std::uint64_t const a = to_bits(x) & ~sign_bit<T>, b = to_bits(y) & ~sign_bit<T>;
  // Subnormal numbers have the exponent 1, and no leading bit.
  int const ea = static_cast<int>(a >> fraction), eb = static_cast<int>(b >> fraction), least = eb > 0 ? eb : 1;
  std::uint64_t left = (a & (one - 1)) | (ea > 0 ? one : 0), quotient = 0;
  std::uint64_t const divisor = (b & (one - 1)) | (eb > 0 ? one : 0);
  for (int n = (ea > 0 ? ea : 1) - least; n > 0;) {
    int const step = n < spare ? n : spare;
    quotient = (quotient + left / divisor) << step;
    left = (left % divisor) << step;
    n -= step;
  }
  quotient += left / divisor;
  left %= divisor;
  if (left == 0) return {quotient, T(0)};
  int exponent = least;
  for (; left < one && exponent > 1; --exponent) left <<= 1;
  std::uint64_t const bits = left < one ? left : (left - one) | static_cast<std::uint64_t>(exponent) << fraction;
  return {quotient, from_bits<T>(static_cast<bits_of<T>>(bits))};
}
}  // namespace detail

// The exact remainder of x / y with the sign of x; C's fmod.
template <Real T>
SINTER_HD constexpr T fmod(T x, T y) {
  if (isnan(x)) return x;
  if (isnan(y)) return y;
  if (isinf(x) || y == 0) return nan<T>;
  if (isinf(y)) return x;
  return copysign(detail::divide(x, y).left, x);
}

template <Real T>
SINTER_HD constexpr T mod(T x, T y) {
  T const left = fmod(x, y);
  if (isnan(left) || y == 0) return left;
  if (left == 0) return copysign(T(0), y);
  return (y < 0) != (left < 0) ? left + y : left;
}
// The whole number below the exact quotient, rounded once where T does not have it; from 2^62 on the quotient.
template <Real T>
SINTER_HD constexpr T floor_divide(T x, T y) {
  if (isnan(x)) return x;
  if (isnan(y)) return y;
  if (y == 0) return x == 0 ? nan<T> : copysign(infinity<T>, signbit(x) == signbit(y) ? T(1) : T(-1));
  if (isinf(x)) return nan<T>;
  if (isinf(y)) return x != 0 && (x < 0) != (y < 0) ? T(-1) : copysign(T(0), signbit(x) == signbit(y) ? T(1) : T(-1));
  T const rounded = x / y;
  if (abs(rounded) >= T(0x1p62)) return rounded;
  auto const [quotient, left] = detail::divide(x, y);
  bool const negative = signbit(x) != signbit(y);
  T const whole = static_cast<T>(static_cast<std::int64_t>(quotient) + (negative && left != 0 ? 1 : 0));
  return negative ? -whole : whole;
}

// Of integers: 0 where y is 0.
template <class T>
  requires(std::is_integral_v<T>)
SINTER_HD constexpr T mod(T x, T y) {
  if (y == 0 || y == -1) return 0;
  T const left = x % y;
  return left != 0 && (y < 0) != (left < 0) ? left + y : left;
}
template <class T>
  requires(std::is_integral_v<T>)
SINTER_HD constexpr T floor_divide(T x, T y) {
  if (y == 0) return 0;
  if (y == -1) return x == lowest<T> ? x : -x;
  return x / y - (x % y != 0 && (x < 0) != (y < 0) ? 1 : 0);
}

}  // namespace sinter::math::inline SINTER_ISA
