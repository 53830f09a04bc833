// SPDX-License-Identifier: Apache-2.0
// Several vectors in step: where each operation of a chain waits for the one before, those of the others fill the time, which the processor
// cannot do by itself when the chain is longer than it sees ahead. Part of ../batch.hpp.
#pragma once

#include "../batch.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {

template <class V>
struct twin {
  using element = typename V::element;
  V a, b;

  // One by one: GCC 12 copies the two of them through memory, in parts that no load can be forwarded from.
  twin() = default;
  SINTER_INLINE twin(V const& first, V const& second) : a(first), b(second) {}
  SINTER_INLINE twin(twin const& o) : a(o.a), b(o.b) {}
  SINTER_INLINE twin& operator=(twin const& o) {  // NOLINT(modernize-use-equals-default): as above
    a = o.a;
    b = o.b;
    return *this;
  }
};
template <class T>
using four = twin<twin<vec<T>>>;

// What an elementary function of floats takes.
template <class V>
concept Floats = std::is_same_v<V, vec<float>> || std::is_same_v<V, four<float>>;

namespace detail {

template <class V>
inline constexpr bool is_twin = false;
template <class V>
inline constexpr bool is_twin<twin<V>> = true;

template <class V>
SINTER_INLINE twin<V> both(V const& a, V const& b) {
  return {a, b};
}
// Of a twin, or of what counts for both.
template <class X>
SINTER_INLINE auto const& first_of(X const& x) {
  if constexpr (is_twin<X>) return x.a;
  else return x;
}
template <class X>
SINTER_INLINE auto const& second_of(X const& x) {
  if constexpr (is_twin<X>) return x.b;
  else return x;
}

}  // namespace detail

template <class V>
SINTER_INLINE V splat(typename V::element value) {
  if constexpr (detail::is_twin<V>) {
    auto const half = splat<decltype(V::a)>(value);
    return {half, half};
  } else {
    return splat(value);
  }
}

#define SINTER_SIMD_TWIN(name)                                     \
  template <class V, class... U>                                   \
  SINTER_INLINE auto name(twin<V> const& x, twin<U> const&... y) { \
    return detail::both(name(x.a, y.a...), name(x.b, y.b...));     \
  }
SINTER_SIMD_TWIN(operator+)
SINTER_SIMD_TWIN(operator-)
SINTER_SIMD_TWIN(operator*)
SINTER_SIMD_TWIN(operator>=)
SINTER_SIMD_TWIN(fma)
SINTER_SIMD_TWIN(fnma)
SINTER_SIMD_TWIN(select)
SINTER_SIMD_TWIN(abs)
SINTER_SIMD_TWIN(copysign)
#undef SINTER_SIMD_TWIN

}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
