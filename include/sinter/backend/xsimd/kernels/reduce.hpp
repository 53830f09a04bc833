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
  using start_type = T;
  vec<T> a = splat(Op::template start<T>()), b = a, c = a, d = a;

  // The vector for turn U after the next one.
  template <int U> SINTER_INLINE vec<T>& turn() {
    if constexpr (U == 0) return a;
    else if constexpr (U == 1) return b;
    else if constexpr (U == 2) return c;
    else return d;
  }
  template <int U, bool Partial> SINTER_INLINE void take(vec<T> const& x, std::int64_t, int count) {
    if constexpr (Partial) turn<U>() = Op::combine(turn<U>(), select(first_lanes(count), x, splat(Op::template start<T>())));
    else turn<U>() = Op::combine(turn<U>(), x);
  }
  SINTER_INLINE void rotate() {
    vec<T> const first = a;
    a = b;
    b = c;
    c = d;
    d = first;
  }
  SINTER_INLINE vec<T> all() const { return Op::combine(Op::combine(a, b), Op::combine(c, d)); }
  // The result of one row of which the lanes hold parts, `line` elements after another in each of its lines.
  template <class R> SINTER_INLINE vec<R> across(std::int64_t n, std::int64_t) const { return splat(static_cast<R>(Op::template finish<T>(Op::across(all()), n))); }
  // The results of rows that have a lane each.
  template <class R> SINTER_INLINE vec<R> each_lane(std::int64_t n) const {
    T memory[static_cast<std::size_t>(lanes)];
    store(memory, all());
    for (T& x : memory) x = Op::template finish<T>(x, n);
    return load(memory);
  }
};

// Where the best stands. A lane that has taken nothing better than the start says `nowhere`.
template <class Op, class T>
  requires(Op::indexed)
struct total<Op, T> {
  using number = integer_of<T>;
  static constexpr number nowhere = std::numeric_limits<number>::max();
  struct best {
    vec<T> v = splat(Op::template start<T>());
    vec<number> when = splat(nowhere);
  };
  best a, b, c, d;

  template <int U> SINTER_INLINE best& turn() {
    if constexpr (U == 0) return a;
    else if constexpr (U == 1) return b;
    else if constexpr (U == 2) return c;
    else return d;
  }
  template <int U, bool Partial> SINTER_INLINE void take(vec<T> const& x, std::int64_t when, int count) {
    best& t = turn<U>();
    vec<bool> better = Op::better(x, t.v);
    if constexpr (Partial) better = better & first_lanes(count);
    t.v = select(better, x, t.v);
    t.when = select(better, splat(static_cast<number>(when)), t.when);
  }
  SINTER_INLINE void rotate() {
    best const first = a;
    a = b;
    b = c;
    c = d;
    d = first;
  }
  static SINTER_INLINE best of(best const& x, best const& y) {
    vec<bool> const second = Op::better(y.v, x.v) | ((!Op::better(x.v, y.v)) & (y.when < x.when));
    return {select(second, y.v, x.v), select(second, y.when, x.when)};
  }
  SINTER_INLINE best all() const { return of(of(a, b), of(c, d)); }
  template <class R> vec<R> across(std::int64_t n, std::int64_t line) const {
    best const all = this->all();
    T v[static_cast<std::size_t>(lanes)];
    number when[static_cast<std::size_t>(lanes)];
    store(v, all.v);
    store(when, all.when);
    std::int64_t const turns = (line + lanes - 1) / lanes;
    T most = Op::template start<T>();
    std::int64_t at = std::numeric_limits<std::int64_t>::max();
    for (int i = 0, width = static_cast<int>(std::min<std::int64_t>(lanes, n)); i < width; ++i) {
      if (when[i] == nowhere) continue;
      std::int64_t const here = when[i] / turns * line + when[i] % turns * lanes + i;
      if (Op::better(v[i], most) || (!Op::better(most, v[i]) && here < at)) {
        most = v[i];
        at = here;
      }
    }
    return splat(static_cast<R>(at == std::numeric_limits<std::int64_t>::max() ? 0 : at));
  }
  template <class R> SINTER_INLINE vec<R> each_lane(std::int64_t) const {
    vec<number> const when = all().when;
    return cast<R>(select(when == splat(nowhere), splat(number(0)), when));
  }
};

}  // namespace kernels
}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
