// SPDX-License-Identifier: Apache-2.0
// exp, expm1, sigmoid, tanh and GELU's tanh form of vectors, without branches.
#pragma once

#include "common.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {

// e^x: 1.1 ulp. Subnormal results are rounded once; infinite only beyond the largest finite number.
template <Floats V>
SINTER_INLINE V exp(V const& x) {
  auto const r = detail::reduce_exp(detail::at_most(detail::at_least(x, -105.0f), 89.0f));
  return detail::scale(detail::exp_mantissa(r), r.n, r.shifted);
}
SINTER_INLINE vec<double> exp(vec<double> const& x) {
  auto const r = detail::reduce_exp(detail::at_most(detail::at_least(x, -746.0), 710.0));
  return detail::scale(detail::exp_mantissa(r), r.n, r.shifted);
}

namespace detail {

// e^-|x|
template <class V>
SINTER_INLINE V exp_minus_abs(V const& x) {
  auto const r = reduce_exp(at_least(minus_abs(x), typename V::element(sizeof(typename V::element) == 4 ? -105 : -746)));
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

namespace detail {

// 2^k / (2^k + 1 + r s) from k + rounder and 1.5 s, for -152 <= k <= 44: its small values keep all their digits. 1.5 times everything,
// because nearly 2^-24 would be lost beside 1.
template <Floats V>
SINTER_INLINE V logistic(V const& shifted, V const& r, V const& s) {
    // 2^64 too large until the end, so that it is a normal number.
  V const power = scale_normal(splat<V>(0x1.8p+64f), shifted);
  return quotient(power, fma(r, s, fma(power, splat<V>(0x1p-64f), splat<V>(1.5f)))) * splat<V>(0x1p-64f);
}

}  // namespace detail

// 1 / (1 + e^-x): 2 ulp.
template <Floats V>
SINTER_INLINE V sigmoid(V const& x) {
  auto const r = detail::reduce_exp(detail::at_most(detail::at_least(x, -105.0f), 30.0f));
  return detail::logistic(r.shifted, r.high, math::single::logistic_tail(r.high));
}
SINTER_INLINE vec<double> sigmoid(vec<double> const& x) {
  auto const one = splat(1.0), z = detail::exp_minus_abs(x), d = one + z, q = select(x < splat(0.0), z, one) / d;
    // What 1 + z lost, over d: a line is near enough to -1 / d.
  auto const lost = z - (d - one), inverse = fma(d, splat(0.5), splat(-1.457));
  return fma(q * lost, inverse, q);
}

// 2 ulp: t / (1 + t) with t = (e^(2 |x|) - 1) / 2.
template <Floats V>
SINTER_INLINE V tanh(V const& x) {
    // e^(2 x) = 2^n e^(2 r). The product with log(2) / 2 is fused or, in two parts, exact.
  V const size = detail::at_most(abs(x), 10.0f);
  V const shifted = fma(size, splat<V>(0x1.715476p+1f), splat<V>(detail::rounder<float>));
  V const n = shifted - splat<V>(detail::rounder<float>);
  V r;
  if constexpr (native::fused) r = fma(n, splat<V>(-0x1.62e430p-2f), size);
  else r = fma(n, splat<V>(0x1.bd0106p-14f), fma(n, splat<V>(-0x1.63p-2f), size));
    // (e^(2 r) - 1) / 2
  V const part = fma(r * r, math::single::double_exp_tail(r), r);
  V const power = detail::power_of_two(shifted), t = fma(power, part, fma(power, splat<V>(0.5f), splat<V>(-0.5f)));
    // m - m^2 / (1 + t) with m = min(t, 1) is t / (1 + t), less what 1 + t and the quotient round.
  V const m = detail::at_most(t, 1.0f);
  return detail::with_sign(fnma(m, detail::quotient(m, t + splat<V>(1.0f)), m), x);
}
// 1.5 ulp: -t / (2 + t) with t = e^(-2 |x|) - 1 and what its rounding lost.
SINTER_INLINE vec<double> tanh(vec<double> const& x) {
  auto const size = abs(x), bounded = detail::at_most(size, 20.0), one = splat(1.0);
  auto const t = detail::half_expm1(-(bounded + bounded));
  auto const d = one + t.high, lost = (t.high - (d - one)) + t.low, q = -t.high / d;
  auto const far = q - fma(q, lost, t.low) / d;
  return copysign(select(size >= splat(0x1p-28), far, size), x);
}

// x / (1 + e^(-2 u)) with u = sqrt(2 / pi) (x + 0.044715 x^3), which is x / 2 (1 + tanh(u)).
template <Floats V>
SINTER_INLINE V gelu_tanh(V const& x) {
    // 2 u / log(2)
  V const v = x * fma(x * x, splat<V>(0x1.a5a7d0p-4f), splat<V>(0x1.26aec2p+1f));
  V const bounded = detail::at_most(detail::at_least(v, -152.0f), 40.0f);
  V const shifted = bounded + splat<V>(detail::rounder<float>);
  V const r = bounded - (shifted - splat<V>(detail::rounder<float>));
    // 1.5 (2^-r - 1) / r for |r| <= 1/2: 2^-23.
  V const s = horner(r, -0x1.04e3c2p-9f, 0x1.db5d04p-7f, -0x1.550922p-4f, 0x1.70fb52p-2f, -0x1.0a2b2p+0f);
  return x * detail::logistic(shifted, r, s);
}
SINTER_INLINE vec<double> gelu_tanh(vec<double> const& x) {
  auto const inner = splat(0.79788456080286535588) * (x + splat(0.044715) * ((x * x) * x));
  return (x * splat(0.5)) * (splat(1.0) + tanh(inner));
}

}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
