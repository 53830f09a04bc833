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

// What a lane knows of a reduction: a value, and for argmax its place (-1: it saw nothing). `both`: of two lanes, in their order.
template <class Op, class T> struct partial {
  T v = Op::template start<T>();
  SINTER_HD constexpr void take(T x, std::int64_t) { v = Op::combine(v, x); }
  static SINTER_HD constexpr partial both(partial const& a, partial const& b) { return {Op::combine(a.v, b.v)}; }
  template <class R> SINTER_HD constexpr R finish(std::int64_t count) const { return Op::template finish<T>(v, count); }
};
template <class Op, class T>
  requires(Op::indexed)
struct partial<Op, T> {
  T v = Op::template start<T>();
  std::int64_t best = -1;
  SINTER_HD constexpr void take(T x, std::int64_t where) {
    if (best < 0 || Op::better(x, v)) {
      v = x;
      best = where;
    }
  }
  static SINTER_HD constexpr partial both(partial const& a, partial const& b) {
    if (b.best < 0 || (a.best >= 0 && Op::better(a.v, b.v))) return a;
    if (a.best < 0 || Op::better(b.v, a.v)) return b;
    return a.best < b.best ? a : b;
  }
  template <class R> SINTER_HD constexpr R finish(std::int64_t) const { return static_cast<R>(best < 0 ? 0 : best); }
};
struct nothing {};

// In how many parts teams take each row, where few long rows would leave most of the device idle: it follows from the extents, and from whether
// neighbouring rows are neighbours in memory. So the same numbers in the same order have the same sum, bit for bit, at any address. 1: a team takes
// a whole row.
struct parts_of_row {
  std::int64_t n = 1, each = 0;  // elements of a part; the last one may have fewer
  // `across`: a team is one thread.
  constexpr parts_of_row(std::int64_t rows, std::int64_t count, bool across) : each(count) {
    std::int64_t const least = across ? 256 : 4096, teams = across ? 1 << 17 : 1 << 11;
    if (rows < 1 || count / least < 2 || teams / rows < 2) return;
    std::int64_t const wanted = count / least < teams / rows ? count / least : teams / rows;
    each = (count + wanted - 1) / wanted;
    n = (count + each - 1) / each;
  }
};
template <class Values, class Steps> struct partials_of;
template <class Values, class... Step> struct partials_of<Values, types<Step...>> {
  template <class S> static auto one() {
    if constexpr (S::reduces) return partial<typename S::op, std::remove_cvref_t<decltype(at<first_operand(S{})>(Values{}))>>{};
    else return nothing{};
  }
  template <std::size_t... I>
  static auto all(std::index_sequence<I...>) -> leaves<leaf<static_cast<int>(I), decltype(one<Step>())>...>;
  using type = decltype(all(std::index_sequence_for<Step...>{}));
};

template <class... Slot, class... Step, int Phases> struct body<rows<types<Slot...>, types<Step...>, Phases>> {
  static constexpr int n = sizeof...(Slot);
  using slots = types<Slot...>;
  using steps = types<Step...>;
  using values = frame<number, slots, steps>;
  using partial_results = typename partials_of<values, steps>::type;  // of a part of a row

  // Teams may share a row if its elements are needed for its first reductions alone.
  static constexpr bool can_be_shared =
      Phases == 2 && ((Step::reduces ? Step::bits.phase == 1 : Step::bits.row || Step::bits.phase == 0) && ...);
  static constexpr int at_once = 16;  // elements of a row that a thread may keep

  loops<n> l;
  std::int64_t count = 0;  // elements of a row

  body(launch const& from, pointer const* p) : l(from, p), count(l.turns(l.row_rank, l.rank)) {}
  std::int64_t size() const { return l.turns(0, l.row_rank); }
  static constexpr parts_of_row parts_of(launch const& from) {
    if (!can_be_shared) return {1, 0, false};
    std::int64_t rows = 1, elements = 1;
    for (int i = 0; i < from.rank; ++i) (i < from.row_rank ? rows : elements) *= from.extent[i];
    return {rows, elements, lies_across(from)};
  }
  // Whether the rows, not the elements of a row, are neighbours in memory: then neighbouring threads take neighbouring rows.
  static constexpr bool lies_across(launch const& from) {
    bool across = false;
    each(slots{}, [&]<class S>(auto j, S) {
      if constexpr (!S::written && S::mode == access::strided)
        across = across || (from.row_rank > 0 && from.stride[j * max_loop + from.row_rank - 1] == 1);
    });
    return across;
  }

  // Whether so many threads keep a whole row: then it is read once, whatever the number of phases.
  bool is_kept(int lanes) const { return l.rank - l.row_rank == 1 && count <= lanes * std::int64_t{at_once}; }
  template <class Team> SINTER_HD void operator()(std::int64_t row, Team team) const {
    cursor<n> const c = start_of(row);
    places<n> const first = places_of(slots{}, l, c);
    values f = values_of_row(first);
    row_steps<0>(f, first, team);
    auto const each_element = [&](auto const& visit) {
      for (std::int64_t e = team.lane(); e < count; e += team.size()) {
        cursor<n> at = c;
        l.seek(at, l.row_rank, l.rank, e);
        visit(places_of(slots{}, l, at), e);
      }
    };
    phase<0, false>(f, first, each_element, team);
  }
  SINTER_HD void operator()(std::int64_t row) const { (*this)(row, alone{}); }
  // The row that begins at `first`; it is a single loop.
  template <class Team> SINTER_HD void run_line(places<n> const& first, Team team) const {
    values f = values_of_row(first);
    elements const own = elements_of(first, team);
    row_steps<0>(f, first, team);
    auto const each_element = [&](auto const& visit) {
      int const lanes = static_cast<int>(team.size()), end = static_cast<int>(count);
      places<n> p = own.first;
      SINTER_UNROLL_BY_4
      for (int e = static_cast<int>(team.lane()); e < end; e += lanes, add_to(p, own.step)) visit(p, e);
    };
    phase<0, true>(f, first, each_element, team);
  }
  // The elements [from, to) of a row.
  template <class Team> SINTER_HD void run_part(std::int64_t row, std::int64_t from, std::int64_t to, partial_results& result,
                                                Team team) const {
    cursor<n> const c = start_of(row);
    places<n> const first = places_of(slots{}, l, c);
    values f = values_of_row(first);
    row_steps<0, false>(f, first, team);
    gathered own;
    for (std::int64_t e = from + team.lane(); e < to; e += team.size()) {
      cursor<n> at = c;
      l.seek(at, l.row_rank, l.rank, e);
      element<0, false>(f, places_of(slots{}, l, at));
      take<0>(own.block, f, e);
      own.count_one();
    }
    partial_results state = own.finish();
    each(steps{}, [&]<class S>(auto i, S) {
      if constexpr (S::reduces) at<i>(state) = team.meet(at<i>(state));
    });
    if (team.lane() == 0) result = state;
  }
  // The row whose parts gave `result[0]`, `result[step]`, ...
  template <class Team>
  SINTER_HD void finish_row(std::int64_t row, partial_results const* result, std::int64_t parts, std::int64_t step, Team team) const {
    places<n> const first = places_of(slots{}, l, start_of(row));
    values f = values_of_row(first);
    row_steps<0>(f, first, team);
    gathered own;
    for (std::int64_t k = team.lane(); k < parts; k += team.size()) {
      join(own.block, result[k * step]);
      own.count_one();
    }
    meet<0>(f, own.finish(), team);
    row_steps<1>(f, first, team);
  }
  // A row that is kept.
  template <class Team> SINTER_HD void run_kept(std::int64_t row, Team team) const {
    places<n> const first = places_of(slots{}, l, start_of(row));
    values of_row = values_of_row(first), f[at_once];
    elements const own = elements_of(first, team);
    row_steps<0>(of_row, first, team);
    phase_of_kept<0>(f, of_row, first, own, team);
  }

 private:
  static SINTER_HD void join(partial_results& to, partial_results const& behind) {
    each(steps{}, [&]<class S>(auto i, S) {
      if constexpr (S::reduces) at<i>(to) = at<i>(to).both(at<i>(to), at<i>(behind));
    });
  }
  // The part of one thread in a reduction of many elements, in blocks: a sum in one go would lose small numbers that are added to a large one.
  struct gathered {
    static constexpr int block_of = 4096;
    partial_results block, blocks;
    int seen = 0;
    SINTER_HD void count_one() {
      if (++seen < block_of) return;
      join(blocks, block);
      block = partial_results{};
      seen = 0;
    }
    SINTER_HD partial_results finish() {
      join(blocks, block);
      return blocks;
    }
  };
  SINTER_HD cursor<n> start_of(std::int64_t row) const {
    cursor<n> c;
    l.seek(c, 0, l.row_rank, row);
    return c;
  }
  // The elements of a row that a thread takes.
  struct elements {
    places<n> first;
    steps_between<n> step;
    // Element `k` of them.
    SINTER_HD places<n> from(int k) const {
      places<n> p;
      for (int j = 0; j < n; ++j) p.at[j] = first.at[j] + k * step.bytes[j];
      return p;
    }
  };
  template <class Team> SINTER_HD elements elements_of(places<n> const& first, Team team) const {
    return {moved(slots{}, first, l, l.row_rank, team.lane()), steps_of(slots{}, l, l.row_rank, team.size())};
  }
  SINTER_HD values values_of_row(places<n> const& p) const {
    values f{};
    each(slots{}, [&]<class S>(auto j, S) {
      if constexpr (!S::written && S::mode == access::zero) at<-1 - j>(f) = element_at<j, typename S::type>(l, p);
    });
    return f;
  }
  // Steps that give one value a row and are ready when phase P begins.
  template <int P, bool Stores = true, class Team> SINTER_HD void row_steps(values& f, places<n> const& p, Team team) const {
    each(steps{}, [&]<class S>(auto i, S s) {
      if constexpr (S::bits.row && S::bits.phase == P) {
        if constexpr (!S::reduces) at<i>(f) = evaluate<number>(s, f);
        if constexpr (Stores && S::bits.store >= 0)
          if (team.lane() == 0) element_at<S::bits.store, typename S::type>(l, p) = at<i>(f);
      }
    });
  }
  // One element. What it keeps for later phases the same lane reads again. Line: a row is a single loop, along which operands of mode zero
  // stay; they may move along the loops around it.
  template <int P, bool Line> SINTER_HD void element(values& f, places<n> const& p) const {
    each(slots{}, [&]<class S>(auto j, S) {
      if constexpr (!S::written && !(Line && S::mode == access::zero)) at<-1 - j>(f) = element_at<j, typename S::type>(l, p);
    });
    each(steps{}, [&]<class S>(auto i, S s) {
      using T = typename S::type;
      if constexpr (!S::reduces && !S::bits.row && ((S::bits.needed >> P) & 1)) {
        if constexpr (S::bits.keep >= 0 && P > S::bits.phase) at<i>(f) = element_at<S::bits.keep, T>(l, p);
        else at<i>(f) = evaluate<number>(s, f);
      }
    });
    // Behind all steps of the phase: what one of them stores may replace what another has kept there.
    each(steps{}, [&]<class S>(auto i, S) {
      using T = typename S::type;
      if constexpr (!S::reduces && !S::bits.row && S::bits.phase == P) {
        if constexpr (S::bits.keep >= 0 && S::bits.keep != S::bits.store) element_at<S::bits.keep, T>(l, p) = at<i>(f);
        if constexpr (S::bits.store >= 0) element_at<S::bits.store, T>(l, p) = at<i>(f);
      }
    });
  }
  // each_element(visit): visit(places, which of the row) for each element that the thread takes.
  template <int P, bool Line, class Team> SINTER_HD void phase(values& f, places<n> const& row, auto const& each_element, Team team) const {
    if constexpr (P > 0) row_steps<P>(f, row, team);
    gathered own;
    each_element([&](places<n> const& p, std::int64_t e) {
      element<P, Line>(f, p);
      take<P>(own.block, f, e);
      own.count_one();
    });
    meet<P>(f, own.finish(), team);
    if constexpr (P + 1 < Phases) phase<P + 1, Line>(f, row, each_element, team);
  }
  template <int P, class Team>
  SINTER_HD void phase_of_kept(values (&f)[at_once], values& of_row, places<n> const& row, elements const& own, Team team) const {
    if constexpr (P > 0) row_steps<P>(of_row, row, team);
    partial_results state;
    int const lane = static_cast<int>(team.lane()), lanes = static_cast<int>(team.size()), left = static_cast<int>(count) - lane;
    SINTER_UNROLL
    for (int k = 0; k < at_once; ++k) {  // loads that do not wait for each other
      if (k * lanes >= left) break;
      if constexpr (P == 0) f[k] = of_row;
      each(slots{}, [&]<class S>(auto j, S) {
        if constexpr (!S::written && S::mode != access::zero && first_phase<j>() == P)
          at<-1 - j>(f[k]) = element_at<j, typename S::type>(l, own.from(k));
      });
    }
    SINTER_UNROLL
    for (int k = 0; k < at_once; ++k) {
      if (k * lanes >= left) break;
      each(steps{}, [&]<class S>(auto i, S s) {
        if constexpr (S::bits.row) at<i>(f[k]) = at<i>(of_row);
        else if constexpr (S::bits.phase == P && S::bits.needed != 0) at<i>(f[k]) = evaluate<number>(s, f[k]);
        if constexpr (!S::bits.row && S::bits.phase == P && S::bits.store >= 0)
          element_at<S::bits.store, typename S::type>(l, own.from(k)) = at<i>(f[k]);
      });
      take<P>(state, f[k], lane + k * lanes);
    }
    meet<P>(of_row, state, team);
    if constexpr (P + 1 < Phases) phase_of_kept<P + 1>(f, of_row, row, own, team);
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
