// SPDX-License-Identifier: Apache-2.0
// A reduction while it runs: four vectors in turn, so that one step need not wait for the last, folded in an order that depends on
// nothing but the number of vectors that it took.
#pragma once
#include "common.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace kernels {

struct no_total {};

SINTER_INLINE vec<bool> first_lanes(int count) { return {native::first(count)}; }

template <class Op, class T> struct total {
  vec<T> a = splat(Op::template start<T>()), b = a, c = a, d = a;

  template <bool Partial> SINTER_INLINE void take(vec<T> const& x, std::int64_t, int count) {
    if constexpr (Partial) a = Op::combine(a, select(first_lanes(count), x, splat(Op::template start<T>())));
    else a = Op::combine(a, x);
  }
  // The next vector's turn: a move of registers, which costs nothing.
  SINTER_INLINE void rotate() {
    vec<T> const first = a;
    a = b;
    b = c;
    c = d;
    d = first;
  }
  SINTER_INLINE vec<T> all() const { return Op::combine(Op::combine(a, b), Op::combine(c, d)); }
  // The result of one row of `n` elements, of which each lane holds a part.
  static SINTER_INLINE T across(vec<T> const& v, std::int64_t n) { return Op::finish(Op::across(v), n); }
  // The results of rows whose totals stand in a stack.
  using stack = stack_of<T>;
  static SINTER_INLINE vec<T> across(stack const& rows, std::int64_t n) { return Op::finish(Op::across(rows), n); }
  // The results of rows that have a lane each.
  template <class R> SINTER_INLINE vec<R> each_lane(std::int64_t n) const { return Op::finish(all(), n); }
};

// Where the best stands: one vector, because its order does not matter. A lane that has taken nothing better than the start says `nowhere`.
template <class Op, class T>
  requires(Op::indexed)
struct total<Op, T> {
  using number = integer_of<T>;
  static constexpr number nowhere = std::numeric_limits<number>::max();
  vec<T> v = splat(Op::template start<T>());
  vec<number> when = splat(nowhere);

  template <bool Partial> SINTER_INLINE void take(vec<T> const& x, std::int64_t now, int count) {
    vec<bool> better = Op::better(x, v);
    if constexpr (Partial) better = better & first_lanes(count);
    v = select(better, x, v);
    when = select(better, splat(static_cast<number>(now)), when);
  }
  SINTER_INLINE void rotate() {}
  // Of one row of `n` elements in lines of `line`.
  template <class R> R across(std::int64_t n, std::int64_t line) const {
    T value[static_cast<std::size_t>(lanes)];
    number turn[static_cast<std::size_t>(lanes)];
    store(value, v);
    store(turn, when);
    std::int64_t const turns = (line + lanes - 1) / lanes;
    T most = Op::template start<T>();
    std::int64_t at = std::numeric_limits<std::int64_t>::max();
    for (int i = 0, width = static_cast<int>(std::min<std::int64_t>(lanes, n)); i < width; ++i) {
      if (turn[i] == nowhere) continue;
      std::int64_t const here = turn[i] / turns * line + turn[i] % turns * lanes + i;
      if (Op::better(value[i], most) || (!Op::better(most, value[i]) && here < at)) {
        most = value[i];
        at = here;
      }
    }
    return static_cast<R>(at == std::numeric_limits<std::int64_t>::max() ? 0 : at);
  }
  template <class R> SINTER_INLINE vec<R> each_lane(std::int64_t) const {
    return cast<R>(select(when == splat(nowhere), splat(number(0)), when));
  }
};

}  // namespace kernels
}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
