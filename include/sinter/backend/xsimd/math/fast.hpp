// SPDX-License-Identifier: Apache-2.0
// exp, sigmoid, tanh and erf of float vectors within 5 ulp, in fewer operations than those within 2; special values, signed zeros and bounds
// are the same.
#pragma once

#include "error_function.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {

namespace detail {

// 1 / d to 0.6 ulp, where both are normal numbers.
SINTER_INLINE vec<float> inverse(vec<float> const& d) {
#if SINTER_SIMD_BITS == 512
  auto const estimate = _mm512_rcp14_ps(d.lo), rest = _mm512_fnmadd_ps(d.lo, estimate, _mm512_set1_ps(1.0f));
  return {xsimd::batch<float>(_mm512_fmadd_ps(rest, estimate, estimate))};
#else
  return splat(1.0f) / d;
#endif
}
#if SINTER_SIMD_BITS == 512
// At most `bound` in size, in one operation; what is NaN is `bound`, too.
SINTER_INLINE vec<float> within(vec<float> const& x, float bound) {
  return {xsimd::batch<float>(_mm512_range_ps(x.lo, _mm512_set1_ps(bound), 2))};
}
template <class V>
SINTER_INLINE twin<V> within(twin<V> const& x, float bound) {
  return {within(x.a, bound), within(x.b, bound)};
}
#endif
template <class V>
SINTER_INLINE twin<V> inverse(twin<V> const& d) {
  return {inverse(d.a), inverse(d.b)};
}
template <Floats V>
SINTER_INLINE V clamp(V const& x, float bound) {
  return at_most(at_least(x, -bound), bound);
}

// x = sign n log(2) + r. The nearest float to log(2) is so near that n = 128 of them are 4 ulp of e^x; without fma products with it would
// be rounded, and it takes two.
template <Floats V>
SINTER_INLINE reduced<V> reduce_exp_once(V const& x, float sign) {
  V const shifted = fma(x, splat<V>(sign * 0x1.715476p+0f), splat<V>(rounder<float>)), n = shifted - splat<V>(rounder<float>);
  V r;
  if constexpr (native::fused) r = fma(n, splat<V>(sign * -0x1.62e430p-1f), x);
  else r = fma(n, splat<V>(sign * 0x1.bd0106p-13f), fma(n, splat<V>(sign * -0x1.63p-1f), x));
  return {n, shifted, r, r};
}

}  // namespace detail

// 4.92 ulp, nearly all of it from log(2), and so from large x.
template <Floats V>
SINTER_INLINE V fast_exp(V const& x) {
#if SINTER_SIMD_BITS == 512
  // Scaling takes any n, so that only r has to be bounded, and NaN remains in n.
  auto const r = detail::reduce_exp_once(x, 1);
  V const high = detail::within(r.high, 0.35f);
#else
  auto const r = detail::reduce_exp_once(detail::at_most(detail::at_least(x, -105.0f), 89.0f), 1);
  V const high = r.high;
#endif
  return detail::scale(horner(high, 0x1.109c46p-7f, 0x1.577202p-5f, 0x1.555c5p-3f, 0x1.fffd14p-2f, 0x1.ffffe2p-1f, 1.0f), r.n, r.shifted);
}

// 1 / (1 + e^-x), divided when both are 2^-64 too small, so that the quotient is a normal number.
template <Floats V>
SINTER_INLINE V fast_sigmoid(V const& x) {
  auto const r = detail::reduce_exp_once(detail::at_most(detail::at_least(x, -105.0f), 30.0f), -1);
  // e^-r
  V const mantissa = horner(r.high, -0x1.12ca92p-7f, 0x1.5716d6p-5f, -0x1.55508ap-3f, 0x1.fffe3ap-2f, -0x1.00000cp+0f, 0x1.000002p+0f);
  V const power = detail::scale_normal(splat<V>(0x1p-64f), r.shifted);
  return detail::inverse(fma(mantissa, power, splat<V>(0x1p-64f))) * splat<V>(0x1p-64f);
}

// tanh and erf: x times a quotient of polynomials in x^2, each in two halves, which wait less for one another and round less than one. Where
// x is bounded their quotient times x is 1, and nowhere more. Without fma they would be off by more than 5 ulp.
template <Floats V>
SINTER_INLINE V fast_tanh(V const& x) {
  if constexpr (!native::fused) return tanh(x);
  V const b = detail::clamp(x, 0x1.02e706p+3f), z = b * b, w = z * z;
  V const above = fma(horner(w, 0x1.5e6dccp-15f, 0x1.0c805ep-2f), z, horner(w, 0x1.e5524ep-26f, 0x1.c58326p-8f, 0x1.f43468p+0f));
  V const below = fma(horner(w, 0x1.5859c4p-11f, 0x1.d3b86ep-1f), z, horner(w, 0x1.af233cp-20f, 0x1.a0fe58p-5f, 0x1.f43468p+0f));
  return detail::quotient(above, below) * b;
}
template <Floats V>
SINTER_INLINE V fast_erf(V const& x) {
  if constexpr (!native::fused) return erf(x);
  V const b = detail::clamp(x, 0x1.d5b5dp+1f), z = b * b, w = z * z;
  V const above =
      fma(horner(w, 0x1.2daecep-19f, 0x1.ef21fap-9f, 0x1.8e9538p-3f), z, horner(w, 0x1.39edecp-12f, 0x1.bfca16p-5f, 0x1.2dd902p+0f));
  V const below =
      fma(horner(w, 0x1.57bb32p-15f, 0x1.f637fp-7f, 0x1.0aa542p-1f), z, horner(w, 0x1.36ef2ep-10f, 0x1.e179dap-4f, 0x1.0b816cp+0f));
  return detail::quotient(above, below) * b;
}

}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
