// SPDX-License-Identifier: Apache-2.0
// A product with a map: one element of the result at each index, added in the order of the loops over the depth.
#pragma once
#include "product_parts.hpp"

namespace sinter::gpu {
inline namespace SINTER_GPU_SYSTEM {
inline namespace SINTER_ISA {

template <class T, class... Slot, class... Step>
struct body<mapped_product<T, types<Slot...>, types<Step...>>> : product_loops<mapped_product<T, types<Slot...>, types<Step...>>> {
  using base = product_loops<mapped_product<T, types<Slot...>, types<Step...>>>;
  using base::all, base::l, base::map, base::n, base::start;
  using slots = types<Slot...>;
  using steps = types<Step...>;
  using values = frame<number, slots, steps>;
  using base::base;

  std::int64_t size() const { return l.turns(0, l.rank - map.depth); }

  SINTER_HD void operator()(std::int64_t i) const {
    values f{};
    cursor<all> c = start;
    l.seek(c, 0, l.rank - map.depth, i);
    T sum{};
    std::int64_t turn[max_loop]{};
    cursor<all> k = c;
    for (std::int64_t left = l.turns(l.rank - map.depth, l.rank); left > 0; --left) {
      sum = add(f, sum, k);
      next(k, turn);
    }
    finish_element<product_step(steps{})>(slots{}, steps{}, l, c, sum);
  }

 private:
  template <class S> static constexpr bool is_product = S::op::kind == family::product;
  template <int J> static SINTER_HD constexpr bool windowed() { return (reads_windowed<J>(Step{}) || ...); }
  template <int J> static SINTER_HD constexpr bool second() { return ((is_product<Step> && reads<J>(Step{}) && !windowed<J>()) || ...); }
  // One more term.
  SINTER_HD T add(values& f, T sum, cursor<all> const& k) const {
    bool const shows = inside(map, k.at + n);
    each(slots{}, [&]<class S>(auto j, S) {
      if constexpr (windowed<j>()) {
        if (shows) at<-1 - j>(f) = element_at<j, typename S::type>(this->l, k);
      } else if constexpr (second<j>()) at<-1 - j>(f) = element_at<j, typename S::type>(this->l, k);
    });
    each(steps{}, [&]<class S>(auto s, S step) {
      if constexpr (S::bits.prologue) {
        if (shows) at<s>(f) = evaluate<number>(step, f);
      } else if constexpr (is_product<S>)
        sum = element::add(sum, element::multiply(shows ? at<first_operand(S{})>(f) : T{}, at<second_operand(S{})>(f)));
    });
    return sum;
  }
  // The next turn of the loops over the depth.
  SINTER_HD void next(cursor<all>& k, std::int64_t* turn) const {
    for (int d = l.rank - 1; d >= l.rank - map.depth; --d) {
      if (++turn[d] < l.extent[d]) {
        for (int j = 0; j < all; ++j) k.at[j] += l.stride[j][d];
        return;
      }
      for (int j = 0; j < all; ++j) k.at[j] -= (turn[d] - 1) * l.stride[j][d];
      turn[d] = 0;
    }
  }
};

}  // namespace SINTER_ISA
}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter::gpu
