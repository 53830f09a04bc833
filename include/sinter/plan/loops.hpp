// SPDX-License-Identifier: Apache-2.0
// The loops of a kernel: their order, which ones are merged, and how each operand is read in the innermost.
#pragma once
#include "plan.hpp"

namespace sinter::detail::inline SINTER_ISA {

// Removes loops of extent 1, and merges neighbouring loops that every operand runs through with one stride. Works on loops [first, last).
// Those whose bits `kept` has stay as they are; the bits follow them.
constexpr int collapse(plan& p, group& q, int first, int last, unsigned* kept = nullptr) {
  int to = first;
  unsigned const fixed = kept ? *kept : 0;
  unsigned now = fixed & ((1u << first) - 1);
  bool open = false;  // another loop may join the one before
  for (int i = first; i < last; ++i) {
    bool const stays = ((fixed >> i) & 1) != 0;
    if (q.extents[i] == size{1, 0} && !stays) continue;
    bool merge = open && !stays;
    open = !stays;
    if (stays) now |= 1u << to;
    for (int j = 0; j < q.operands.n && merge; ++j) {
      operand const& o = p.operands[q.operands.at + j];
      merge = o.stride[to - 1] == o.stride[i] * q.extents[i];
    }
    if (merge) {
      q.extents[to - 1] = q.extents[to - 1] * q.extents[i];
      for (int j = 0; j < q.operands.n; ++j) p.operands[q.operands.at + j].stride[to - 1] = p.operands[q.operands.at + j].stride[i];
    } else {
      q.extents[to] = q.extents[i];
      for (int j = 0; j < q.operands.n; ++j) p.operands[q.operands.at + j].stride[to] = p.operands[q.operands.at + j].stride[i];
      ++to;
    }
  }
  if (to == first) {  // a loop of one element
    q.extents[to] = {1, 0};
    for (int j = 0; j < q.operands.n; ++j) p.operands[q.operands.at + j].stride[to] = size{};
    ++to;
  }
  int const gone = last - to;
  if (kept) *kept = now | (fixed >> last) << to;
  for (int i = last; i < q.rank; ++i) {
    q.extents[i - gone] = q.extents[i];
    for (int j = 0; j < q.operands.n; ++j) p.operands[q.operands.at + j].stride[i - gone] = p.operands[q.operands.at + j].stride[i];
  }
  q.rank -= gone;
  return to - first;
}
// Loops over rows first, then the reduced ones.
constexpr void rows_first(plan& p, group& q, std::int64_t axes) {
  int from[max_loop]{}, n = 0;
  for (int i = 0; i < q.rank; ++i)
    if (!((axes >> i) & 1)) from[n++] = i;
  int const rows = n;
  for (int i = 0; i < q.rank; ++i)
    if ((axes >> i) & 1) from[n++] = i;
  size extents[max_loop]{};
  for (int i = 0; i < q.rank; ++i) extents[i] = q.extents[from[i]];
  for (int i = 0; i < q.rank; ++i) q.extents[i] = extents[i];
  for (int j = 0; j < q.operands.n; ++j) {
    operand& o = p.operands[q.operands.at + j];
    size s[max_loop]{};
    for (int i = 0; i < q.rank; ++i) s[i] = o.stride[from[i]];
    for (int i = 0; i < q.rank; ++i) o.stride[i] = s[i];
  }
  int row_rank = rows;
  if (rows > 0) row_rank = collapse(p, q, 0, rows);
  collapse(p, q, row_rank, q.rank);
  q.row_rank = row_rank;
}
constexpr bool read_by_product(plan const& p, group const& q, int j) {
  for (int i = 0; i < q.steps.n; ++i) {
    step_info const& s = p.steps[q.steps.at + i];
    for (int k = 0; k < s.n && (s.prologue || s.op->kind == family::product); ++k)
      if (s.from[k] == -1 - j) return true;
  }
  return false;
}
constexpr bool is_prologue_operand(plan const& p, group const& q, int j) {
  for (int i = 0; i < q.steps.n; ++i) {
    step_info const& s = p.steps[q.steps.at + i];
    if (s.prologue)
      for (int k = 0; k < s.n; ++k)
        if (s.from[k] == -1 - j) return true;
  }
  return false;
}
// How operand o moves through the columns: not at all, as if they were one loop of step 1, or in another way.
constexpr access mode_in_columns(plan const& p, group const& q, operand const& o) {
  int const last = q.rank - p.maps[q.map].depth;
  bool zero = true, unit = true;
  size step{1, 0};
  for (int i = last - 1; i >= last - p.maps[q.map].columns; --i) {
    if (q.extents[i] == size{1, 0}) continue;
    zero = zero && o.stride[i] == size{};
    unit = unit && o.stride[i] == step;
    step = step * q.extents[i];
  }
  return unit ? access::unit : zero ? access::zero : access::strided;
}
// What the product reads has strides that differ from map to map; one kernel serves all.
constexpr void set_mapped_modes(plan& p, group& q) {
  for (int j = 0; j < q.operands.n; ++j) {
    operand& o = p.operands[q.operands.at + j];
    o.mode = o.written || !read_by_product(p, q, j) ? mode_in_columns(p, q, o) : access::strided;
  }
}
constexpr void set_modes(plan& p, group& q) {
  if (q.map >= 0) return set_mapped_modes(p, q);
  int const inner = q.kind == kernel_kind::product ? q.rank - 2 : q.rank - 1;
  for (int j = 0; j < q.operands.n; ++j) {
    operand& o = p.operands[q.operands.at + j];
    o.mode = o.stride[inner] == size{}
                 ? (o.written && !(q.extents[inner] == size{1, 0}) && !(q.kind == kernel_kind::rows) ? access::strided : access::zero)
             : o.stride[inner] == size{1, 0} ? access::unit
                                             : access::strided;
    if (q.kind == kernel_kind::product && !o.written && is_prologue_operand(p, q, j))
      o.mode = o.stride[q.rank - 1] == size{} ? access::zero : o.stride[q.rank - 1] == size{1, 0} ? access::unit : access::strided;
  }
}

}  // namespace sinter::detail::inline SINTER_ISA
