// SPDX-License-Identifier: Apache-2.0
// Results that take the memory of an operand.
#pragma once
#include "plan.hpp"

namespace sinter::detail::inline SINTER_ISA {

// Whether operand j of a kernel may be written where operand i is read: in the same places, and never before i was read there last.
template <class Plan> constexpr bool reads_where_it_writes(Plan const& p, group const& q, int i, int j) {
  operand const &in = p.operands[q.operands.at + i], &out = p.operands[q.operands.at + j];
  if (q.kind == kernel_kind::opaque || bytes_of(in.type) != bytes_of(out.type)) return false;
  for (int k = 0; k < q.inputs; ++k) {  // all reads of the buffer happen where the result is written
    operand const& o = p.operands[q.operands.at + k];
    if (o.buffer != in.buffer) continue;
    if (o.offset != out.offset || !(o.offset_extra == out.offset_extra)) return false;
    for (int l = 0; l < q.rank; ++l)
      if (!(o.stride[l] == out.stride[l])) return false;
  }
  if (q.kind != kernel_kind::rows) return true;
  for (int k = 0; k < q.steps.n; ++k) {  // rows: and never after it was written
    step_info const& s = p.steps[q.steps.at + k];
    for (int l = 0; l < q.steps.n; ++l) {
      step_info const& w = p.steps[q.steps.at + l];
      if (w.store != j && w.keep != j) continue;
      for (int o = 0; o < s.n; ++o)
        if (s.from[o] == -1 - i && (s.keep >= 0                       ? 1u << s.phase
                                    : s.op->kind == family::reduction ? 1u << (s.phase - 1)
                                                                      : s.needed) >>
                                       (w.phase + 1))
          return false;
    }
  }
  return true;
}
constexpr bool can_share(plan const& p, group const& q, int id, int i, int j) {
  operand const &in = p.operands[q.operands.at + i], &out = p.operands[q.operands.at + j];
  buffer_info const& a = p.buffers[in.buffer];
  if (a.where != storage::arena || a.last != id || !(a.elements == p.buffers[out.buffer].elements)) return false;
  if (a.home != in.buffer && p.buffers[a.home].last != id && p.buffers[a.home].last >= id) return false;
  return reads_where_it_writes(p, q, i, j);
}
// exact. A result takes the bytes of an operand that dies in the same kernel and is read element by element where it is written.
constexpr void share_in_place(plan& p) {
  for (int id = 0; id < p.groups.size(); ++id) {
    group const& q = p.groups[id];
    if (q.kind == kernel_kind::opaque) continue;
    list<int> used;
    for (int j = q.inputs; j < q.operands.n; ++j) {
      operand const& out = p.operands[q.operands.at + j];
      buffer_info& b = p.buffers[out.buffer];
      if (b.where != storage::arena || b.first != id || b.home != out.buffer || !(b.elements == out.touched)) continue;
      for (int i = 0; i < q.inputs; ++i) {
        int const source = p.operands[q.operands.at + i].buffer;
        if (!can_share(p, q, id, i, j)) continue;
        bool free = true;
        for (int u : used) free = free && u != source;
        if (!free) continue;
        used.push(source);
        b.home = p.buffers[source].home;
        break;
      }
    }
  }
}

}  // namespace sinter::detail::inline SINTER_ISA
