// SPDX-License-Identifier: Apache-2.0
// What operations that are never fused have in common: independent items, which any thread may compute.
#pragma once
#include "arguments.hpp"

namespace sinter::ops::inline SINTER_ISA {

// What a kernel of an opaque operation is given: row-major arrays with their extents.
template <class T> struct array_view {
  T* data = nullptr;
  dims shape;
};
// A thread's share of the work: item number `item`, of which it computes the inner elements lane, lane + lanes, ... where lanes share items.
struct share {
  std::int64_t item = 0, lane = 0, lanes = 1;
};
// An operation that is never fused consists of `items(attributes, shapes of the results and the operands)` independent items, and
// `item(attributes, share, results..., operands...)` computes one of them. `run` computes all, one after the other.
template <class Self> struct opaque_op {
  static constexpr family kind = family::opaque;
  static constexpr int cost = 100;
  static constexpr bool lanes_share_items = false;  // otherwise one thread computes an item, and its neighbours compute the next ones
  template <class A, class... Array> static constexpr void run(A const& a, Array... arrays) {
    dims const shapes[]{arrays.shape...};
    std::int64_t const n = Self::items(a, shapes);
    for (std::int64_t i = 0; i < n; ++i) Self::item(a, share{i}, arrays...);
  }
};
// An axis in the middle of a shape: the extents before it, its own, and those behind it.
struct around {
  std::int64_t outer = 1, n = 1, inner = 1;
  SINTER_HD constexpr around(dims const& s, std::int64_t axis) {
    for (int i = 0; i < s.rank; ++i) (i < axis ? outer : i > axis ? inner : n) *= s.d[i];
  }
};

}  // namespace sinter::ops::inline SINTER_ISA
