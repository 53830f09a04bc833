// SPDX-License-Identifier: Apache-2.0
// Which products with a map have one of Winograd's forms.
#pragma once
#include <algorithm>

#include "plan.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// F(tile x tile, 3 x 3), or why a convolution is computed directly.
struct winograd_choice {
  int tile = 0;
  std::string_view directly_because{};
};

// The form with the fewest multiplications for each pair of channels. Tiles are counted in sixteens, as large vectors hold them, and as weights at
// points, which come from memory, take no less time. What is added beside the products has to be worth it, too: of the direct form's, less than
// three quarters may be left.
constexpr winograd_choice winograd_for(std::int64_t images, std::int64_t high, std::int64_t wide) {
  auto const cost = [&](std::int64_t tile) {
    std::int64_t const tiles = images * ((high + tile - 1) / tile) * ((wide + tile - 1) / tile);
    return (tile + 2) * (tile + 2) * ((tiles + 15) / 16 * 16);
  };
  std::int64_t const two = cost(2), four = cost(4);
  if (4 * std::min(two, four) >= 3 * 9 * images * high * wide) return {0, "its images are too small"};
  return {two <= four ? 2 : 4};
}
// Of a product with `rank` loops and this map. `extent(i)`: the turns of loop i; where a call decides how many images there are, less than 1: then
// the choice is that for one. `moves(i)`: whether the second operand moves along it.
template <class Extent, class Moves>
constexpr winograd_choice winograd_of(loop_map const& m, int rank, Extent const& extent, Moves const& moves) {
  constexpr std::int64_t fewest_channels = 32;
  int const depth = rank - m.depth, columns = depth - m.columns, rows = columns - m.rows;
  bool windows = m.windows == 2 && m.columns == 2 && m.depth >= 2;
  for (int w = 0; w < m.windows && windows; ++w) {
    window const& v = m.window_at[w];
    windows = v.outer == columns + w && v.inner == rank - 2 + w && extent(v.inner) == 3 && v.step == 1 && v.dilation == 1;
  }
  if (!windows) return {0, "its window is not 3 x 3 in steps of 1"};
  std::int64_t images = 1, inputs = 1, outputs = 1;
  for (int i = 0; i < rows; ++i) {
    if (moves(i)) return {0, "its channels are in groups"};
    images *= std::max(extent(i), std::int64_t{1});
  }
  for (int i = depth; i < rank - 2; ++i) inputs *= extent(i);
  for (int i = rows; i < columns; ++i) outputs *= extent(i);
  if (inputs < fewest_channels || outputs < fewest_channels) return {0, "it has fewer than 32 channels"};
  return winograd_for(images, extent(columns), extent(columns + 1));
}
// The same of a kernel, a product with a map: its weights are prepared when parameters have changed.
constexpr winograd_choice winograd_of(plan const& p, int kernel) {
  group const& q = p.groups[kernel];
  int second = -1;
  for (preparation const& w : p.preparations)
    if (w.group == kernel && p.buffers[p.operands[q.operands.at + w.operand].buffer].where != storage::constant) second = w.operand;
  if (second < 0) return {0, "its weights are no parameters"};
  operand const& weights = p.operands[q.operands.at + second];
  if (!is_floating(weights.type) || bytes_of(weights.type) < 4) return {0, "its elements are neither float32 nor float64"};
  return winograd_of(
      p.maps[q.map], q.rank, [&](int i) { return q.extents[i].fixed() ? q.extents[i].k : std::int64_t{0}; },
      [&](int i) { return weights.stride[i] != size{}; });
}

}  // namespace SINTER_ISA
}  // namespace sinter
