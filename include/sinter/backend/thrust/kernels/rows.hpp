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

  static constexpr int at_once = 16;  // elements of a row that a thread may keep

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

  // Whether so many threads keep a whole row: then it is read once, whatever the number of phases.
  bool is_kept(int lanes) const { return l.rank - l.row_rank == 1 && count <= lanes * std::int64_t{at_once}; }
  template <class Team> SINTER_HD void operator()(std::int64_t row, Team team) const { run_at<false>(first_of(row), team); }
  SINTER_HD void operator()(std::int64_t row) const { (*this)(row, alone{}); }
  SINTER_HD cursor<n> first_of(std::int64_t row) const {
    cursor<n> c;
    l.seek(c, 0, l.row_rank, row);
    return c;
  }
  // The row at whose first element the operands stand. Line: it is a single loop.
  template <bool Line, class Team> SINTER_HD void run_at(cursor<n> const& c, Team team) const {
    values f = values_of_row(c);
    row_steps<0>(f, c, team);
    phase<0, Line>(f, c, team);
  }
  // The same for a row that is kept.
  template <class Team> SINTER_HD void run_kept(cursor<n> const& c, Team team) const {
    values of_row = values_of_row(c), f[at_once];
    cursor<n> first = c, step;
    l.seek(first, l.row_rank, l.row_rank + 1, team.lane());
    l.seek(step, l.row_rank, l.row_rank + 1, team.size());
    row_steps<0>(of_row, c, team);
    phase_of_kept<0>(f, of_row, c, first, step, team);
  }

 private:
  template <class S> static SINTER_HD constexpr auto start() {
    if constexpr (S::reduces) return partial<typename S::op, std::remove_cvref_t<decltype(at<first_operand(S{})>(values{}))>>{};
    else return nothing{};
  }
  template <std::size_t... I> static SINTER_HD constexpr auto start_all(std::index_sequence<I...>) {
    return leaves<leaf<static_cast<int>(I), decltype(start<Step>())>...>{{start<Step>()}...};
  }
  SINTER_HD values values_of_row(cursor<n> const& c) const {
    values f{};
    each(slots{}, [&]<class S>(auto j, S) {
      if constexpr (!S::written && S::mode == access::zero) at<-1 - j>(f) = element_at<j, typename S::type>(l, c);
    });
    return f;
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
    auto const one = [&](cursor<n> const& c, std::int64_t e) {
      load_all(slots{}, f, l, c);
      element<P>(f, c);
      take<P>(state, f, e);
    };
    cursor<n> c = row;
    if constexpr (Line) {
      cursor<n> step;
      l.seek(c, l.row_rank, l.row_rank + 1, team.lane());
      l.seek(step, l.row_rank, l.row_rank + 1, team.size());
      SINTER_UNROLL_BY_4
      for (std::int64_t e = team.lane(); e < count; e += team.size(), add_to(c, step)) one(c, e);
    } else
      for (std::int64_t e = team.lane(); e < count; e += team.size(), c = row) {
        l.seek(c, l.row_rank, l.rank, e);
        one(c, e);
      }
    meet<P>(f, state, team);
    if constexpr (P + 1 < Phases) phase<P + 1, Line>(f, row, team);
  }
  template <int P, class Team>
  SINTER_HD void phase_of_kept(values (&f)[at_once], values& of_row, cursor<n> const& row, cursor<n> const& first, cursor<n> const& step,
                               Team team) const {
    if constexpr (P > 0) row_steps<P>(of_row, row, team);
    auto state = start_all(std::index_sequence_for<Step...>{});
    cursor<n> c = first;
    SINTER_UNROLL
    for (int k = 0; k < at_once; ++k) {  // loads that do not wait for each other
      if (k * team.size() >= count) break;
      if constexpr (P == 0) f[k] = of_row;
      if (team.lane() + k * team.size() < count)
        each(slots{}, [&]<class S>(auto j, S) {
          if constexpr (!S::written && S::mode != access::zero && first_phase<j>() == P)
            at<-1 - j>(f[k]) = element_at<j, typename S::type>(l, c);
        });
      add_to(c, step);
    }
    c = first;
    SINTER_UNROLL
    for (int k = 0; k < at_once; ++k) {
      if (k * team.size() >= count) break;
      if (std::int64_t const e = team.lane() + k * team.size(); e < count) {
        each(steps{}, [&]<class S>(auto i, S s) {
          if constexpr (S::bits.row) at<i>(f[k]) = at<i>(of_row);
          else if constexpr (S::bits.phase == P && S::bits.needed != 0) at<i>(f[k]) = evaluate<number>(s, f[k]);
          if constexpr (!S::bits.row && S::bits.phase == P && S::bits.store >= 0)
            element_at<S::bits.store, typename S::type>(l, c) = at<i>(f[k]);
        });
        take<P>(state, f[k], e);
      }
      add_to(c, step);
    }
    meet<P>(of_row, state, team);
    if constexpr (P + 1 < Phases) phase_of_kept<P + 1>(f, of_row, row, first, step, team);
  }
  // The phase that is the first to read operand J.
  template <int J> static SINTER_HD constexpr int first_phase() {
    int r = Phases;
    each(steps{}, [&]<class S>(auto, S s) {
      constexpr int phase = S::bits.phase - (S::reduces ? 1 : 0);
      if (reads<J>(s) && phase < r) r = phase;
    });
    return r;
  }
  // What an element gives to the reductions of phase P.
  template <int P, class State> static SINTER_HD void take(State& state, values const& f, std::int64_t e) {
    each(steps{}, [&]<class S>(auto i, S) {
      if constexpr (S::reduces && S::bits.phase - 1 == P) at<i>(state).take(at<first_operand(S{})>(f), e);
    });
  }
  template <int P, class State, class Team> SINTER_HD void meet(values& f, State const& state, Team team) const {
    each(steps{}, [&]<class S>(auto i, S) {
      if constexpr (S::reduces && S::bits.phase - 1 == P) at<i>(f) = team.meet(at<i>(state)).template finish<typename S::type>(count);
    });
  }
};

}  // namespace SINTER_ISA
}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter::gpu
