// SPDX-License-Identifier: Apache-2.0
// erf of vectors, without branches.
#pragma once

#include "exponential.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {

// 1.5 ulp: to 0.92 an odd polynomial, then 1 - 2^-q(|x|).
SINTER_INLINE vec<float> erf(vec<float> const& x) {
  auto const size = abs(x), square = x * x;
    // (erf(x) - x) / x, minimax: 2^-30 of erf.
  auto const tail =
      horner(square, 0x1.4f5624p-14f, -0x1.a606c2p-11f, 0x1.5449e4p-8f, -0x1.b80118p-6f, 0x1.ce2d64p-4f, -0x1.812740p-2f, 0x1.06eba8p-3f);
  auto const near = fma(size, tail, size);
    // -log2(erfc(x)) for x <= 4: 2^-29 of erf.
  auto const q = horner(detail::at_most(size, 4.0f), -0x1.286c20p-12f, 0x1.1fbc6ep-8f, -0x1.06b0ecp-5f, 0x1.331496p-3f, 0x1.d6a93ap-1f,
                        0x1.a07bfcp+0f, 0x1.281280p-12f);
  auto const shifted = splat(detail::rounder<float>) - q, r = (splat(detail::rounder<float>) - shifted) - q;
    // 2^r for |r| <= 1/2: 2^-28.
  auto const power = horner(r, 0x1.180a4ep-13f, 0x1.5ef5dap-10f, 0x1.3b67bcp-7f, 0x1.c6af9ep-5f, 0x1.ebfb94p-3f, 0x1.62e43p-1f, 1.0f);
  auto const far = splat(1.0f) - detail::scale_normal(power, shifted);
    // NaN takes the polynomial, which keeps it.
  return copysign(select(size >= splat(0.92f), far, near), x);
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

}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
