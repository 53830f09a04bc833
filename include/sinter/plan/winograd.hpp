// SPDX-License-Identifier: Apache-2.0
// Which products with a map have Winograd's form F(4 x 4, 3 x 3).
#pragma once
#include "plan.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// Why a product with `rank` loops and this map is computed directly; empty where it need not be. `extent(i)`: the turns of loop i, or -1 where a
// call decides; `moves(i)`: whether the second operand moves along it.
template <class Extent, class Moves>
constexpr std::string_view no_winograd_because(loop_map const& m, int rank, Extent const& extent, Moves const& moves) {
  constexpr std::int64_t fewest_channels = 32;
  int const depth = rank - m.depth, columns = depth - m.columns, rows = columns - m.rows;
  bool windows = m.windows == 2 && m.columns == 2 && m.depth >= 2;
  for (int w = 0; w < m.windows && windows; ++w) {
    window const& v = m.window_at[w];
    windows = v.outer == columns + w && v.inner == rank - 2 + w && extent(v.inner) == 3 && v.step == 1 && v.dilation == 1;
  }
  if (!windows) return "its window is not 3 x 3 in steps of 1";
  for (int i = 0; i < rows; ++i)
    if (moves(i)) return "its channels are in groups";
  std::int64_t inputs = 1, outputs = 1;
  for (int i = depth; i < rank - 2; ++i) inputs *= extent(i);
  for (int i = rows; i < columns; ++i) outputs *= extent(i);
  return inputs < fewest_channels || outputs < fewest_channels ? "it has fewer than 32 channels" : "";
}
// The same of a kernel, a product with a map: its weights are prepared when parameters have changed.
constexpr std::string_view no_winograd_because(plan const& p, int kernel) {
  group const& q = p.groups[kernel];
  int second = -1;
  for (preparation const& w : p.preparations)
    if (w.group == kernel && p.buffers[p.operands[q.operands.at + w.operand].buffer].where != storage::constant) second = w.operand;
  if (second < 0) return "its weights are no parameters";
  operand const& weights = p.operands[q.operands.at + second];
  if (!is_floating(weights.type) || bytes_of(weights.type) < 4) return "its elements are neither float32 nor float64";
  return no_winograd_because(
      p.maps[q.map], q.rank, [&](int i) { return q.extents[i].fixed() ? q.extents[i].k : -1; },
      [&](int i) { return weights.stride[i] != size{}; });
}

}  // namespace SINTER_ISA
}  // namespace sinter
