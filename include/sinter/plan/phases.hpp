// SPDX-License-Identifier: Apache-2.0
// The phases of a kernel over rows: how often it runs along each row, and which elements are kept for a later phase.
#pragma once
#include "plan.hpp"

namespace sinter::detail::inline SINTER_ISA {

constexpr void need(step_info* s, int i, unsigned phases) {
  for (int j = 0; j < s[i].n; ++j)
    if (s[i].from[j] >= 0 && !s[s[i].from[j]].row) s[s[i].from[j]].needed |= phases;
}
// An output of the same size of element that is written only after the last use of step i.
constexpr int spare_output(plan const& p, group const& q, step_info const* s, int i) {
  int last = 0;
  for (int b = 0; b < 32; ++b)
    if ((s[i].needed >> b) & 1) last = b;
  for (int j = 0; j < q.steps.n; ++j) {
    if (s[j].store < 0 || s[j].row || s[j].type != s[i].type || s[j].phase < last) continue;
    operand const& o = p.operands[q.operands.at + s[j].store];
    if (o.mode != access::unit) continue;
    bool free = true;
    for (int k = 0; k < q.steps.n; ++k) free = free && s[k].keep != s[j].store;
    if (free) return s[j].store;
  }
  return -1;
}
// Rows: a reduction ends a phase, and what needs its value runs in the next. A step whose elements are needed in several phases is
// computed again in each, unless an output can hold it meanwhile.
constexpr void set_phases(plan& p, group& q) {
  step_info* s = &p.steps[q.steps.at];
  for (int i = 0; i < q.steps.n; ++i) {
    for (int j = 0; j < s[i].n; ++j)
      if (s[i].from[j] >= 0 && s[s[i].from[j]].phase > s[i].phase) s[i].phase = s[s[i].from[j]].phase;
    if (s[i].op->kind == family::reduction) ++s[i].phase;
    if (s[i].phase + 1 > q.phases) q.phases = s[i].phase + 1;
  }
  for (int i = q.steps.n - 1; i >= 0; --i) {
    if (s[i].row) {
      if (s[i].op->kind == family::reduction) need(s, i, 1u << (s[i].phase - 1));
      continue;
    }
    if (s[i].store >= 0) s[i].needed |= 1u << s[i].phase;
    unsigned const later = s[i].needed & ~(1u << s[i].phase);
    if (later != 0 && s[i].op->cost >= 6) s[i].keep = s[i].store >= 0 ? s[i].store : spare_output(p, q, s, i);
    if (s[i].keep >= 0) s[i].needed |= 1u << s[i].phase;
    need(s, i, s[i].keep >= 0 ? 1u << s[i].phase : s[i].needed);
  }
}

}  // namespace sinter::detail::inline SINTER_ISA
