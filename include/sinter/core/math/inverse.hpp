// SPDX-License-Identifier: Apache-2.0
// Inverse and hyperbolic functions. Each is written once, without branches, for a double and for a vector of them; what follows handles the
// special values of numbers, because a constant expression may not compute with them.
#pragma once

#include "trigonometric.hpp"

namespace sinter::math::inline SINTER_ISA {

namespace detail {

SINTER_HD constexpr double select(bool m, double a, double b) { return m ? a : b; }

// (asin(s) - s) / s^3 in z = s^2, 0 <= z <= 1/4: 2^-57 of asin.
template <class V>
SINTER_HD SINTER_INLINE constexpr V arcsin_tail(V const& z) {
  return horner(z, 0x1.d72b2bc8155f8p-6, -0x1.e6aaa8a0a04ccp-7, 0x1.1d189408314eep-6, 0x1.65a9c4dfcf8b2p-8, 0x1.52420b04b37bep-7,
                0x1.782651caa6547p-7, 0x1.c9cf07674736ap-7, 0x1.1c4d35cf95421p-6, 0x1.6e8bb1c8209a2p-6, 0x1.f1c71c1db0623p-6,
                0x1.6db6db6e31f13p-5, 0x1.3333333332ecap-4, 0x1.5555555555556p-3);
}
// (atan(t) - t) / t^3 in z = t^2, |t| <= tan(pi / 8): 2^-56 of atan.
template <class V>
SINTER_HD SINTER_INLINE constexpr V arctan_tail(V const& z) {
  return horner(z, -0x1.3a2b7a07caea9p-6, 0x1.41603647c7a7cp-5, -0x1.a098bb6ba4941p-5, 0x1.dfe61e80903d2p-5, -0x1.10fa75382537fp-4,
                0x1.3b1262d95579ep-4, -0x1.745d0b26b83e7p-4, 0x1.c71c7185314cbp-4, -0x1.24924924360cbp-3, 0x1.999999999934ap-3,
                -0x1.5555555555555p-2);
}

// A number, and what is to be added last.
template <class V>
struct in_two {
  V much, rest;
};
// asin(|x|), or beyond 1/2 asin(sqrt((1 - |x|) / 2)), which is half of what is missing to pi / 2.
template <class V, class M>
SINTER_HD SINTER_INLINE constexpr in_two<V> arcsin_near(V const& size, M const& large) {
  V const z = select(large, mul(V(0.5), V(1) - size), mul(size, size)), s = select(large, sqrt(z), size);
  return {s, mul(mul(s, z), arcsin_tail(z))};
}
template <class V>
SINTER_HD SINTER_INLINE constexpr V arcsin_of(V const& x) {
  V const size = abs(x);
  auto const large = size > V(0.5);
  auto const [s, rest] = arcsin_near(size, large);
  V const far = (V(half_pi) - (s + s)) - ((rest + rest) - V(half_pi_low));
  return copysign(select(large, far, s + rest), x);
}
template <class V>
SINTER_HD SINTER_INLINE constexpr V arccos_of(V const& x) {
  V const size = abs(x);
  auto const large = size > V(0.5);
  auto const [s, rest] = arcsin_near(size, large);
  V const twice = s + s, more = rest + rest;
  V const far = select(x > V(0), twice + more, (V(2 * half_pi) - twice) - (more - V(2 * half_pi_low)));
  return select(large, far, V(half_pi) - (copysign(s + rest, x) - V(half_pi_low)));
}
// Beyond tan(3 pi / 8) of -1 / x, beyond tan(pi / 8) of (x - 1) / (x + 1): pi / 2 or pi / 4 less.
template <class V>
SINTER_HD SINTER_INLINE constexpr V arctan_of(V const& x) {
  V const size = abs(x), zero(0), one(1);
  auto const far = size > V(0x1.3504f333f9de6p+1), middle = size > V(0x1.a827999fcef32p-2);
  V const t = select(far, -one, select(middle, size - one, size)) / select(far, size, select(middle, size + one, one));
  V const z = mul(t, t), from = select(far, V(half_pi), select(middle, V(0.5 * half_pi), zero));
  V const low = select(far, V(half_pi_low), select(middle, V(0.5 * half_pi_low), zero));
  return copysign(from + (t + (mul(mul(t, z), arctan_tail(z)) + low)), x);
}

// With e^x - 1 and e^x; beyond 700 those of x / 2, squared.
template <class V>
SINTER_HD SINTER_INLINE constexpr V sinh_of(V const& x) {
  V const size = abs(x), half(0.5);
  auto const large = size > V(700);
  V const t = expm1(select(large, mul(half, size), size)), less = select(large, V(0), t);
  return copysign(select(large, mul(mul(half, t), t), mul(half, less + less / (less + V(1)))), x);
}
template <class V>
SINTER_HD SINTER_INLINE constexpr V cosh_of(V const& x) {
  V const size = abs(x), half(0.5);
  auto const large = size > V(700);
  V const e = exp(select(large, mul(half, size), size)), scaled = mul(half, e);
  return select(large, mul(scaled, e), scaled + half / e);
}
// log(|x| + sqrt(x^2 + 1)); beyond 2^500, where squares overflow, log(2 |x|).
template <class V>
SINTER_HD SINTER_INLINE constexpr V arcsinh_of(V const& x) {
  V const size = abs(x), zero(0), one(1);
  auto const large = size > V(0x1p+500);
  V const y = select(large, zero, size), square = mul(y, y), more = square / (one + sqrt(one + square));
  return copysign(log1p(select(large, size, y + more)) + select(large, V(0x1.62e42fefa39efp-1), zero), x);
}
// log(x + sqrt(x^2 - 1)) from 1 on, likewise.
template <class V>
SINTER_HD SINTER_INLINE constexpr V arccosh_of(V const& x) {
  V const zero(0), t = x - V(1);
  auto const large = x > V(0x1p+500);
  V const y = select(large, zero, t), more = sqrt(mul(y, y) + (y + y));
  return log1p(select(large, x, y + more)) + select(large, V(0x1.62e42fefa39efp-1), zero);
}
// log((1 + x) / (1 - x)) / 2
template <class V>
SINTER_HD SINTER_INLINE constexpr V arctanh_of(V const& x) {
  V const size = abs(x);
  return copysign(mul(V(0.5), log1p((size + size) / (V(1) - size))), x);
}
// Scaled, so that no square overflows or loses digits.
template <class V>
SINTER_HD SINTER_INLINE constexpr V hypot_of(V const& x, V const& y) {
  V const a = abs(x), b = abs(y);
  auto const first = a > b;
  V const large = select(first, a, b), one(1);
  auto const huge = large > V(0x1p+500), tiny = large < V(0x1p-500);
  V const down = select(huge, V(0x1p-600), select(tiny, V(0x1p+600), one)), up = select(huge, V(0x1p+600), select(tiny, V(0x1p-600), one));
  V const p = mul(large, down), q = mul(select(first, b, a), down);
  return mul(sqrt(mul(p, p) + mul(q, q)), up);
}

}  // namespace detail

// arcsin 2.1 ulp in double, arccos and arctan 1.5.
SINTER_HD constexpr double arcsin(double x) { return isnan(x) ? x : abs(x) > 1 ? nan<double> : detail::arcsin_of(x); }
SINTER_HD constexpr double arccos(double x) { return isnan(x) ? x : abs(x) > 1 ? nan<double> : detail::arccos_of(x); }
SINTER_HD constexpr double arctan(double x) { return isnan(x) ? x : isinf(x) ? copysign(detail::half_pi, x) : detail::arctan_of(x); }
// 3 ulp in double.
SINTER_HD constexpr double sinh(double x) {
  return isnan(x) || isinf(x) ? x : abs(x) > 0x1.633ce8fb9f87dp+9 ? copysign(infinity<double>, x) : detail::sinh_of(x);
}
SINTER_HD constexpr double cosh(double x) { return isnan(x) ? x : abs(x) > 0x1.633ce8fb9f87dp+9 ? infinity<double> : detail::cosh_of(x); }
SINTER_HD constexpr double arcsinh(double x) { return isnan(x) || isinf(x) ? x : detail::arcsinh_of(x); }
SINTER_HD constexpr double arccosh(double x) { return isnan(x) || x == infinity<double> ? x : x < 1 ? nan<double> : detail::arccosh_of(x); }
SINTER_HD constexpr double arctanh(double x) {
  if (isnan(x)) return x;
  return abs(x) > 1 ? nan<double> : abs(x) == 1 ? copysign(infinity<double>, x) : detail::arctanh_of(x);
}

namespace detail {

// A twofold times a constant in two parts, rounded.
SINTER_HD constexpr double product_of(twofold const& l, double c, double c_low) {
  auto const p = exact_product(l.high, c);
  return p.high + (p.low + (mul(l.high, c_low) + mul(l.low, c)));
}
SINTER_HD constexpr double log_to_base(double x, double c, double c_low) {
  if (isnan(x) || x == infinity<double>) return x;
  if (x == 0) return -infinity<double>;
  return x < 0 ? nan<double> : product_of(precise_log(x), c, c_low);
}

}  // namespace detail

// 0.51 ulp in double, so exact where the result is a whole number.
SINTER_HD constexpr double log2(double x) { return detail::log_to_base(x, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56); }
SINTER_HD constexpr double log10(double x) { return detail::log_to_base(x, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57); }
// 1 ulp in double.
SINTER_HD constexpr double cbrt(double x) {
  if (isnan(x) || isinf(x) || x == 0) return x;
  auto const l = detail::precise_log(abs(x));
  auto const third = detail::exact_product(l.high, 0x1.5555555555555p-2);
  double const low = third.low + (mul(l.high, 0x1.5555555555555p-56) + mul(l.low, 0x1.5555555555555p-2));
  return copysign(detail::exp_of(detail::reduce_exp(third.high, low)), x);
}
// sqrt(x^2 + y^2): 1.5 ulp in double. Infinite where one of them is, whatever the other is.
SINTER_HD constexpr double hypot(double x, double y) {
  if (isinf(x) || isinf(y)) return infinity<double>;
  return isnan(x) ? x : isnan(y) ? y : detail::hypot_of(x, y);
}
SINTER_HD constexpr float hypot(float x, float y) {
  if (isinf(x) || isinf(y)) return infinity<float>;
  return isnan(x) ? x : isnan(y) ? y : detail::to_float(detail::hypot_of(static_cast<double>(x), static_cast<double>(y)));
}

SINTER_MATH_FLOAT(arcsin)
SINTER_MATH_FLOAT(arccos)
SINTER_MATH_FLOAT(arctan)
SINTER_MATH_FLOAT(sinh)
SINTER_MATH_FLOAT(cosh)
SINTER_MATH_FLOAT(arcsinh)
SINTER_MATH_FLOAT(arccosh)
SINTER_MATH_FLOAT(arctanh)
SINTER_MATH_FLOAT(log2)
SINTER_MATH_FLOAT(log10)
SINTER_MATH_FLOAT(cbrt)
#undef SINTER_MATH_FLOAT

}  // namespace sinter::math::inline SINTER_ISA
