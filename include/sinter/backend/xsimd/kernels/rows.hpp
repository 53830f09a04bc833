// SPDX-License-Identifier: Apache-2.0
// Reductions with elementwise steps around them, one row after another. Vectors lie along a row, or, where only neighbouring rows are
// neighbours in memory, across rows: then each lane is a row.
#pragma once
#include "reduce.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace kernels {

template <class... Slot, class... Step, int Phases> struct run<kernel::rows<types<Slot...>, types<Step...>, Phases>> {
  using slots = types<Slot...>;
  using steps = types<Step...>;
  using values = frame<vec, slots, steps>;
  static constexpr int n = sizeof...(Slot);
  template <int J> using slot_at = std::tuple_element_t<static_cast<std::size_t>(J), std::tuple<Slot...>>;
  template <int I> using value_at = typename element::lanes<std::remove_cvref_t<decltype(at<I>(std::declval<values&>()))>>::type;

  template <class S, int P> static constexpr bool reduces_in = S::reduces && S::bits.phase - 1 == P;
  template <class S, int P> static constexpr bool runs_in = !S::bits.row && ((S::bits.needed >> P) & 1) != 0;
  template <class S, int P> static constexpr bool kept_before = S::bits.keep >= 0 && P > S::bits.phase;
  // A step that is one value a row and known when phase P begins; one that phase P stores; an operand that is one number a row.
  template <class S, int P> static constexpr bool is_known_in = S::bits.row && S::bits.phase <= P;
  template <class S, int P> static constexpr bool is_stored_in =
      runs_in<S, P> && S::bits.phase == P && (S::bits.store >= 0 || S::bits.keep >= 0);
  template <class S> static constexpr bool is_number = !S::written && S::mode == access::zero;
  template <int P> static constexpr bool works = ((reduces_in<Step, P> || runs_in<Step, P>) || ...);
  template <int J, int P> static constexpr bool is_read =
      ((reads<J>(Step{}) && (reduces_in<Step, P> || (runs_in<Step, P> && !kept_before<Step, P>))) || ...);
  template <int P>
  static constexpr int cycles_in = ((reduces_in<Step, P>                         ? 1
                                     : runs_in<Step, P> && !kept_before<Step, P> ? cost_of<typename Step::op>
                                                                                 : 0) +
                                    ... + 0);
  static constexpr int cycles = []<std::size_t... P>(std::index_sequence<P...>) {
    return (cycles_in<P> + ... + 0);
  }(std::make_index_sequence<Phases>{});
  static constexpr int bytes = (static_cast<int>(sizeof(typename Slot::type)) + ... + 0);

  template <class S> static auto start() {
    if constexpr (S::reduces) return total<typename S::op, value_at<kernel::first_operand(S{})>>{};
    else return no_total{};
  }
  struct totals_of {
    template <std::size_t... I> static auto make(std::index_sequence<I...>)
        -> leaves<leaf<static_cast<int>(I), decltype(start<Step>())>...>;
    using type = decltype(make(std::index_sequence_for<Step...>{}));
  };
  using totals = typename totals_of::type;

  template <class T> SINTER_INLINE static vec<T> get(T const* p, std::int64_t stride, int count) {
    if (stride == 0) return splat(*p);
    return count == lanes ? read<false>(p, stride, count) : read<true>(p, stride, count);
  }
  template <class T> SINTER_INLINE static void put(T* p, std::int64_t stride, vec<T> const& v, int count) {
    if (count == lanes) write<false>(p, stride, v, count);
    else write<true>(p, stride, v, count);
  }

  // ---- along a row

  // What is one number a row, of neighbouring rows: a lane each, so that one instruction computes it for all.
  template <class T> struct numbers {
    T of[static_cast<std::size_t>(lanes)];
  };
  using kept = frame<numbers, slots, steps>;
  // Neighbours in the last loop over rows go side by side, phase by phase: a row's phases wait for one another, others' do not.
  struct bundle {
    int size = 0;
    places<slots> first;  // where the first row begins, and the step to the next one
    kept values;
  };
  template <class S> static auto start_stack() {
    if constexpr (requires { typename decltype(start<S>())::stack; }) return typename decltype(start<S>())::stack{};
    else return no_total{};
  }
  struct stacks_of {
    template <std::size_t... I> static auto make(std::index_sequence<I...>)
        -> leaves<leaf<static_cast<int>(I), decltype(start_stack<Step>())>...>;
    using type = decltype(make(std::index_sequence_for<Step...>{}));
  };
  using stacks = typename stacks_of::type;

  // Steps that give one value a row and are ready when phase P begins.
  template <int P> SINTER_INLINE static void row_steps(bundle& rows) {
    values f;
    each_where<is_number<Slot>...>(slots{}, [&](auto j, auto) SINTER_INLINED { at<-1 - j>(f) = load(at<-1 - j>(rows.values).of); });
    each_where<is_known_in<Step, P>...>(steps{}, [&]<class S>(auto i, S s) SINTER_INLINED {
      if constexpr (!S::reduces && S::bits.phase == P) {
        at<i>(f) = compute(s, f);
        store(at<i>(rows.values).of, at<i>(f));
      } else at<i>(f) = load(at<i>(rows.values).of);
      if constexpr (S::bits.phase == P && S::bits.store >= 0) {
        auto const& to = at<S::bits.store>(rows.first);
        put(to.p, to.stride, at<i>(f), rows.size);
      }
    });
  }
  // The elements from i on.
  template <int P, bool Partial> SINTER_INLINE static void vector(values& f, totals& t, places<slots> const& s, std::int64_t i,
                                                                  std::int64_t when, int count) {
    each_where<(!Slot::written && Slot::mode != access::zero)...>(slots{}, [&]<class S>(auto j, S) SINTER_INLINED {
      if constexpr (is_read<j, P>) at<-1 - j>(f) = read<S::mode, Partial>(at<j>(s), i, count);
    });
    each_where<(runs_in<Step, P> || reduces_in<Step, P>)...>(steps{}, [&]<class S>(auto k, S step) SINTER_INLINED {
      if constexpr (runs_in<S, P>) {
        if constexpr (kept_before<S, P>) at<k>(f) = read<slot_at<S::bits.keep>::mode, Partial>(at<S::bits.keep>(s), i, count);
        else at<k>(f) = compute(step, f);
      } else at<k>(t).template take<Partial>(at<kernel::first_operand(S{})>(f), when, count);
    });
    each_where<is_stored_in<Step, P>...>(steps{}, [&]<class S>(auto k, S) SINTER_INLINED {
      constexpr int store = S::bits.store, keep = S::bits.keep != store ? S::bits.keep : -1;
      if constexpr (keep >= 0) write<slot_at<keep>::mode, Partial>(at<keep>(s), i, at<k>(f), count);
      if constexpr (store >= 0) write<slot_at<store>::mode, Partial>(at<store>(s), i, at<k>(f), count);
    });
  }
  SINTER_INLINE static void rotate(totals& t) {
    each_where<Step::reduces...>(steps{}, [&](auto k, auto) SINTER_INLINED { at<k>(t).rotate(); });
  }
  template <int P> SINTER_INLINE static void line(places<slots> const& s, std::int64_t to, values& f, totals& t, std::int64_t& when) {
    each_where<is_number<Slot>...>(slots{}, [&](auto j, auto) SINTER_INLINED {
      if constexpr (is_read<j, P>) at<-1 - j>(f) = splat(*at<j>(s).p);
    });
    std::int64_t i = 0;
    if constexpr (cycles_in<P> <= 24) {  // short bodies spend their time on the loop and on moving totals: four at a time move by name
      for (; i + 4 * lanes <= to; i += 4 * lanes, when += 4) {
        vector<P, false>(f, t, s, i, when, lanes);
        rotate(t);
        vector<P, false>(f, t, s, i + lanes, when + 1, lanes);
        rotate(t);
        vector<P, false>(f, t, s, i + 2 * lanes, when + 2, lanes);
        rotate(t);
        vector<P, false>(f, t, s, i + 3 * lanes, when + 3, lanes);
        rotate(t);
      }
    }
    for (; i + lanes <= to; i += lanes, ++when) {
      vector<P, false>(f, t, s, i, when, lanes);
      rotate(t);
    }
    if (i < to) {
      vector<P, true>(f, t, s, i, when, static_cast<int>(to - i));
      rotate(t);
      ++when;
    }
  }
  // Not inlined, so that what they need leaves the registers to those who have but one loop along a row, and one over rows.
  SINTER_NOINLINE static void next_row(launch const& l, cursor<n>& outer) { outer.next(l, 0, l.row_rank - 1); }
  SINTER_NOINLINE static bool next_line(launch const& l, cursor<n>& inner) { return inner.next(l, l.row_rank, l.rank - 1); }

  // Ends with what the next phase needs of its totals, so that other rows' work hides how long that takes.
  template <int P> SINTER_INLINE static void phase(launch const& l, bundle& rows, cursor<n>& inner, std::int64_t count) {
    if constexpr (works<P>) {
      std::int64_t const length = l.extent[l.rank - 1];
      bool const nested = l.rank - l.row_rank > 1;
      places<slots> row = rows.first, s;
      each_of(slots{}, [&](auto j, auto) SINTER_INLINED { at<j>(s).stride = l.stride[j * max_loop + l.rank - 1]; });
      stacks all;
      for (int r = 0; r < rows.size; ++r) {
        values f;
        each_of(slots{}, [&]<class S>(auto j, S) SINTER_INLINED {
          if constexpr (is_number<S>) at<-1 - j>(f) = splat(at<-1 - j>(rows.values).of[r]);
          at<j>(s).p = at<j>(row).p;
          at<j>(row).p += at<j>(row).stride;
        });
        each_where<is_known_in<Step, P>...>(steps{}, [&](auto i, auto) SINTER_INLINED { at<i>(f) = splat(at<i>(rows.values).of[r]); });
        totals t;
        if (count > 0) {
          std::int64_t when = 0;
          for (;;) {
            line<P>(s, length, f, t, when);
            if (!nested) [[likely]]
              break;
            each_of(slots{}, [&](auto j, auto) SINTER_INLINED { at<j>(s).p -= inner.at[j]; });
            if (!next_line(l, inner)) break;
            each_of(slots{}, [&](auto j, auto) SINTER_INLINED { at<j>(s).p += inner.at[j]; });
          }
        }
        each_where<reduces_in<Step, P>...>(steps{}, [&]<class S>(auto i, S) SINTER_INLINED {
          if constexpr (requires { at<i>(all).v; }) at<i>(all).v[r] = at<i>(t).all();
          else at<i>(rows.values).of[r] = at<i>(t).template across<typename S::type>(count, length);
        });
      }
      each_where<reduces_in<Step, P>...>(steps{}, [&]<class S>(auto i, S) SINTER_INLINED {
        if constexpr (requires { at<i>(all).v; }) {
          using total = decltype(start<S>());
          auto& results = at<i>(rows.values).of;
          if (rows.size <= lanes / 4) {  // for so few, a stack is not worth its shuffles
            for (int r = 0; r < rows.size; ++r) results[r] = total::across(at<i>(all).v[r], count);
            return;
          }
          for (int r = rows.size; r < lanes; ++r) at<i>(all).v[r] = at<i>(all).v[0];  // whatever memory holds may be slow to add
          store(results, total::across(at<i>(all), count));
        }
      });
    }
    if constexpr (P + 1 < Phases) row_steps<P + 1>(rows);
  }
  SINTER_FLATTEN static void row_by_row(launch const& l, pointer const* p, std::int64_t from, std::int64_t to) {
    std::int64_t const count = turns(l, l.row_rank, l.rank),
                       most = std::clamp<std::int64_t>(4096 / std::max<std::int64_t>(count, 1), 1, lanes);
    // Each phase is a bundle behind the one before, where the rows of all of them stay in the first cache.
    int const lag = to - from > most && most * count <= 2048 ? 1 : 0, loop = std::max(l.row_rank - 1, 0);
    std::int64_t const width = l.row_rank > 0 ? l.extent[loop] : 1;
    cursor<n> outer, inner;
    outer.seek(l, 0, loop, from / width);
    places<slots> next = places_at<slots>(l, p, outer.at, nullptr, loop);
    std::int64_t left = width - from % width, begun = 0;
    each_of(slots{}, [&](auto j, auto) SINTER_INLINED { at<j>(next).p += from % width * at<j>(next).stride; });
    bundle bundles[Phases];
    for (std::int64_t turn = 0; from < to || turn < begun + lag * (Phases - 1); ++turn) {
      if (from < to) {
        if (left == 0) {
          next_row(l, outer);
          each_of(slots{}, [&]<class S>(auto j, S) SINTER_INLINED { at<j>(next).p = p[j].template get<typename S::type>() + outer.at[j]; });
          left = width;
        }
        bundle& rows = bundles[turn % Phases];
        std::int64_t const size = std::min(std::min(most, left), to - from);
        rows.size = static_cast<int>(size);
        rows.first = next;
        if (size < lanes) rows.values = {};
        each_of(slots{}, [&]<class S>(auto j, S) SINTER_INLINED {
          auto& [begin, step] = at<j>(next);
          if constexpr (is_number<S>) store(at<-1 - j>(rows.values).of, get(begin, step, rows.size));
          begin += size * step;
        });
        row_steps<0>(rows);
        from += size;
        left -= size;
        ++begun;
      }
      [&]<int... P>(std::integer_sequence<int, P...>) SINTER_INLINED {
        ((turn >= P * lag && turn - P * lag < begun ? phase<P>(l, bundles[(turn - P * lag) % Phases], inner, count) : void()), ...);
      }(std::make_integer_sequence<int, Phases>{});
    }
  }

  // ---- across rows: neighbours in the last loop over rows

  template <int P> SINTER_INLINE static void row_steps(values& f, places<slots> const& s, int count) {
    each_where<(Step::bits.row && Step::bits.phase == P)...>(steps{}, [&]<class S>(auto i, S step) SINTER_INLINED {
      if constexpr (!S::reduces) at<i>(f) = compute(step, f);
      if constexpr (S::bits.store >= 0) put(at<S::bits.store>(s).p, at<S::bits.store>(s).stride, at<i>(f), count);
    });
  }
  template <int P> SINTER_INLINE static void elements(values& f, totals& t, places<slots> const& s, std::int64_t when, int count) {
    each_where<!Slot::written...>(slots{}, [&](auto j, auto) SINTER_INLINED {
      if constexpr (is_read<j, P>) at<-1 - j>(f) = get(at<j>(s).p, at<j>(s).stride, count);
    });
    each_where<(runs_in<Step, P> || reduces_in<Step, P>)...>(steps{}, [&]<class S>(auto k, S step) SINTER_INLINED {
      if constexpr (runs_in<S, P>) {
        if constexpr (kept_before<S, P>) at<k>(f) = get(at<S::bits.keep>(s).p, at<S::bits.keep>(s).stride, count);
        else at<k>(f) = compute(step, f);
      } else at<k>(t).template take<false>(at<kernel::first_operand(S{})>(f), when, count);
    });
    each_where<is_stored_in<Step, P>...>(steps{}, [&]<class S>(auto k, S) SINTER_INLINED {
      constexpr int store = S::bits.store, keep = S::bits.keep != store ? S::bits.keep : -1;
      if constexpr (keep >= 0) put(at<keep>(s).p, at<keep>(s).stride, at<k>(f), count);
      if constexpr (store >= 0) put(at<store>(s).p, at<store>(s).stride, at<k>(f), count);
    });
    rotate(t);
  }
  template <int P> SINTER_INLINE static void phase_across(launch const& l, pointer const* p, values& f, cursor<n> const& row,
                                                          cursor<n>& inner, std::int64_t count, int width) {
    int const loop = l.row_rank - 1;
    row_steps<P>(f, places_at<slots>(l, p, row.at, inner.at, loop), width);
    if constexpr (works<P>) {
      totals t;
      places<slots> const step = places_at<slots>(l, p, row.at, inner.at, l.rank - 1);
      std::int64_t when = 0;
      if (count > 0) do {
          places<slots> s = places_at<slots>(l, p, row.at, inner.at, loop);
          for (std::int64_t i = 0, to = l.extent[l.rank - 1]; i < to; ++i, ++when) {
            elements<P>(f, t, s, when, width);
            each_of(slots{}, [&](auto j, auto) SINTER_INLINED { at<j>(s).p += at<j>(step).stride; });
          }
        } while (inner.next(l, l.row_rank, l.rank - 1));
      each_where<reduces_in<Step, P>...>(
          steps{}, [&]<class S>(auto k, S) SINTER_INLINED { at<k>(f) = at<k>(t).template each_lane<typename S::type>(count); });
    }
    if constexpr (P + 1 < Phases) phase_across<P + 1>(l, p, f, row, inner, count, width);
  }
  // Runs over `from` to `to` of the last loop over rows, for every turn of the loops before.
  SINTER_FLATTEN static void across_rows(launch const& l, pointer const* p, std::int64_t from, std::int64_t to) {
    std::int64_t const count = turns(l, l.row_rank, l.rank), width = l.extent[l.row_rank - 1], blocks = (width + lanes - 1) / lanes;
    values f;
    cursor<n> inner;
    for (; from < to; ++from) {
      std::int64_t const first = from % blocks * lanes;
      cursor<n> row;
      row.seek(l, 0, l.row_rank - 1, from / blocks);
      for (int j = 0; j < n; ++j) row.at[j] += first * l.stride[j * max_loop + l.row_rank - 1];
      int const lane_count = static_cast<int>(std::min<std::int64_t>(lanes, width - first));
      each_where<is_number<Slot>...>(slots{}, [&]<class S>(auto j, S) SINTER_INLINED {
        at<-1 - j>(f) = get(p[j].template get<typename S::type>() + row.at[j], l.stride[j * max_loop + l.row_rank - 1], lane_count);
      });
      phase_across<0>(l, p, f, row, inner, count, lane_count);
    }
  }
  // An operand that jumps along the rows, and all such ones stand side by side from row to row.
  static bool lies_across(launch const& l) {
    if (l.row_rank == 0 || l.extent[l.row_rank - 1] < (lanes < 8 ? 2 : lanes / 4)) return false;
    bool fits = true;
    each_of(slots{}, [&]<class S>(auto j, S) {
      std::int64_t const stride = l.stride[j * max_loop + l.row_rank - 1];
      if (S::mode == access::strided && stride != 0 && stride != 1) fits = false;
    });
    return fits;
  }
  static void go(launch const& l, pointer const* p) {
    std::int64_t const rows = turns(l, 0, l.row_rank);
    if (rows == 0) return;
    share const parts = share_of(turns(l, 0, l.rank), cycles, bytes);
    if constexpr (((Slot::mode == access::strided) || ...)) {
      if (lies_across(l)) {
        std::int64_t const width = l.extent[l.row_rank - 1];
        return in_parts(parts, rows / width * ((width + lanes - 1) / lanes), 1,
                        [&](std::int64_t from, std::int64_t to) { across_rows(l, p, from, to); });
      }
    }
    in_parts(parts, rows, 1, [&](std::int64_t from, std::int64_t to) { row_by_row(l, p, from, to); });
  }
};

}  // namespace kernels
}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
