// SPDX-License-Identifier: Apache-2.0
// One number from all lanes, always folded in the same order: lane i with lane i + half, half by half. Part of ../batch.hpp.
#pragma once

#include "../batch.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {

namespace detail {

template <class T, int N, class F>
SINTER_INLINE T fold(native::raw<T, N> v, F f) {
  // In vectors to the end: numbers one by one would be compared with branches, which half of the rows mispredict.
  if constexpr (N * sizeof(T) == 16) {
    return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      for (int w = N / 2; w > 0; w /= 2)
        v = w == 2 ? f(v, __builtin_shufflevector(v, v, ((I + 2) % N)...)) : f(v, __builtin_shufflevector(v, v, ((I + 1) % N)...));
      return v[0];
    }(std::make_integer_sequence<int, N>{});
  } else {
    return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      native::raw<T, N / 2> const lo = __builtin_shufflevector(v, v, I...), hi = __builtin_shufflevector(v, v, (I + N / 2)...);
      return fold<T, N / 2>(f(lo, hi), f);
    }(std::make_integer_sequence<int, N / 2>{});
  }
}

template <class T, class F>
SINTER_INLINE T fold(vec<T> const& v, F f) {
  if constexpr (vec<T>::parts == 1) return fold<T, lanes>(native::to_raw(v.lo), f);
  else return fold<T, lanes / 2>(f(native::to_raw(v.lo), native::to_raw(v.hi)), f);
}

}  // namespace detail

template <Number T>
SINTER_INLINE T reduce_add(vec<T> const& v) {
  if constexpr (Real<T>) return detail::fold(v, SINTER_SIMD_EACH((auto a, auto b), a + b));
  else {
    using unsigned_t = std::make_unsigned_t<T>;
    std::int64_t sum = 0;
    T memory[static_cast<std::size_t>(lanes)];
    store(memory, v);
    for (T m : memory) sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(m));
    return static_cast<T>(static_cast<unsigned_t>(sum));
  }
}
// A NaN in any lane comes out.
template <Number T>
SINTER_INLINE T reduce_max(vec<T> const& v) {
  return detail::fold(v, SINTER_SIMD_EACH((auto a, auto b), ((a >= b) | (a != a)) ? a : b));
}
template <Number T>
SINTER_INLINE T reduce_min(vec<T> const& v) {
  return detail::fold(v, SINTER_SIMD_EACH((auto a, auto b), ((a <= b) | (a != a)) ? a : b));
}

#undef SINTER_SIMD_EACH

}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
