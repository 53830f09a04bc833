// SPDX-License-Identifier: Apache-2.0
// The roles of kernels in a training step: forward pass, gradients, or updates alone.
#pragma once
#include "plan.hpp"

namespace sinter {
inline namespace SINTER_ISA {

struct kernel_roles {
  int forward = 0, backward = 0, update = 0;
  std::int64_t gradient_bytes = 0;
};
// Forward kernels are those that the results depend on. Of the rest a pointwise kernel that reads the numbers of updates is an update alone, and its
// operands in the arena are gradients. `numbers`: that parameter, counted in the order of a visit.
template <class Plan> constexpr kernel_roles roles_of(Plan const& p, int numbers) {
  kernel_roles r;
  int const n = p.groups.size(), outputs = p.results.size() - p.updates.size();
  auto const buffer_at = [&](group const& q, int j) { return p.operands[q.operands.at + j].buffer; };
  list<int> writer(p.buffers.size(), -1), todo;
  list<char> forward(n, 0);
  auto const mark = [&](int i) {
    if (i >= 0 && !forward[i]) forward[i] = 1, todo.push(i);
  };
  for (int i = 0; i < n; ++i)
    for (int j = p.groups[i].inputs; j < p.groups[i].operands.n; ++j) {
      int const b = buffer_at(p.groups[i], j);
      writer[b] = i;
      if (p.buffers[b].where == storage::output && p.buffers[b].index < outputs) mark(i);
    }
  while (!todo.empty()) {
    group const& q = p.groups[todo.pop()];
    for (int j = 0; j < q.inputs; ++j) mark(writer[buffer_at(q, j)]);
  }
  for (int i = 0; i < n; ++i) {
    group const& q = p.groups[i];
    bool updates = false;
    std::int64_t read = 0;
    for (int j = 0; j < q.inputs; ++j) {
      buffer_info const& b = p.buffers[buffer_at(q, j)];
      updates = updates || (b.where == storage::parameter && p.parameter_at[b.index] == numbers);
      if (b.where == storage::arena && b.elements.k > 1) read += b.elements.k * bytes_of(b.type);
    }
    bool const alone = updates && q.kind == kernel_kind::pointwise;
    ++(forward[i] ? r.forward : alone ? r.update : r.backward);
    if (!forward[i] && alone) r.gradient_bytes += read;
  }
  return r;
}

}  // namespace SINTER_ISA
}  // namespace sinter
