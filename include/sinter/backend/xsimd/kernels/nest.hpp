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
  std::int64_t batches, m, n, k;
  nest(launch const& l, bool const* windowed)
      : loops(l, windowed),
        extent(l.extent),
        windows(l.map->windows),
        window_at(l.map->window_at),
        rows(l.rank - l.map->depth - l.map->columns - l.map->rows),
        columns(rows + l.map->rows),
        depth(columns + l.map->columns),
        end(l.rank),
        batches(turns(l, 0, rows)),
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

// The loops of a product's two operands alone, the first of which is read through the windows: what is compiled for them serves products of all
// kinds. Where the first one is computed, `first` is nullptr, and only its windows move.
class nest_of_operands {
  std::int64_t stride_[2 * max_loop]{};
  launch l_;

 public:
  static constexpr bool is_windowed[]{true, false};
  nest<2> z;
  nest_of_operands(launch const& l, std::int64_t const* first, std::int64_t const* second)
      : l_(with_strides(l, stride_, first, second)), z(l_, is_windowed) {}
  nest_of_operands(nest_of_operands const&) = delete;
  nest_of_operands& operator=(nest_of_operands const&) = delete;

 private:
  static launch with_strides(launch l, std::int64_t* stride, std::int64_t const* first, std::int64_t const* second) {
    if (first) std::copy_n(first, max_loop, stride);
    std::copy_n(second, max_loop, stride + max_loop);
    l.stride = stride;
    return l;
  }
};

}  // namespace kernels
}  // namespace SINTER_ISA
}  // namespace sinter::simd
