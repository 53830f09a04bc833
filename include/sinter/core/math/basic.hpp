// SPDX-License-Identifier: Apache-2.0
// Bits, rounding to integers and square roots in constant expressions, and products that no compiler contracts.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "../config.hpp"

namespace sinter::math::inline SINTER_ISA {

template <class T>
concept Real = std::is_same_v<T, float> || std::is_same_v<T, double>;

// Scalars, not calls of std::numeric_limits: those are host functions to nvcc.
template <Real T>
inline constexpr T infinity = std::numeric_limits<T>::infinity();
template <Real T>
inline constexpr T nan = std::numeric_limits<T>::quiet_NaN();
template <class T>
inline constexpr T lowest = std::numeric_limits<T>::lowest();
template <class T>
inline constexpr T greatest = std::numeric_limits<T>::max();

namespace detail {

template <Real T>
using bits_of = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
template <Real T>
inline constexpr bits_of<T> sign_bit = bits_of<T>(1) << (8 * sizeof(T) - 1);

// From here on every number is an integer.
template <Real T>
inline constexpr T no_fraction = T(1) / std::numeric_limits<T>::epsilon();

template <Real T>
SINTER_HD constexpr bits_of<T> to_bits(T x) {
  return __builtin_bit_cast(bits_of<T>, x);
}
template <Real T>
SINTER_HD constexpr T from_bits(bits_of<T> b) {
  return __builtin_bit_cast(T, b);
}

}  // namespace detail

// The rounded product: the compiler may not contract it with a later sum (GCC's default with FMA, and nvcc's), so that the same call has
// the same bits at run time, on a device and in a constant expression.
SINTER_HD constexpr double mul(double a, double b) {
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) return __dmul_rn(a, b);
  return a * b;
#else
  double p = a * b;
  if (!__builtin_is_constant_evaluated()) SINTER_KEEP_ROUNDED(p);
  return p;
#endif
}
SINTER_HD constexpr float mul(float a, float b) {
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) return __fmul_rn(a, b);
  return a * b;
#else
  float p = a * b;
  if (!__builtin_is_constant_evaluated()) SINTER_KEEP_ROUNDED(p);
  return p;
#endif
}

template <Real T>
SINTER_HD constexpr bool isnan(T x) {
  if (__builtin_is_constant_evaluated()) return (detail::to_bits(x) & ~detail::sign_bit<T>) > detail::to_bits(infinity<T>);
  return x != x;  // no constant to nvcc, which compares no NaN
}
template <Real T>
SINTER_HD constexpr bool isinf(T x) {
  return x == infinity<T> || x == -infinity<T>;
}
template <Real T>
SINTER_HD constexpr bool signbit(T x) {
  return (detail::to_bits(x) & detail::sign_bit<T>) != 0;
}
template <Real T>
SINTER_HD constexpr T abs(T x) {
  return detail::from_bits<T>(detail::to_bits(x) & ~detail::sign_bit<T>);
}
// The size of x with the sign of y.
template <Real T>
SINTER_HD constexpr T copysign(T x, T y) {
  return detail::from_bits<T>((detail::to_bits(x) & ~detail::sign_bit<T>) | (detail::to_bits(y) & detail::sign_bit<T>));
}

// Toward zero; exact, keeps the sign of zero.
template <Real T>
SINTER_HD constexpr T trunc(T x) {
  if (!(abs(x) < detail::no_fraction<T>)) return x;
  return copysign(static_cast<T>(static_cast<std::int64_t>(x)), x);
}
template <Real T>
SINTER_HD constexpr T floor(T x) {
  T const t = trunc(x);
  return t > x ? t - T(1) : t;
}
template <Real T>
SINTER_HD constexpr T ceil(T x) {
  T const t = trunc(x);
  return t < x ? copysign(t + T(1), x) : t;
}
// To the nearest integer, ties to even.
template <Real T>
SINTER_HD constexpr T rint(T x) {
  T const size = abs(x);
  if (!(size < detail::no_fraction<T>)) return x;
  return copysign((size + detail::no_fraction<T>)-detail::no_fraction<T>, x);
}

namespace detail {

// Overflow in a conversion is an error in a constant expression.
SINTER_HD constexpr float to_float(double x) {
  if (!(abs(x) < 0x1.ffffffp+127)) return isnan(x) ? nan<float> : x > 0 ? infinity<float> : -infinity<float>;
  return static_cast<float>(x);
}

// 2^n, -1022 <= n <= 1023.
SINTER_HD constexpr double power_of_two(int n) { return from_bits<double>(static_cast<std::uint64_t>(n + 1023) << 52); }

// y * 2^n with one rounding; 0.5 <= y < 2.
SINTER_HD constexpr double scale(double y, int n) {
  if (n >= 1024) return n > 1024 || y >= 1 ? infinity<double> : (y * 2) * 0x1p+1023;
  if (n >= -1021) return y * power_of_two(n);
  return n < -1080 ? 0.0 : (y * power_of_two(n + 128)) * 0x1p-128;
}

// c[0] x^n + ... + c[n], from the highest power down.
template <class... C>
SINTER_HD constexpr double horner(double x, double highest, C... rest) {
  ((highest = mul(highest, x) + rest), ...);
  return highest;
}

// Newton's method from a linear first guess; the exact remainder, which fits into 64 bits, then decides the last bit.
SINTER_HD constexpr double sqrt_by_integers(double x) {
  int shift = 0;
  if (x < 0x1p-1000) x *= 0x1p+106, shift = -53;
  std::uint64_t const bits = to_bits(x);
  int const exponent = static_cast<int>(bits >> 52) - 1023;
  int const odd = exponent & 1;
  double const m = from_bits<double>((bits & 0xfffffffffffffu) | static_cast<std::uint64_t>(1023 + odd) << 52);
  double y = 0.6 + 0.36 * m;
  for (int i = 0; i < 4; ++i) y = 0.5 * (y + m / y);
  auto whole = static_cast<std::uint64_t>(y * 0x1p+52);
  std::uint64_t const target = ((bits & 0xfffffffffffffu) | std::uint64_t(1) << 52) << (52 + odd);
  auto const remainder = static_cast<std::int64_t>(target - whole * whole);
  auto const step = static_cast<std::int64_t>(whole);
  if (remainder > step) ++whole;
  else if (remainder <= -step) --whole;
  return mul(static_cast<double>(whole) * 0x1p-52, power_of_two((exponent - odd) / 2 + shift));
}

}  // namespace detail

// Correctly rounded.
template <Real T>
SINTER_HD constexpr T sqrt(T x) {
  if (isnan(x) || x == 0 || x == infinity<T>) return x;
  if (x < 0) return nan<T>;
  if (!__builtin_is_constant_evaluated()) {
    if constexpr (sizeof(T) == 4) return __builtin_sqrtf(x);
    else return __builtin_sqrt(x);
  }
    // A double root rounded to float is correctly rounded: 53 >= 2 * 24 + 2.
  return static_cast<T>(detail::sqrt_by_integers(static_cast<double>(x)));
}

// 1 / sqrt(x): 0.5 ulp in float, 1.5 in double.
template <Real T>
SINTER_HD constexpr T rsqrt(T x) {
  if (isnan(x)) return x;
  if (x == 0) return copysign(infinity<T>, x);
  if (x < 0) return nan<T>;
  if (x == infinity<T>) return 0;
  return static_cast<T>(1.0 / sqrt(static_cast<double>(x)));
}

}  // namespace sinter::math::inline SINTER_ISA
