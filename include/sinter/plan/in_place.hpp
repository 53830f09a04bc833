// SPDX-License-Identifier: Apache-2.0
// Results that take the memory of an operand.
#pragma once
#include <algorithm>

#include "plan.hpp"

namespace sinter::detail::inline SINTER_ISA {

// The last phase of a kernel over rows in which step `s` reads its operands. A step of one value a row reads them before the elements of
// its phase, so in the phase before.
constexpr int last_read(step_info const& s) {
  if (s.op->kind == family::reduction || s.row) return s.phase - 1;
  if (s.keep >= 0) return s.phase;
  int last = s.phase;
  for (int b = s.phase + 1; b < 32; ++b)
    if ((s.needed >> b) & 1) last = b;
  return last;
}
// The last phase whose elements may still read what the bytes of output j held before: a value of one number a row is stored before the
// elements of its phase, any other after the reads of the same element. -2: none may, not even before the first element, because lanes that
// share a row begin it at different times.
template <class Plan> constexpr int last_safe_read(Plan const& p, group const& q, int j) {
  int last = q.phases;
  for (int l = 0; l < q.steps.n; ++l) {
    step_info const& w = p.steps[q.steps.at + l];
    if (w.store == j || w.keep == j) last = std::min(last, !w.row ? w.phase : w.phase > 0 ? w.phase - 1 : -2);
  }
  return last;
}
// Whether output j of a kernel may be written where operand i is read: wherever the operand's elements are read, it is for the same element
// of the result, before that is written.
template <class Plan> constexpr bool reads_where_it_writes(Plan const& p, group const& q, int i, int j) {
  operand const &in = p.operands[q.operands.at + i], &out = p.operands[q.operands.at + j];
  if (q.kind == kernel_kind::opaque || bytes_of(in.type) != bytes_of(out.type)) return false;
  for (int k = 0; k < q.inputs; ++k) {
    operand const& o = p.operands[q.operands.at + k];
    if (o.buffer != in.buffer) continue;
    if (!(o.offset == out.offset)) return false;
    for (int l = 0; l < q.rank; ++l)
      if (!(o.stride[l] == out.stride[l])) return false;
    for (int l = 0; l < q.steps.n; ++l) {
      step_info const& s = p.steps[q.steps.at + l];
      for (int n = 0; n < s.n; ++n) {
        if (s.from[n] != -1 - k) continue;
        if (s.prologue || s.op->kind == family::product) return false;  // a product reads its operands at any time
        if (q.kind == kernel_kind::rows && last_read(s) > last_safe_read(p, q, j)) return false;
      }
    }
  }
  return true;
}
// Whether it can take the operand's bytes in the arena: then that is the operand's last use.
constexpr bool can_share(plan const& p, group const& q, int id, int i, int j) {
  operand const &in = p.operands[q.operands.at + i], &out = p.operands[q.operands.at + j];
  buffer_info const& a = p.buffers[in.buffer];
  if (a.where != p.buffers[out.buffer].where || a.last != id || !(a.elements == p.buffers[out.buffer].elements)) return false;
  if (a.where == storage::arena && q.together >= 0) return false;  // the next block of rows may still read it
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
      bool const ours = b.where == storage::arena || b.where == storage::block;
      if (!ours || b.first != id || b.home != out.buffer || !(b.elements == out.touched)) continue;
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
