// SPDX-License-Identifier: Apache-2.0
// erfinv, gamma and gammaln of vectors. Those of floats are computed in double and rounded once.
#pragma once

#include "../../../core/math/gamma.hpp"
#include "trigonometric.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {

// 4 ulp.
SINTER_INLINE vec<double> erfinv(vec<double> const& x) {
  return select(abs(x) == splat(1.0), copysign(splat(math::infinity<double>), x), math::detail::erfinv_of(x));
}

namespace detail {
struct gamma_of_number {
  static double one(double x) { return math::gamma(x); }
};
struct gammaln_of_number {
  static double one(double x) { return math::gammaln(x); }
};
}  // namespace detail

// One element after the other: which steps it takes depends on the number.
SINTER_INLINE vec<double> gamma(vec<double> const& x) { return each<detail::gamma_of_number>(x); }
SINTER_INLINE vec<double> gammaln(vec<double> const& x) { return each<detail::gammaln_of_number>(x); }

SINTER_INLINE vec<float> erfinv(vec<float> const& x) { return cast<float>(erfinv(cast<double>(x))); }
SINTER_INLINE vec<float> gamma(vec<float> const& x) { return cast<float>(gamma(cast<double>(x))); }
SINTER_INLINE vec<float> gammaln(vec<float> const& x) { return cast<float>(gammaln(cast<double>(x))); }

}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
