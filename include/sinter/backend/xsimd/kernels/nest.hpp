// SPDX-License-Identifier: Apache-2.0
// The loops of a product with a map, by roles, and where its operands stand in them.
#pragma once
#include "common.hpp"

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace kernels {

template <int N> struct nest {
  kernel::mapped_loops<N> loops;
  std::int64_t const* extent;
  int windows;
  window const* window_at;
  int rows, columns, depth, end;  // where each role begins; the batches begin at 0
  std::int64_t m, n, k;
  nest(launch const& l, bool const* windowed)
      : loops(l, windowed),
        extent(l.extent),
        windows(l.map->windows),
        window_at(l.map->window_at),
        rows(l.rank - l.map->depth - l.map->columns - l.map->rows),
        columns(rows + l.map->rows),
        depth(columns + l.map->columns),
        end(l.rank),
        m(turns(l, rows, columns)),
        n(turns(l, columns, depth)),
        k(turns(l, depth, end)) {}
  std::int64_t stride(int j, int loop) const { return loops.stride[j * max_loop + loop]; }
  // Where operand j stands in turn i of the loops [from, to).
  std::int64_t place(int j, int from, int to, std::int64_t i) const {
    std::int64_t at = 0;
    for (int d = to - 1; d > from; --d) {
      at += i % extent[d] * stride(j, d);
      i /= extent[d];
    }
    return at + i * stride(j, from);
  }
  // Whether its elements stand side by side in these loops.
  bool lies_in_a_row(int j, int from, int to) const {
    std::int64_t step = 1;
    for (int d = to - 1; d >= from; --d) {
      if (extent[d] == 1) continue;
      if (stride(j, d) != step) return false;
      step *= extent[d];
    }
    return true;
  }
};

}  // namespace kernels
}  // namespace SINTER_ISA
}  // namespace sinter::simd
