// SPDX-License-Identifier: Apache-2.0
// Division with remainder as NumPy has it: the remainder has the sign of the divisor.
#pragma once

#include "basic.hpp"

namespace sinter::math::inline SINTER_ISA {

// What is left of x, exactly, with the sign of x; C's fmod. Mantissas are divided as integers, as many bits at a time as 64 have room for.
template <Real T>
SINTER_HD constexpr T fmod(T x, T y) {
  if (isnan(x)) return x;
  if (isnan(y)) return y;
  if (isinf(x) || y == 0) return nan<T>;
  if (abs(x) < abs(y)) return x;
  constexpr int fraction = sizeof(T) == 4 ? 23 : 52, spare = 63 - fraction;
  constexpr std::uint64_t one = std::uint64_t(1) << fraction;
  auto const size = [](T v) -> std::uint64_t { return detail::to_bits(v) & ~detail::sign_bit<T>; };
  std::uint64_t const a = size(x), b = size(y);
  // Subnormal numbers have the exponent 1, and no leading bit.
  int const ea = static_cast<int>(a >> fraction), eb = static_cast<int>(b >> fraction), least = eb > 0 ? eb : 1;
  std::uint64_t left = (a & (one - 1)) | (ea > 0 ? one : 0);
  std::uint64_t const divisor = (b & (one - 1)) | (eb > 0 ? one : 0);
  for (int n = (ea > 0 ? ea : 1) - least; n > 0 && left != 0;) {
    int const step = n < spare ? n : spare;
    left = ((left % divisor) << step);
    n -= step;
  }
  left %= divisor;
  if (left == 0) return copysign(T(0), x);
  int exponent = least;
  for (; left < one && exponent > 1; --exponent) left <<= 1;
  std::uint64_t const bits = left < one ? left : (left - one) | static_cast<std::uint64_t>(exponent) << fraction;
  return copysign(detail::from_bits<T>(static_cast<detail::bits_of<T>>(bits)), x);
}

template <Real T>
SINTER_HD constexpr T mod(T x, T y) {
  T const left = fmod(x, y);
  if (isnan(left) || y == 0) return left;
  if (left == 0) return copysign(T(0), y);
  return (y < 0) != (left < 0) ? left + y : left;
}
template <Real T>
SINTER_HD constexpr T floor_divide(T x, T y) {
  if (isnan(x)) return x;
  if (isnan(y)) return y;
  if (y == 0) return x == 0 ? nan<T> : copysign(infinity<T>, signbit(x) == signbit(y) ? T(1) : T(-1));
  if (isinf(x)) return nan<T>;
  if (isinf(y)) return x != 0 && (x < 0) != (y < 0) ? T(-1) : copysign(T(0), signbit(x) == signbit(y) ? T(1) : T(-1));
  // x - left is a multiple of y, but for what it rounds; so the quotient is next to an integer.
  T const left = fmod(x, y);
  T quotient = (x - left) / y;
  if (left != 0 && (y < 0) != (left < 0)) quotient -= T(1);
  if (quotient == 0) return copysign(T(0), signbit(x) == signbit(y) ? T(1) : T(-1));
  return rint(quotient);
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
