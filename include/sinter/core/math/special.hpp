// SPDX-License-Identifier: Apache-2.0
// erf and pow, with the same bits in constant expressions and at run time.
#pragma once

#include "exponential.hpp"

namespace sinter::math::inline SINTER_ISA {

namespace detail {

SINTER_HD constexpr twofold exact_sum(double a, double b) {
  double const s = a + b, back = s - a;
  return {s, (a - (s - back)) + (b - back)};
}

// The product as a sum; without fma, by halves of 26 and 27 bits.
SINTER_HD constexpr twofold exact_product(double a, double b) {
  constexpr std::uint64_t upper = ~std::uint64_t(0x7ffffff);
  double const a1 = from_bits<double>(to_bits(a) & upper), a2 = a - a1;
  double const b1 = from_bits<double>(to_bits(b) & upper), b2 = b - b1;
  double const p = mul(a, b);
  return {p, ((mul(a1, b1) - p) + mul(a1, b2) + mul(a2, b1)) + mul(a2, b2)};
}

// log(x) to about 2^-65 relative, for positive finite x.
SINTER_HD constexpr twofold precise_log(double x) {
  auto const [exponent, m] = split(x);
  double const f = m - 1, d = 2 + f, d_low = f - (d - 2), s = f / d, k = exponent;
  auto const sd = exact_product(s, d);
  double const s_low = (((f - sd.high) - sd.low) - mul(s, d_low)) / d;
  auto const z = exact_product(s, s);
  double const z_low = z.low + 2 * mul(s, s_low);
  auto const cube = exact_product(s, z.high);
  double const cube_low = cube.low + (mul(s, z_low) + mul(s_low, z.high));
    // Two thirds, to twice the precision.
  auto const second = exact_product(cube.high, 0x1.5555555555555p-1);
  double const second_low = second.low + (mul(cube.high, 0x1.5555555555555p-55) + mul(cube_low, 0x1.5555555555555p-1));
  double const fifth = mul(cube.high, z.high) + (mul(cube.high, z_low) + mul(cube_low, z.high));
  double const third = mul(fifth, log_second_tail(z.high));
  auto const a = exact_sum(mul(k, ln2_high), 2 * s), b = exact_sum(a.high, second.high);
  double const low = (a.low + b.low) + (third + (mul(k, ln2_low) + (2 * s_low + second_low)));
  double const high = b.high + low;
  return {high, (b.high - high) + low};
}

SINTER_HD constexpr bool is_odd(double y) { return abs(y) < 0x1p+53 && trunc(y) == y && trunc(0.5 * y) != 0.5 * y; }

// |x|^y for finite x other than 0 and 1 and finite y.
SINTER_HD constexpr double pow_size(double x, double y) {
  auto const l = precise_log(x);
  if (abs(y) > 0x1p+64) return (l.high > 0) == (y > 0) ? infinity<double> : 0;
  if (abs(y) < 0x1p-70) return 1;
  auto w = exact_product(y, l.high);
  if (w.high > 710) return infinity<double>;
  if (w.high < -746) return 0;
  w.low += mul(y, l.low);
  return exp_of(reduce_exp(w.high, w.low));
}

}  // namespace detail

// x^y with the special cases of C99: 1 ulp in double.
SINTER_HD constexpr double pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (isnan(x)) return x;
  if (isnan(y)) return y;
  double const size = abs(x);
  bool const negative = signbit(x) && detail::is_odd(y);
  if (isinf(y)) return size == 1 ? 1 : (size > 1) == (y > 0) ? infinity<double> : 0;
  double result = 1;
  if (x == 0 || isinf(x)) result = (x == 0) == (y < 0) ? infinity<double> : 0;
  else if (x < 0 && trunc(y) != y) return nan<double>;
  else if (size != 1) result = detail::pow_size(size, y);
  return negative ? -result : result;
}

// 1.5 ulp in double. Beyond 1: 1 - e^(-x^2) times a polynomial in (x - 2) / (x + 2).
SINTER_HD constexpr double erf(double x) {
  if (isnan(x)) return x;
  double const size = abs(x);
  if (size >= 6) return copysign(1.0, x);
  if (size < 1) return x + mul(x, detail::erf_near_zero(mul(x, x)));
  double const t = (size - 2) / (size + 2);
  return copysign(1 - mul(exp(-mul(size, size)), detail::erfc_scaled(t)), x);
}

SINTER_MATH_SINGLE(erf)
#undef SINTER_MATH_SINGLE

// x Phi(x). Where it is near zero, it is as accurate as 1 + erf.
template <class T>
  requires(std::is_floating_point_v<T>)
SINTER_HD constexpr T gelu(T x) {
  return mul(mul(x, T(0.5)), 1 + erf(mul(x, T(0.70710678118654752440))));
}
// The same with tanh(sqrt(2 / pi) (x + 0.044715 x^3)).
template <class T>
  requires(std::is_floating_point_v<T>)
SINTER_HD constexpr T gelu_tanh(T x) {
  T const inner = mul(T(0.79788456080286535588), x + mul(T(0.044715), mul(mul(x, x), x)));
  return mul(mul(x, T(0.5)), 1 + tanh(inner));
}

SINTER_HD constexpr float pow(float x, float y) {
  if (y == 0 || x == 1) return 1;
  if (isnan(x)) return x;
  if (isnan(y)) return y;
  return detail::to_float(pow(static_cast<double>(x), static_cast<double>(y)));
}

}  // namespace sinter::math::inline SINTER_ISA
