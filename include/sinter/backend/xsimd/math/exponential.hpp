// SPDX-License-Identifier: Apache-2.0
// exp, expm1, sigmoid and tanh of vectors, without branches.
#pragma once

#include "common.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {

// e^x: 1.1 ulp. Subnormal results are rounded once; infinite only beyond the largest finite number.
SINTER_INLINE vec<float> exp(vec<float> const& x) {
  auto const r = detail::reduce_exp(detail::at_most(detail::at_least(x, -105.0f), 89.0f));
  return detail::scale(detail::exp_mantissa(r), r.n, r.shifted);
}
SINTER_INLINE vec<double> exp(vec<double> const& x) {
  auto const r = detail::reduce_exp(detail::at_most(detail::at_least(x, -746.0), 710.0));
  return detail::scale(detail::exp_mantissa(r), r.n, r.shifted);
}

namespace detail {

// e^-|x|
template <Real T>
SINTER_INLINE vec<T> exp_minus_abs(vec<T> const& x) {
  auto const r = reduce_exp(at_least(minus_abs(x), sizeof(T) == 4 ? T(-105) : T(-746)));
  return scale(exp_mantissa(r), r.n, r.shifted);
}

template <Real T>
struct twofold {
  vec<T> high, low;
};

// (e^x - 1) / 2 for -64 <= x <= 89 (float) or 710 (double), and what its rounding lost: halved, so that 2^n stays finite.
template <Real T>
SINTER_INLINE twofold<T> half_expm1(vec<T> const& x) {
  auto const r = reduce_exp(x);
  auto const power = power_of_two(r.shifted - splat(T(1))), base = power - splat(T(0.5)), high = power * r.high;
  auto const sum = base + high, back = sum - base, lost = (base - (sum - back)) + (high - back);
  auto const rest = fma(power, exp_rest(r), lost + ((power - base) - splat(T(0.5)))), all = sum + rest;
  return {all, rest - (all - sum)};
}

}  // namespace detail

// e^x - 1: 1.1 ulp.
template <Real T>
SINTER_INLINE vec<T> expm1(vec<T> const& x) {
  constexpr T top = sizeof(T) == 4 ? T(89) : T(710), least = sizeof(T) == 4 ? T(0x1p-26) : T(0x1p-55);
  auto const half = detail::half_expm1(detail::at_most(detail::at_least(x, T(-40)), top)).high;
  return select(abs(x) < splat(least), x, half + half);
}

// 1 / (1 + e^-x), whose small values keep all their digits: 2 ulp.
template <Real T>
SINTER_INLINE vec<T> sigmoid(vec<T> const& x) {
  auto const one = splat(T(1)), z = detail::exp_minus_abs(x), d = one + z, q = select(x < splat(T(0)), z, one) / d;
    // What 1 + z lost, over d: a line is near enough to -1 / d.
  auto const lost = z - (d - one), inverse = fma(d, splat(T(0.5)), splat(T(-1.457)));
  return fma(q * lost, inverse, q);
}

// 2 ulp: to 0.625 an odd polynomial, then 1 - 2 / (e^(2 |x|) + 1).
SINTER_INLINE vec<float> tanh(vec<float> const& x) {
  auto const size = abs(x), square = x * x, one = splat(1.0f);
    // (tanh(x) - x) / x^3, minimax: 2^-27 of tanh.
  auto const tail = horner(square, -0x1.750ccep-8f, 0x1.51f8ccp-6f, -0x1.b835a4p-5f, 0x1.1106f6p-3f, -0x1.555532p-2f);
  auto const near = fma(size * square, tail, size);
    // e^(2 x) = 2^n e^(2 r), its polynomial written for r. The product with log(2) / 2 is fused or, in two parts, exact.
  auto const bounded = detail::at_most(size, 10.0f), rounder = splat(detail::rounder<float>);
  auto const shifted = fma(bounded, splat(0x1.715476p+1f), rounder), n = shifted - rounder;
  vec<float> r;
  if constexpr (native::fused) r = fma(n, splat(-0x1.62e430p-2f), bounded);
  else r = fma(n, splat(0x1.bd0106p-14f), fma(n, splat(-0x1.63p-2f), bounded));
  auto const mantissa = horner(r, 0x1.6ac784p-4f, 0x1.123de4p-2f, 0x1.555858p-1f, 0x1.55548cp+0f, 0x1.fffffcp+0f, 2.0f, 1.0f);
  auto const far = one - splat(2.0f) / (detail::scale_normal(mantissa, shifted) + one);
    // NaN takes the polynomial, which keeps it.
  return copysign(select(size >= splat(0.625f), far, near), x);
}
// 1.5 ulp: -t / (2 + t) with t = e^(-2 |x|) - 1 and what its rounding lost.
SINTER_INLINE vec<double> tanh(vec<double> const& x) {
  auto const size = abs(x), bounded = detail::at_most(size, 20.0), one = splat(1.0);
  auto const t = detail::half_expm1(-(bounded + bounded));
  auto const d = one + t.high, lost = (t.high - (d - one)) + t.low, q = -t.high / d;
  auto const far = q - fma(q, lost, t.low) / d;
  return copysign(select(size >= splat(0x1p-28), far, size), x);
}

}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
