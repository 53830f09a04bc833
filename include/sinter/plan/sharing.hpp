// SPDX-License-Identifier: Apache-2.0
// Whether a result may be written where a value lies that kernels read; and so which parameters are changed where they are.
#pragma once
#include "in_place.hpp"

namespace sinter::detail::inline SINTER_ISA {

// What a result may share with a value that the caller gives: anything, because no kernel reads that from the one on that first writes the
// result; the same elements, because that kernel reads each where it writes it; nothing.
enum class sharing : std::int8_t { anything, same_elements, nothing };

// The buffer of an input, parameter or output, or as many as there are.
template <class Plan> constexpr int buffer_of(Plan const& p, storage where, int index) {
  int b = 0;
  while (b < p.buffers.size() && !(p.buffers[b].where == where && p.buffers[b].index == index)) ++b;
  return b;
}
template <class Plan> constexpr sharing sharing_between(Plan const& p, int in, int out) {
  if (in == p.buffers.size() || out == p.buffers.size()) return sharing::anything;
  int const last = p.buffers[in].last, first = p.buffers[out].first;
  if (last < first) return sharing::anything;
  if (last > first) return sharing::nothing;
  group const& q = p.groups[first];
  if (q.together >= 0) return sharing::nothing;  // a later block of rows may read it
  for (int i = 0; i < q.inputs; ++i)
    for (int j = q.inputs; j < q.operands.n; ++j)
      if (p.operands[q.operands.at + i].buffer == in && p.operands[q.operands.at + j].buffer == out && !reads_where_it_writes(p, q, i, j))
        return sharing::nothing;
  return sharing::same_elements;
}
// Whether the kernel of control flow with these bodies reads the parameter in them.
constexpr bool bodies_read(graph const& g, ops::region_info const& r, int parameter) {
  for (int i = 0; i < g.body_reads.size(); i += 2)
    if (g.body_reads[i + 1] == parameter && (g.body_reads[i] == r.body || g.body_reads[i] == r.otherwise)) return true;
  return false;
}
// Which parameters get their next values where the old ones are; of the others these are written elsewhere.
constexpr void find_updates(plan& p) {
  list<int> const update = p.g.update_of_parameter();
  list<int> number(p.g.updates.size(), -1), in(p.parameter_at.size(), -1), out(p.g.outputs.size(), -1);
  if (p.g.updates.empty()) return;
  for (int i = 0; i < p.parameter_at.size(); ++i)
    if (p.parameter_at[i] < update.size() && update[p.parameter_at[i]] >= 0) number[update[p.parameter_at[i]]] = i;
  for (int b = 0; b < p.buffers.size(); ++b) {
    if (p.buffers[b].where == storage::parameter) in[p.buffers[b].index] = b;
    if (p.buffers[b].where == storage::output) out[p.buffers[b].index] = b;
  }
  for (int u = 0; u < p.g.updates.size(); ++u) {
    sinter::update next{p.g.updates[u], number[u], false};
    int const to = out[p.g.results() + u];
    next.in_place = next.parameter >= 0 && (next.number < 0 || sharing_between(p, in[next.number], to) != sharing::nothing);
    for (int q = p.buffers[to].first; q < p.groups.size() && !p.g.body_reads.empty(); ++q)
      if (step_info const& s = p.steps[p.groups[q].steps.at]; ops::is_region(s.op->id))
        next.in_place =
            next.in_place && !bodies_read(p.g, unpack<ops::region_info>(p.g.attributes.data() + p.groups[q].attributes.at), next.parameter);
    p.updates.push(next);
  }
}

}  // namespace sinter::detail::inline SINTER_ISA
