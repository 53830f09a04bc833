// SPDX-License-Identifier: Apache-2.0
// Plain numbers beside vectors, which C++ would compute in another precision beside a single element. Part of ../batch.hpp.
#pragma once

#include "../batch.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {

template <class N>
concept PlainNumber = std::is_arithmetic_v<N>;

#define SINTER_SIMD_NUMBER(op, result)                                                                         \
  template <Element T, PlainNumber N>                                                                          \
  SINTER_UNAVAILABLE("in an element function a number of the elements' type is written element::number<V>(2)") \
  result operator op(vec<T> const&, N) {                                                                       \
    return {};                                                                                                 \
  }                                                                                                            \
  template <Element T, PlainNumber N>                                                                          \
  SINTER_UNAVAILABLE("in an element function a number of the elements' type is written element::number<V>(2)") \
  result operator op(N, vec<T> const&) {                                                                       \
    return {};                                                                                                 \
  }
SINTER_SIMD_NUMBER(+, vec<T>)
SINTER_SIMD_NUMBER(-, vec<T>)
SINTER_SIMD_NUMBER(*, vec<T>)
SINTER_SIMD_NUMBER(/, vec<T>)
SINTER_SIMD_NUMBER(==, vec<bool>)
SINTER_SIMD_NUMBER(!=, vec<bool>)
SINTER_SIMD_NUMBER(<, vec<bool>)
SINTER_SIMD_NUMBER(<=, vec<bool>)
SINTER_SIMD_NUMBER(>, vec<bool>)
SINTER_SIMD_NUMBER(>=, vec<bool>)
#undef SINTER_SIMD_NUMBER

}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
