// SPDX-License-Identifier: Apache-2.0
// Checks what a plan changes: nobody reads the old value of a parameter behind what writes the next one over it, and nothing that is made for
// later calls is made of it. Like the rest of the judge it shares no code with the planner.
#pragma once
#include "judge_stores.hpp"

namespace sinter::detail::inline SINTER_ISA {

// Whether one of the bodies that kernel q runs reads the parameter: by their plans where there are some, else by what the graph says of them.
constexpr bool reads_in_bodies(plan const& p, list<plan> const& bodies, group const& q, int parameter) {
  if (q.kind != kernel_kind::opaque || !ops::is_region(p.steps[q.steps.at].op->id)) return false;
  auto const r = unpack<ops::region_info>(p.g.attributes.data() + q.attributes.at);
  for (int body : {r.body, r.otherwise}) {
    if (body >= 0 && body < bodies.size()) {
      for (int at : bodies[body].parameter_at)
        if (at == parameter) return true;
      for (group const& inner : bodies[body].groups)
        if (reads_in_bodies(bodies[body], bodies, inner, parameter)) return true;
    }
    for (int i = 0; i < p.g.body_reads.size(); i += 2)
      if (p.g.body_reads[i] == body && p.g.body_reads[i + 1] == parameter) return true;
  }
  return false;
}
constexpr verdict judge_update(plan const& p, update const& u, int result, binding const& b) {
  int in = -1, out = -1;
  for (int i = 0; i < p.buffers.size(); ++i) {
    buffer_info const& f = p.buffers[i];
    if (f.where == storage::output && f.index == result) out = i;
    if (f.where == storage::parameter && p.parameter_at[f.index] == u.parameter) in = i;
  }
  if (out < 0) return {"a parameter gets no next value"};
  if (!u.in_place) return {};
  int first = p.groups.size();
  for (int q = p.groups.size() - 1; q >= 0; --q)
    for (int j = p.groups[q].inputs; j < p.groups[q].operands.n; ++j)
      if (p.operands[p.groups[q].operands.at + j].buffer == out) first = q;
  for (int q = 0; q < p.groups.size(); ++q) {
    if (q >= first && reads_in_bodies(p, p.bodies, p.groups[q], u.parameter)) return {"a parameter is changed before a body reads it", q};
    for (int j = 0; j < p.groups[q].inputs; ++j)
      if (p.operands[p.groups[q].operands.at + j].buffer == in && time_of(p, q) >= time_of(p, first) &&
          (q != first || p.groups[q].together >= 0))
        return {"a parameter is changed before it is read", q};
  }
  if (in < 0) return {};
  plan same;  // where both are one buffer, the kernel that writes it is judged as any that works in place
  same.g.dimensions = p.g.dimensions;
  same.buffers = p.buffers;
  same.operands = p.operands;
  same.steps = p.steps;
  same.groups = p.groups;
  same.maps = p.maps;
  same.shapes = p.shapes;
  same.buffers[out].home = in;
  return judge_of_kernel(same, first, b).judge(b);
}
// What is prepared of parameters that change. `of`: the plan that changes them; it may be a body of that.
constexpr verdict judge_prepared(plan const& p, plan const& of) {
  auto const changes = [&](int buffer) {
    if (p.buffers[buffer].where != storage::parameter) return false;
    for (update const& u : of.updates)
      if (u.parameter == p.parameter_at[p.buffers[buffer].index]) return true;
    return false;
  };
  for (int q = 0; q < p.groups.size(); ++q)
    for (int j = 0; p.groups[q].once && j < p.groups[q].inputs; ++j)
      if (changes(p.operands[p.groups[q].operands.at + j].buffer)) return {"a kernel runs once and reads a parameter that changes", q};
  for (preparation const& w : p.preparations)
    if (changes(p.operands[p.groups[w.group].operands.at + w.operand].buffer)) return {"weights are prepared that change", w.group};
  return {};
}
constexpr verdict judge_updates(plan const& p, binding const& b) {
  if (p.updates.size() != p.g.updates.size()) return {"a parameter that changes is forgotten"};
  for (int i = 0; i < p.updates.size(); ++i) {
    if (p.updates[i].parameter != p.g.updates[i]) return {"a next value is that of another parameter"};
    if (verdict const v = judge_update(p, p.updates[i], p.g.results() + i, b); !v.sound()) return v;
  }
  if (verdict const v = judge_prepared(p, p); !v.sound()) return v;
  for (plan const& body : p.bodies)
    if (verdict const v = judge_prepared(body, p); !v.sound()) return v;
  return {};
}

}  // namespace sinter::detail::inline SINTER_ISA
