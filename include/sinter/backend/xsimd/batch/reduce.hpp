// SPDX-License-Identifier: Apache-2.0
// One number from all lanes, always folded in the same order: lane i with lane i + half, half by half. Part of ../batch.hpp.
#pragma once

#include "../batch.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {

// As many vectors as each has lanes.
template <class T>
struct stack_of {
  vec<T> v[static_cast<std::size_t>(lanes)];
};

namespace detail {

template <class T, int N, class F>
SINTER_INLINE T fold(native::raw<T, N> v, F f) {
  // In vectors to the end: numbers one by one would be compared with branches, which half of the rows mispredict.
  if constexpr (N * sizeof(T) == 16) {
    return [&]<int... I>(std::integer_sequence<int, I...>) SINTER_INLINED {
      for (int w = N / 2; w > 0; w /= 2)
        v = w == 2 ? f(v, __builtin_shufflevector(v, v, ((I + 2) % N)...)) : f(v, __builtin_shufflevector(v, v, ((I + 1) % N)...));
      return v[0];
    }(std::make_integer_sequence<int, N>{});
  } else {
    return [&]<int... I>(std::integer_sequence<int, I...>) SINTER_INLINED {
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

// Lane i is what fold gives for vector i, in the same order: the halves of two vectors become one vector, the quarters of four, and so on.
template <int Group = lanes, int Count = lanes, class F>
SINTER_INLINE vec<float> fold(native::raw<float> (&v)[static_cast<std::size_t>(lanes)], F f) {
  if constexpr (Group == 1) return {native::from_raw<float>(v[0])};
  else {
    constexpr int half = Group / 2;
    auto const join = [&]<int... I>(native::raw<float>& x, native::raw<float> const& y, std::integer_sequence<int, I...>) SINTER_INLINED {
      x = f(__builtin_shufflevector(x, y, (I / Group * Group + I % half + I / half % 2 * lanes)...),
            __builtin_shufflevector(x, y, (I / Group * Group + I % half + I / half % 2 * lanes + half)...));
    };
    [&]<int... I>(std::integer_sequence<int, I...>) SINTER_INLINED {
      (join(v[I], v[I + Count / 2], std::make_integer_sequence<int, lanes>{}), ...);
    }(std::make_integer_sequence<int, Count / 2>{});
    return fold<Group / 2, Count / 2>(v, f);
  }
}
template <class T, class F>
SINTER_INLINE vec<T> fold(stack_of<T> const& s, F f) {
  if constexpr (std::is_same_v<T, float>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) SINTER_INLINED {
      native::raw<float> v[] = {native::to_raw(s.v[I].lo)...};
      return fold(v, f);
    }(std::make_index_sequence<static_cast<std::size_t>(lanes)>{});
  } else {
    T each[static_cast<std::size_t>(lanes)];
    for (int i = 0; i < lanes; ++i) each[i] = fold(s.v[i], f);
    return load(each);
  }
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
// Rounded, always: see SINTER_KEEP_ROUNDED.
template <Number T>
SINTER_INLINE T reduce_multiply(vec<T> const& v) {
  if constexpr (Real<T>) {
    T product = detail::fold(v, SINTER_SIMD_EACH((auto a, auto b), a * b));
    SINTER_KEEP_ROUNDED(product);
    return product;
  } else {
    std::uint64_t product = 1;
    T memory[static_cast<std::size_t>(lanes)];
    store(memory, v);
    for (T m : memory) product *= static_cast<std::uint64_t>(m);
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(product));
  }
}

// Of each vector of a stack, lane by lane.
template <Number T>
SINTER_INLINE vec<T> reduce_add(stack_of<T> const& s) {
  if constexpr (Real<T>) return detail::fold(s, SINTER_SIMD_EACH((auto a, auto b), a + b));
  else {
    T each[static_cast<std::size_t>(lanes)];
    for (int i = 0; i < lanes; ++i) each[i] = reduce_add(s.v[i]);
    return load(each);
  }
}
template <Number T>
SINTER_INLINE vec<T> reduce_max(stack_of<T> const& s) {
  return detail::fold(s, SINTER_SIMD_EACH((auto a, auto b), ((a >= b) | (a != a)) ? a : b));
}
template <Number T>
SINTER_INLINE vec<T> reduce_min(stack_of<T> const& s) {
  return detail::fold(s, SINTER_SIMD_EACH((auto a, auto b), ((a <= b) | (a != a)) ? a : b));
}
template <Number T>
SINTER_INLINE vec<T> reduce_multiply(stack_of<T> const& s) {
  if constexpr (std::is_same_v<T, float>)
    return detail::map<T>(SINTER_SIMD_EACH((auto const& x), native::kept(x)), detail::fold(s, SINTER_SIMD_EACH((auto a, auto b), a * b)));
  else {
    T each[static_cast<std::size_t>(lanes)];
    for (int i = 0; i < lanes; ++i) each[i] = reduce_multiply(s.v[i]);
    return load(each);
  }
}

#undef SINTER_SIMD_EACH

}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
