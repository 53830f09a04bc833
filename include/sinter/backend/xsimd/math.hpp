// SPDX-License-Identifier: Apache-2.0
// Elementary functions of vectors: branch-free, each lane as if alone, special values as in C99, one result for all flags.
//
//   simd::store(q, simd::tanh(simd::load(p)));
//
// The error bounds hold with and without fused multiply-add; bench/ulp.cpp measures them over every float.
#pragma once

#include "batch.hpp"
#include "math/error_function.hpp"
#include "math/exponential.hpp"
#include "math/fast.hpp"
#include "math/gamma.hpp"
#include "math/logarithm.hpp"
#include "math/power.hpp"
#include "math/trigonometric.hpp"

namespace sinter::simd {
inline namespace SINTER_ISA {

// 1 / sqrt(x), a root and a division: 1.5 ulp. (xsimd 8.1's is a raw estimate.)
template <Real T>
SINTER_INLINE vec<T> rsqrt(vec<T> const& x) {
  return splat(T(1)) / sqrt(x);
}

}  // namespace SINTER_ISA
}  // namespace sinter::simd
