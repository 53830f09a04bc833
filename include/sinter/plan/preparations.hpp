// SPDX-License-Identifier: Apache-2.0
// The part of a plan that depends on parameters and constants alone, and runs when they have changed and not in every call.
#pragma once
#include "plan.hpp"

namespace sinter::detail::inline SINTER_ISA {

// The product of a kernel; null where it has none.
constexpr step_info const* product_of(plan const& p, group const& q) {
  for (int s = 0; s < q.steps.n; ++s)
    if (step_info const& k = p.steps[q.steps.at + s]; k.op->kind == family::product) return &k;
  return nullptr;
}
// Its second operand, where that is read as it is; or -1.
constexpr int second_operand_of(plan const& p, group const& q) {
  step_info const* const k = product_of(p, q);
  return k && k->from[1] < 0 ? -1 - k->from[1] : -1;
}
// The same of a product without a map, which reads it as a whole.
constexpr int weights_of(plan const& p, group const& q) {
  return q.kind == kernel_kind::product && q.map < 0 ? second_operand_of(p, q) : -1;
}
// Whether a run changes the parameter in this buffer.
constexpr bool changes(plan const& p, buffer_info const& parameter) { return p.g.nodes[parameter.node].data == 1; }
// Whether no loop of kernel q depends on a call's extents: it may read few elements, stretched, and write few that are sums of many.
constexpr bool has_fixed_loops(plan const& p, group const& q) {
  for (int i = 0; i < q.rank; ++i)
    if (!q.extents[i].fixed()) return false;
  for (int i = 0; i < q.shapes.n; ++i)
    if (!p.shapes[q.shapes.at + i].fixed()) return false;
  return true;
}
// Whether kernel q computes the same in every call between two changes of the parameters. `made`: the buffers of which this may be so.
constexpr bool runs_once(plan const& p, group const& q, list<char> const& made) {
  if (!has_fixed_loops(p, q)) return false;
  for (int s = 0; s < q.steps.n; ++s)
    if (op_info const& op = *p.steps[q.steps.at + s].op; op.effect || ops::is_region(op.id)) return false;
  for (int j = 0; j < q.operands.n; ++j) {
    int const at = p.operands[q.operands.at + j].buffer;
    buffer_info const& f = p.buffers[at];
    bool const parameter = f.where == storage::parameter && !changes(p, f);
    if (!f.elements.fixed() || !(made[at] || (j < q.inputs && (parameter || f.where == storage::constant)))) return false;
  }
  return true;
}
// exact. Marks the kernels that run once, and prepares what they write. Several kernels may write one buffer, the branches of a concat: it
// is prepared if all of them are.
constexpr void find_once(plan& p) {
  if (p.parameters == 0) return;
  list<char> made(p.buffers.size(), 0);
  for (int i = 0; i < p.buffers.size(); ++i) made[i] = p.buffers[i].where == storage::arena;
  for (bool again = true; again;) {
    again = false;
    for (group& q : p.groups) {
      q.once = runs_once(p, q, made);
      for (int j = q.inputs; j < q.operands.n && !q.once; ++j)
        if (char& m = made[p.operands[q.operands.at + j].buffer]; m) m = 0, again = true;
    }
  }
  for (int i = 0; i < p.buffers.size(); ++i)
    if (made[i]) p.buffers[i].where = storage::prepared;
}
// Whether the loops of a product that its weights move along are the same in every call, so that weights can be brought into an order for them:
// they are axes of the weights, whose shape is fixed, or numbers. A view may stretch weights along a dynamic axis.
constexpr bool has_fixed_matrix(plan const& p, group const& q, int weights) {
  auto const is_known = [&](int i) { return q.extents[i].fixed() || p.operands[q.operands.at + weights].stride[i] != size{}; };
  loop_map const plain{}, &m = q.map < 0 ? plain : p.maps[q.map];  // columns of a plain product are rows of one with a map
  int const depth = q.rank - m.depth, columns = depth - m.columns;
  for (int i = q.map < 0 ? columns : columns - m.rows; i < q.rank; ++i)
    if ((q.map < 0 || i < columns || i >= depth) && !is_known(i)) return false;
  return true;
}
// True of two products without a map that read the same weights in loops of the same extents, and so in the same order.
constexpr bool read_alike(plan const& p, preparation const& a, preparation const& b) {
  group const &q = p.groups[a.group], &r = p.groups[b.group];
  if (q.map >= 0 || r.map >= 0 || q.rank != r.rank || product_of(p, q)->type != product_of(p, r)->type) return false;
  operand const &x = p.operands[q.operands.at + a.operand], &y = p.operands[r.operands.at + b.operand];
  if (x.buffer != y.buffer || x.type != y.type || x.mode != y.mode || !(x.offset == y.offset)) return false;
  for (int i = 0; i < q.rank; ++i)
    if (!(q.extents[i] == r.extents[i]) || !(x.stride[i] == y.stride[i])) return false;
  return true;
}
constexpr void find_preparations(plan& p) {
  list<int> last(p.buffers.size(), -1), before;  // of each buffer the last preparation that is like none, and of each the one before it
  for (int i = 0; i < p.groups.size(); ++i) {
    group const& q = p.groups[i];
    int const j = q.once || q.kind != kernel_kind::product ? -1 : second_operand_of(p, q);
    if (j < 0 || !has_fixed_matrix(p, q, j)) continue;
    int const weights = p.operands[q.operands.at + j].buffer;
    storage const where = p.buffers[weights].where;
    if (where != storage::parameter && where != storage::constant && where != storage::prepared) continue;
    if (where == storage::parameter && changes(p, p.buffers[weights])) continue;
    preparation w{i, j};
    for (int k = last[weights]; k >= 0 && w.like < 0; k = before[k])
      if (read_alike(p, p.preparations[k], w)) w.like = k;
    before.push(last[weights]);
    if (w.like < 0) last[weights] = p.preparations.size();
    p.preparations.push(w);
  }
}

}  // namespace sinter::detail::inline SINTER_ISA
