// SPDX-License-Identifier: Apache-2.0
// A function of numbers, one element after the other: for what has no vector form. Part of ../batch.hpp.
#pragma once

#include "../batch.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {

// Lane i is F::one of the lanes i.
template <class F, Number T>
SINTER_INLINE vec<T> each(vec<T> const& a) {
  T memory[static_cast<std::size_t>(lanes)];
  store(memory, a);
  for (T& x : memory) x = F::one(x);
  return load(memory);
}
template <class F, Number T>
SINTER_INLINE vec<T> each(vec<T> const& a, vec<T> const& b) {
  T first[static_cast<std::size_t>(lanes)], second[static_cast<std::size_t>(lanes)];
  store(first, a);
  store(second, b);
  for (int i = 0; i < lanes; ++i) first[i] = F::one(first[i], second[i]);
  return load(first);
}

}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
