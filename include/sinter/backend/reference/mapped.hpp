// SPDX-License-Identifier: Apache-2.0
// A product with a map: several loops for rows, columns and depth, and zeros outside of windows.
#pragma once
#include <array>

#include "loops.hpp"

namespace sinter::reference::inline SINTER_ISA {

template <class T, class... Slot, class... Step, class Probe> struct run<mapped_product<T, types<Slot...>, types<Step...>>, Probe> {
  static constexpr int n = sizeof...(Slot), all = kernel::mapped_loops<n>::size;
  using values = frame<number, types<Slot...>, types<Step...>>;
  template <class S> static constexpr bool is_product = S::op::kind == family::product;
  template <int J> static constexpr bool windowed = (reads_windowed<J>(Step{}) || ...);
  template <int J> static constexpr bool second = ((is_product<Step> && reads<J>(Step{}) && !windowed<J>) || ...);
  template <int J> static constexpr bool read_after = ((!is_product<Step> && !Step::bits.prologue && reads<J>(Step{})) || ...);

  static constexpr void go(launch const& l, pointer const* p) {
    Probe::launch();
    constexpr auto is_windowed = []<std::size_t... J>(std::index_sequence<J...>) {
      return std::array<bool, sizeof...(J)>{windowed<static_cast<int>(J)>...};
    }(std::index_sequence_for<Slot...>{});
    kernel::mapped_loops<n> const loops(l, is_windowed.data());
    launch own = l;
    own.stride = loops.stride;
    cursor<all> start;
    for (int j = 0; j < all; ++j) start.at[j] = loops.start[j];
    loop_map const& m = *l.map;
    int const depth = l.rank - m.depth, columns = depth - m.columns, rows = columns - m.rows;
    values f{};
    loop<all>(own, 0, rows, start, [&](cursor<all> const& batch) {
      bool first = true;  // what runs on the first operand is counted once for each element: in the first row
      loop<all>(own, rows, columns, batch, [&](cursor<all> const& row) {
        loop<all>(own, columns, depth, row, [&](cursor<all> const& c) {
          T sum{};
          loop<all>(own, depth, l.rank, c, [&](cursor<all> const& k) { sum = add(f, sum, m, p, k, first); });
          finish(f, sum, p, c);
        });
        first = false;
      });
    });
  }

 private:
  template <int J, class S> static constexpr void read(values& f, pointer const* p, cursor<all> const& c) {
    auto const* from = p[J].template get<typename S::type>() + c.at[J];
    Probe::load(J, from);
    at<-1 - J>(f) = *from;
  }
  // One more term.
  static constexpr T add(values& f, T sum, loop_map const& m, pointer const* p, cursor<all> const& k, bool counts) {
    bool const shows = inside(m, k.at + n);
    each(types<Slot...>{}, [&]<class S>(auto j, S) {
      if constexpr (windowed<j>) {
        if (shows) read<j, S>(f, p, k);
      } else if constexpr (second<j>) read<j, S>(f, p, k);
    });
    each(types<Step...>{}, [&]<class S>(auto i, S s) {
      if constexpr (S::bits.prologue) {
        if (shows) at<i>(f) = evaluate<number>(s, f);
        if (counts) Probe::operation(ops::info<typename S::op>.flops);
      } else if constexpr (is_product<S>) {
        sum = element::add(sum, element::multiply(shows ? at<first_operand(S{})>(f) : T{}, at<second_operand(S{})>(f)));
        Probe::operation(2);
      }
    });
    return sum;
  }
  static constexpr void finish(values& f, T sum, pointer const* p, cursor<all> const& c) {
    each(types<Slot...>{}, [&]<class S>(auto j, S) {
      if constexpr (!S::written && read_after<j>) read<j, S>(f, p, c);
    });
    each(types<Step...>{}, [&]<class S>(auto i, S s) {
      if constexpr (is_product<S>) at<i>(f) = sum;
      else if constexpr (!S::bits.prologue) {
        at<i>(f) = evaluate<number>(s, f);
        Probe::operation(ops::info<typename S::op>.flops);
      }
      if constexpr (S::bits.store >= 0) store_one<Probe, S::bits.store>(p, c.at[S::bits.store], at<i>(f));
    });
  }
};

}  // namespace sinter::reference::inline SINTER_ISA
