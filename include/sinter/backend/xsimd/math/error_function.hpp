// SPDX-License-Identifier: Apache-2.0
// erf and GELU of vectors, without branches.
#pragma once

#include "exponential.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {

// 1.5 ulp: to 0.92 an odd polynomial, then 1 - 2^-q(|x|).
template <Floats V>
SINTER_INLINE V erf(V const& x) {
  V const size = abs(x), square = x * x;
  V const near = fma(size, math::single::erf_tail(square), size);
  V const q = math::single::erfc_exponent(detail::at_most(size, 4.0f));
  V const shifted = splat<V>(detail::rounder<float>) - q, r = (splat<V>(detail::rounder<float>) - shifted) - q;
  V const far = splat<V>(1.0f) - detail::scale_normal(math::single::power_of_two(r), shifted);
    // NaN takes the polynomial, which keeps it.
  return copysign(select(size >= splat<V>(0.92f), far, near), x);
}

// 1.5 ulp: to 1 an odd polynomial, then 1 - e^(-x^2) times a polynomial in (|x| - 2) / (|x| + 2).
SINTER_INLINE vec<double> erf(vec<double> const& x) {
  namespace m = math::detail;
  auto const size = abs(x), square = x * x;
  auto const near = fma(size, m::erf_near_zero(square), size);
  auto const bounded = detail::at_most(size, 6.0), t = (bounded - splat(2.0)) / (bounded + splat(2.0));
  auto const r = detail::reduce_exp(-(bounded * bounded));
  auto const power = detail::scale_normal(detail::exp_mantissa(r), r.shifted);
  auto const far = splat(1.0) - power * m::erfc_scaled(t);
  return copysign(select(size >= splat(1.0), far, near), x);
}

// x Phi(x) = x / 2 + |x| (1/2 - Phi(-|x|)), as near as x / 2 (1 + erf(x / sqrt(2))) comes, where Phi(-|x|) is a power of two.
template <Floats V>
SINTER_INLINE V gelu(V const& x) {
    // log2(Phi(y)) for -5.6 <= y <= 0: 2^-24 of Phi. From there on 1/2 - Phi is 1/2.
  V const less = detail::minus_abs(x), y = detail::at_least(less, -5.6f);
  V const power = horner(y, -0x1.28d5ecp-17f, -0x1.e2fad4p-15f, 0x1.ab3792p-12f, 0x1.e29970p-8f, 0x1.af7328p-5f, -0x1.d62f1ep-2f,
                         0x1.26af12p+0f, -1.0f);
  V const shifted = power + splat<V>(detail::rounder<float>);
  V const r = power - (shifted - splat<V>(detail::rounder<float>));
    // 2^r for |r| <= 1/2: 2^-23.
  V const mantissa = horner(r, 0x1.5bda58p-10f, 0x1.3ce8aep-7f, 0x1.c6b6d8p-5f, 0x1.ebf9c2p-3f, 0x1.62e42ap-1f, 1.0f);
    // In this order, so that zeros keep their sign; where x is far below 0 the two terms cancel, and the sign is x's all the same.
  return detail::with_sign(fma(less, detail::scale_normal(mantissa, shifted) - splat<V>(0.5f), x * splat<V>(0.5f)), x);
}
SINTER_INLINE vec<double> gelu(vec<double> const& x) { return (x * splat(0.5)) * (splat(1.0) + erf(x * splat(0.70710678118654752440))); }

}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
