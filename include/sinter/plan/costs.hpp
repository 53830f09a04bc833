// SPDX-License-Identifier: Apache-2.0
// What a plan costs.
#pragma once
#include "frozen.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// How many terms a product adds up, and how often it reads each element that its first operand gives.
struct product_turns {
  std::int64_t depth = 1, again = 1;
  constexpr product_turns() = default;
  constexpr product_turns(group const& g, auto const& maps, binding const& b) {
    loop_map const m = g.map >= 0 ? maps[g.map] : loop_map{};
    int const columns = g.rank - m.depth, rows = columns - m.columns;
    // The first operand moves along the columns of a map, and along the rows of other products.
    int const from = g.map >= 0 ? rows - m.rows : rows, to = g.map >= 0 ? rows : columns;
    for (int i = columns; i < g.rank; ++i) depth *= b(g.extents[i]);
    for (int i = from; i < to; ++i) again *= b(g.extents[i]);
  }
};
constexpr std::int64_t product_outputs(group const& g, auto const& maps, binding const& b) {
  std::int64_t n = 1;
  for (int i = 0; i < g.rank - (g.map >= 0 ? maps[g.map].depth : 1); ++i) n *= b(g.extents[i]);
  return n;
}
// Whether a product or its prologue reads operand j: in the loop over its depth.
template <class Tag> constexpr bool read_inside(group const& g, int j) {
  for (int i = 0; i < g.steps.n; ++i) {
    step_info const& s = Tag::steps[g.steps.at + i];
    for (int k = 0; k < s.n && (s.prologue || s.op->kind == family::product); ++k)
      if (s.from[k] == -1 - j) return true;
  }
  return false;
}
// What a call costs for one binding: operations, and elements and bytes that its kernels read and write, each once.
template <class Tag> constexpr costs costs_of(frozen_plan<Tag> const& p, binding const& b) {
  costs c;
  for (group const& g : p.groups) {
    if (g.once) continue;
    std::int64_t all = 1, rows = 1;
    for (int i = 0; i < g.rank; ++i) {
      all *= b(g.extents[i]);
      if (i < g.row_rank) rows *= b(g.extents[i]);
    }
    bool const product = g.kind == kernel_kind::product;
    product_turns const turns = product ? product_turns(g, p.maps, b) : product_turns();
    std::int64_t const k = turns.depth, n = turns.again;
    for (int j = 0; j < g.steps.n; ++j) {
      step_info const& s = Tag::steps[g.steps.at + j];
      if (g.kind == kernel_kind::opaque) continue;
      if (s.op->kind == family::product) c.flops += 2 * all;
      else if (s.op->kind == family::reduction) c.flops += all;
      else if (s.prologue) c.flops += n ? all / n * s.op->flops : 0;
      else if (s.row) c.flops += rows * s.op->flops;
      else if (g.kind == kernel_kind::rows) {
        int times = 0;
        for (int f = 0; f < g.phases; ++f) times += ((s.needed >> f) & 1) != 0 && !(s.keep >= 0 && f > s.phase);
        c.flops += times * all * s.op->flops;
      } else c.flops += (k ? all / k : product ? product_outputs(g, p.maps, b) : 0) * s.op->flops;
    }
    for (int j = 0; j < g.operands.n; ++j) {
      operand const& o = p.operands[g.operands.at + j];
      // A loop that never runs reads nothing, whatever its operands have.
      std::int64_t const touched =
          o.written || (product && !read_inside<Tag>(g, j) ? product_outputs(g, p.maps, b) : all) > 0 ? b(o.touched) : 0;
      (o.written ? c.stores : c.loads) += touched;
      (o.written ? c.bytes_written : c.bytes_read) += touched * bytes_of(o.type);
    }
  }
  for (buffer_info const& f : p.buffers)
    if (f.where == storage::parameter) c.parameter_bytes += b(f.elements) * bytes_of(f.type);
  return c;
}

}  // namespace SINTER_ISA
}  // namespace sinter
