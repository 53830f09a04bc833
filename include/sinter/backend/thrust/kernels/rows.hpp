// SPDX-License-Identifier: Apache-2.0
// Reductions with elementwise steps around them: a team for each row. A team is one thread, or several whose partial results meet.
#pragma once
#include "common.hpp"

namespace sinter::gpu {
inline namespace SINTER_GPU_SYSTEM {
inline namespace SINTER_ISA {

// The team of one thread: it adds in the order in which the elements stand.
struct alone {
  static SINTER_HD constexpr std::int64_t lane() { return 0; }
  static SINTER_HD constexpr std::int64_t size() { return 1; }
  template <class V> static SINTER_HD constexpr V meet(V v) { return v; }
};

// What a lane knows of a reduction: a value, and for argmax its place (-1: it saw nothing).
template <class Op, class T> struct partial {
  T v = Op::template start<T>();
  std::int64_t best = -1;
  SINTER_HD constexpr void take(T x, std::int64_t where) {
    if constexpr (Op::indexed) {
      if (best < 0 || Op::better(x, v)) {
        v = x;
        best = where;
      }
    } else v = Op::combine(v, x);
  }
  // Of two lanes; which is first does not matter, so that all of a team get the same.
  static SINTER_HD constexpr partial both(partial a, partial b) {
    if constexpr (Op::indexed) {
      if (b.best < 0 || (a.best >= 0 && Op::better(a.v, b.v))) return a;
      if (a.best < 0 || Op::better(b.v, a.v)) return b;
      return a.best < b.best ? a : b;
    } else {
      a.v = Op::combine(a.v, b.v);
      return a;
    }
  }
  template <class R> SINTER_HD constexpr R finish(std::int64_t count) const {
    if constexpr (Op::indexed) return static_cast<R>(best < 0 ? 0 : best);
    else return Op::template finish<T>(v, count);
  }
};
struct nothing {};

template <class... Slot, class... Step, int Phases> struct body<rows<types<Slot...>, types<Step...>, Phases>> {
  static constexpr int n = sizeof...(Slot);
  using slots = types<Slot...>;
  using steps = types<Step...>;
  using values = frame<number, slots, steps>;

  loops<n> l;
  std::int64_t count = 0;  // elements of a row

  body(launch const& from, pointer const* p) : l(from, p), count(l.turns(l.row_rank, l.rank)) {}
  std::int64_t size() const { return l.turns(0, l.row_rank); }
  // Whether the rows, not the elements of a row, are neighbours in memory: then neighbouring threads take neighbouring rows.
  bool lies_across() const {
    bool across = false;
    each(slots{}, [&]<class S>(auto j, S) {
      if constexpr (!S::written && S::mode == access::strided) across = across || (l.row_rank > 0 && l.stride[j][l.row_rank - 1] == 1);
    });
    return across;
  }

  // Whether a row is a single loop.
  bool is_line() const { return l.rank - l.row_rank == 1; }
  template <class Team> SINTER_HD void operator()(std::int64_t row, Team team) const { run<false>(row, team); }
  SINTER_HD void operator()(std::int64_t row) const { (*this)(row, alone{}); }
  template <bool Line, class Team> SINTER_HD void run(std::int64_t row, Team team) const {
    values f{};
    cursor<n> c;
    l.seek(c, 0, l.row_rank, row);
    each(slots{}, [&]<class S>(auto j, S) {
      if constexpr (!S::written && S::mode == access::zero) at<-1 - j>(f) = element_at<j, typename S::type>(l, c);
    });
    row_steps<0>(f, c, team);
    phase<0, Line>(f, c, team);
  }

 private:
  template <class S> static SINTER_HD constexpr auto start() {
    if constexpr (S::reduces) return partial<typename S::op, std::remove_cvref_t<decltype(at<first_operand(S{})>(values{}))>>{};
    else return nothing{};
  }
  template <std::size_t... I> static SINTER_HD constexpr auto start_all(std::index_sequence<I...>) {
    return leaves<leaf<static_cast<int>(I), decltype(start<Step>())>...>{{start<Step>()}...};
  }
  // Steps that give one value a row and are ready when phase P begins.
  template <int P, class Team> SINTER_HD void row_steps(values& f, cursor<n> const& c, Team team) const {
    each(steps{}, [&]<class S>(auto i, S s) {
      if constexpr (S::bits.row && S::bits.phase == P) {
        if constexpr (!S::reduces) at<i>(f) = evaluate<number>(s, f);
        if constexpr (S::bits.store >= 0)
          if (team.lane() == 0) element_at<S::bits.store, typename S::type>(l, c) = at<i>(f);
      }
    });
  }
  // One element. What it keeps for later phases the same lane reads again.
  template <int P> SINTER_HD void element(values& f, cursor<n> const& c) const {
    each(steps{}, [&]<class S>(auto i, S s) {
      using T = typename S::type;
      if constexpr (!S::reduces && !S::bits.row && ((S::bits.needed >> P) & 1)) {
        if constexpr (S::bits.keep >= 0 && P > S::bits.phase) at<i>(f) = element_at<S::bits.keep, T>(l, c);
        else at<i>(f) = evaluate<number>(s, f);
      }
    });
    // Behind all steps of the phase: what one of them stores may replace what another has kept there.
    each(steps{}, [&]<class S>(auto i, S) {
      using T = typename S::type;
      if constexpr (!S::reduces && !S::bits.row && S::bits.phase == P) {
        if constexpr (S::bits.keep >= 0 && S::bits.keep != S::bits.store) element_at<S::bits.keep, T>(l, c) = at<i>(f);
        if constexpr (S::bits.store >= 0) element_at<S::bits.store, T>(l, c) = at<i>(f);
      }
    });
  }
  template <int P, bool Line, class Team> SINTER_HD void phase(values& f, cursor<n> const& row, Team team) const {
    if constexpr (P > 0) row_steps<P>(f, row, team);
    auto state = start_all(std::index_sequence_for<Step...>{});
    auto const take = [&](cursor<n> const& c, std::int64_t e) {
      load_all(slots{}, f, l, c);
      element<P>(f, c);
      each(steps{}, [&]<class S>(auto i, S) {
        if constexpr (S::reduces && S::bits.phase - 1 == P) at<i>(state).take(at<first_operand(S{})>(f), e);
      });
    };
    cursor<n> c = row;
    if constexpr (Line) {
      cursor<n> step;
      l.seek(c, l.row_rank, l.row_rank + 1, team.lane());
      l.seek(step, l.row_rank, l.row_rank + 1, team.size());
      // Loads that do not wait for each other.
      SINTER_UNROLL_BY_4
      for (std::int64_t e = team.lane(); e < count; e += team.size()) {
        take(c, e);
        for (int j = 0; j < n; ++j) c.at[j] += step.at[j];
      }
    } else
      for (std::int64_t e = team.lane(); e < count; e += team.size(), c = row) {
        l.seek(c, l.row_rank, l.rank, e);
        take(c, e);
      }
    each(steps{}, [&]<class S>(auto i, S) {
      if constexpr (S::reduces && S::bits.phase - 1 == P) { at<i>(f) = team.meet(at<i>(state)).template finish<typename S::type>(count); }
    });
    if constexpr (P + 1 < Phases) phase<P + 1, Line>(f, row, team);
  }
};

}  // namespace SINTER_ISA
}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter::gpu
