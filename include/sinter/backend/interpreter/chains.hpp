// SPDX-License-Identifier: Apache-2.0
// Two or three cheap operations in one loop: alone, each would spend more time on reading and writing its tile than on its elements.
#pragma once
#include <utility>

#include "loops.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::interpreter {
inline namespace SINTER_ISA {

// The operations of a chain, each of what the one before it gives and of a value that is the same for all elements: values[in[1]] of the
// first, values[in[2]] of the second. relu has no such value; that of the first operation may be another one for each element (`Moves`).
template <class T, bool Moves, class... Op> struct chain_loop {
  struct none {};
  template <std::size_t I, class One> static auto second([[maybe_unused]] source const& s) {
    if constexpr (One::arity == 1) return none{};
    else if constexpr (Moves && I == 0) return moving<T>{reinterpret_cast<T const*>(s.p)};
    else return still<T>{simd::load(reinterpret_cast<T const*>(s.p))};
  }
  template <class One, class S> SINTER_INLINE static vec<T> apply(vec<T> const& x, [[maybe_unused]] S const& s, auto const& read) {
    if constexpr (One::arity == 1) return simd::kernels::apply<One, T>(x);
    else return simd::kernels::apply<One, T>(x, read(s));
  }
  SINTER_FLATTEN static void go(source const* values, int const* in, std::byte* to, std::int64_t n) {
    [&]<std::size_t... I>(std::index_sequence<I...>) SINTER_INLINED {
      run(reinterpret_cast<T const*>(values[in[0]].p), reinterpret_cast<T*>(to), n, second<I, Op>(values[in[I + 1]])...);
    }(std::index_sequence_for<Op...>{});
  }
  template <class... S> SINTER_INLINE static void run(T const* x, T* out, std::int64_t n, S const&... s) {
    std::int64_t i = 0;
    SINTER_SIMD_UNROLL
    for (; i + lanes <= n; i += lanes) {
      vec<T> v = simd::load(x + i);
      ((v = apply<Op>(v, s, [&](auto const& o) SINTER_INLINED { return o.at(i); })), ...);
      simd::store(out + i, v);
    }
    if (i < n) {
      int const count = static_cast<int>(n - i);
      vec<T> v = simd::load_partial(x + i, count);
      ((v = apply<Op>(v, s, [&](auto const& o) SINTER_INLINED { return o.first(i, count); })), ...);
      simd::store_partial(out + i, v, count);
    }
  }
};
using chained_ops = ops::list_of<ops::add, ops::subtract, ops::multiply, ops::maximum, ops::minimum, ops::relu>;
inline constexpr std::size_t most_chained = 3;
// The name of a chain: those of its operations one behind the other.
constexpr std::uint64_t chain_of(std::uint64_t a, std::uint64_t b) { return (a ^ b >> 7) * 1099511628211u + b; }

}  // namespace SINTER_ISA
}  // namespace sinter::interpreter

SINTER_SIMD_QUIET_END
