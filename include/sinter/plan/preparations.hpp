// SPDX-License-Identifier: Apache-2.0
// The part of a plan that depends on parameters and constants alone, and runs when they have changed and not in every call.
#pragma once
#include "plan.hpp"

namespace sinter::detail::inline SINTER_ISA {

// The second operand of a product that is read as it is and as a whole; or -1.
constexpr int weights_of(plan const& p, group const& q) {
  if (q.kind != kernel_kind::product || q.map >= 0) return -1;
  for (int s = 0; s < q.steps.n; ++s) {
    step_info const& k = p.steps[q.steps.at + s];
    if (k.op->kind == family::product) return k.from[1] < 0 ? -1 - k.from[1] : -1;
  }
  return -1;
}
constexpr void find_preparations(plan& p) {
  for (int i = 0; i < p.groups.size(); ++i) {
    group const& q = p.groups[i];
    int const j = weights_of(p, q);
    if (j < 0) continue;
    storage const where = p.buffers[p.operands[q.operands.at + j].buffer].where;
    if (where == storage::parameter || where == storage::constant) p.preparations.push({i, j});
  }
}

}  // namespace sinter::detail::inline SINTER_ISA
