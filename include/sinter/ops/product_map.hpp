// SPDX-License-Identifier: Apache-2.0
// The map of a product: the loops that it runs, and along which axes of its operands and its result each of them moves.
//
// result[...] = sum over loops of first[...] * second[...]. A loop has one of four roles, and several may have the same one:
//   batch    it moves in both operands and in the result
//   row      in the second operand and the result
//   column   in the first operand and the result
//   reduced  not in the result: its terms are added, in the order of the loops
// An axis along which several loops move, the earlier ones outside, is their row-major product: 12 channels are 3 groups of 4. The other kind of
// axis is a window of the first operand: there two loops move, and stand at
//   place = turn of the outer loop * step + turn of the inner loop * dilation - shift.
// Outside [0, extent of the axis) a zero stands in the operand's place, behind whatever is computed from the operand while it is read.
// So a convolution of any rank is a product whose outer loops are output positions and whose inner loops are kernel positions. Other maps
// split the heads of an attention without a copy, sum the windows of a pool, and make a transposed convolution of one product for each
// remainder of the stride: test/plan/map.cpp has them.
#pragma once
#include "../graph/layout.hpp"
#include "../graph/op.hpp"

namespace sinter::ops::inline SINTER_ISA {

inline constexpr int max_windows = 3;
// A keyword's numbers, one for each window: one number stands for all. Clears `fits` where a call gave another count than `spatial`.
constexpr int_list for_each_window(int_list const& given, int spatial, bool& fits) {
  if (given.n > 1 && given.n != spatial) fits = false;
  int_list r;
  for (int i = 0; i < max_windows; ++i) r.push(given[given.n == 1 ? 0 : i]);
  return r;
}

struct product_map {
  static constexpr extent taken = -1;  // an extent that is the axis's
  struct loop {
    int first = -1, second = -1, result = -1;  // axes, -1 where it does not move
    extent n = taken;
  };
  struct window {
    int axis = 0;
    std::int64_t step = 1, dilation = 1, shift = 0;
  };
  int loops = 0, windows = 0;
  loop loop_at[max_loop]{};
  window window_at[max_windows]{};

  constexpr void add(loop const& l) { loop_at[loops++] = l; }
  constexpr void add(window const& w) { window_at[windows++] = w; }
  // The window of an axis of the first operand, or nullptr.
  constexpr window const* window_of(int axis) const {
    for (int w = 0; w < windows; ++w)
      if (window_at[w].axis == axis) return &window_at[w];
    return nullptr;
  }
  constexpr size extent_of(int i, dims const& first, dims const& second, dimension_table const& t) const {
    loop const& l = loop_at[i];
    if (l.n != taken) return {l.n, 0};
    if (l.first >= 0) return t.size_of(first.d[l.first]);
    return l.second >= 0 ? t.size_of(second.d[l.second]) : size{1, 0};  // one that moves in neither turns once
  }

  // As attributes: so many loops and windows, then theirs.
  static constexpr void each(auto& a, auto&& f) {
    f("loops", a.loops), f("windows", a.windows);
    for (int i = 0; i < a.loops; ++i) {
      auto& l = a.loop_at[i];
      f("first", l.first), f("second", l.second), f("result", l.result), f("extent", l.n);
    }
    for (int i = 0; i < a.windows; ++i) {
      auto& w = a.window_at[i];
      f("axis", w.axis), f("step", w.step), f("dilation", w.dilation), f("shift", w.shift);
    }
  }
};

}  // namespace sinter::ops::inline SINTER_ISA
