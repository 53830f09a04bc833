// SPDX-License-Identifier: Apache-2.0
// One elementwise operation over a tile, compiled once for its element types: what the interpreter calls where a compiled kernel has the
// operation in its loop.
#pragma once
#include "../xsimd/kernels/pointwise.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::interpreter {
inline namespace SINTER_ISA {

using simd::lanes;
using simd::vec;

// An operand in a tile: its first element, and the distance from one element to the next. That is 1, or 0 where one value serves all
// elements: then a whole vector of it stands at `p`.
struct source {
  std::byte const* p = nullptr;
  std::int64_t step = 1;
};
// Computes n elements at `out`, which may be one of the operands: those are values[in[0]], values[in[1]], ...
using tile_loop = void (*)(source const* values, int const* in, std::byte* out, std::int64_t n);

template <class T> struct stream {
  T const* p;
  std::int64_t step;
  SINTER_INLINE vec<T> at(std::int64_t i) const { return simd::load(p + i * step); }
  SINTER_INLINE vec<T> first(std::int64_t i, int count) const { return step ? simd::load_partial(p + i, count) : simd::load(p); }
  SINTER_INLINE simd::four<T> four(std::int64_t i) const { return {{at(i), at(i + lanes)}, {at(i + 2 * lanes), at(i + 3 * lanes)}}; }
};
// The same where the distance is known beforehand.
template <class T> struct moving {
  T const* p;
  SINTER_INLINE vec<T> at(std::int64_t i) const { return simd::load(p + i); }
  SINTER_INLINE vec<T> first(std::int64_t i, int count) const { return simd::load_partial(p + i, count); }
};
template <class T> struct still {
  vec<T> v;
  SINTER_INLINE vec<T> const& at(std::int64_t) const { return v; }
  SINTER_INLINE vec<T> const& first(std::int64_t, int) const { return v; }
};

// The operation Op with results R from operands T...
template <class Op, class R, class... T> struct elementwise_loop {
  template <class... S> SINTER_INLINE static void run(R* out, std::int64_t n, S... s) {
    using simd::kernels::apply;
    std::int64_t i = 0;
    if constexpr (simd::kernels::is_chain<Op, R>) {
      for (; i + 4 * lanes <= n; i += 4 * lanes)
        simd::kernels::write<access::unit, false>(simd::kernels::place<R>{out, 1}, i, apply<Op, R>(s.four(i)...), 4 * lanes);
      for (; i < n; i += lanes) {
        int const count = static_cast<int>(std::min<std::int64_t>(lanes, n - i));
        simd::store_partial(out + i, apply<Op, R>(s.first(i, count)...), count);
      }
    } else {
      if constexpr (simd::kernels::cost_of<Op> <= 12) {
        SINTER_SIMD_UNROLL
        for (; i + lanes <= n; i += lanes) simd::store(out + i, apply<Op, R>(s.at(i)...));
      } else {
        for (; i + lanes <= n; i += lanes) simd::store(out + i, apply<Op, R>(s.at(i)...));
      }
      if (i < n) {
        int const count = static_cast<int>(n - i);
        simd::store_partial(out + i, apply<Op, R>(s.first(i, count)...), count);
      }
    }
  }
  template <std::size_t... I> SINTER_INLINE static void with(source const* values, int const* in, R* out, std::int64_t n,
                                                             std::index_sequence<I...>) {
    if constexpr (sizeof...(T) <= 2 && simd::kernels::cost_of<Op> <= 6) {  // an operation so cheap that what surrounds it counts
      bool const all = ((values[in[I]].step != 0) && ...);
      if (all) return run(out, n, moving<T>{reinterpret_cast<T const*>(values[in[I]].p)}...);
      if (values[in[0]].step) return mixed<1>(values, in, out, n, std::index_sequence<I...>{});
      if (values[in[sizeof...(T) - 1]].step) return mixed<0>(values, in, out, n, std::index_sequence<I...>{});
    }
    run(out, n, stream<T>{reinterpret_cast<T const*>(values[in[I]].p), values[in[I]].step}...);
  }
  // Operand Still is the same for all elements.
  template <std::size_t Still, std::size_t... I>
  SINTER_INLINE static void mixed(source const* values, int const* in, R* out, std::int64_t n, std::index_sequence<I...>) {
    run(out, n, [&]() SINTER_INLINED {
      T const* const p = reinterpret_cast<T const*>(values[in[I]].p);
      if constexpr (I == Still) return still<T>{simd::load(p)};
      else return moving<T>{p};
    }()...);
  }
  SINTER_FLATTEN static void go(source const* values, int const* in, std::byte* out, std::int64_t n) {
    with(values, in, reinterpret_cast<R*>(out), n, std::index_sequence_for<T...>{});
  }
};

}  // namespace SINTER_ISA
}  // namespace sinter::interpreter

SINTER_SIMD_QUIET_END
