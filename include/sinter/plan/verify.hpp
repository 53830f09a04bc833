// SPDX-License-Identifier: Apache-2.0
// Checks whether a plan is valid.
#pragma once
#include "../graph/verify.hpp"
#include "judge.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// What is wrong with what the plan does once for all runs.
constexpr std::string_view fault_of_preparations(plan const& p) {
  for (int i = 0; i < p.preparations.size(); ++i) {
    preparation const& w = p.preparations[i];
    if (w.group < 0 || w.group >= p.groups.size()) return "a preparation is for no kernel";
    group const& q = p.groups[w.group];
    if (w.operand < 0 || w.operand >= q.inputs) return "a preparation is of no operand";
    storage const kept = p.buffers[p.operands[q.operands.at + w.operand].buffer].where;
    if (kept != storage::parameter && kept != storage::constant && kept != storage::prepared)
      return "a preparation depends on more than the parameters";
    if (w.like < 0) continue;
    if (w.like >= i || p.preparations[w.like].like >= 0) return "a preparation is like none before it";
    group const& other = p.groups[p.preparations[w.like].group];
    operand const &mine = p.operands[q.operands.at + w.operand], &its = p.operands[other.operands.at + p.preparations[w.like].operand];
    bool same = mine.buffer == its.buffer && mine.offset == its.offset && q.map < 0 && other.map < 0 && q.rank == other.rank;
    for (int k = 0; same && k < q.rank; ++k) same = mine.stride[k] == its.stride[k] && q.extents[k] == other.extents[k];
    if (!same) return "a kernel reads weights that were prepared for another";
  }
  return {};
}

// What is wrong with kernels that run together; whether each of them finds its rows is judged (plan/judge_block.hpp).
constexpr std::string_view fault_of_blocks(plan const& p) {
  for (int i = 0; i < p.groups.size(); ++i) {
    group const& q = p.groups[i];
    int const last = q.together;
    if (last >= 0 && (last < i || last >= p.groups.size() || p.groups[last].together != last))
      return "kernels that run together have no last one";
    bool const by_rows =
        (q.kind == kernel_kind::product && q.map < 0) || (q.kind == kernel_kind::rows && q.row_rank > 0) || q.of_images.row >= 0;
    if (last >= 0 && (q.once || !by_rows)) return "a kernel without rows runs in blocks of them";
    for (int j = 0; j < q.operands.n; ++j) {
      operand const& o = p.operands[q.operands.at + j];
      bool const within = p.buffers[o.buffer].where == storage::block;
      int const writer = p.buffers[home_of(p.buffers, o.buffer)].first;
      if (within && (last < 0 || writer < 0 || p.groups[writer].together != last)) return "a kernel needs what lay in a block of others";
      if (o.written && last >= 0 && within != (i < last)) return "a kernel that runs in blocks leaves more than the last of them gives";
    }
  }
  return {};
}

// What is wrong with a plan; empty when nothing is. Kernels read only what earlier kernels wrote, steps only what earlier steps computed,
// each written operand belongs to a step, and no store overwrites what is still read (plan/judge.hpp).
constexpr std::string_view fault_of(plan const& p) {
  if (std::string_view const fault = fault_of(p.g); !fault.empty()) return fault;
  list<char> written(p.buffers.size(), 0);
  for (buffer_info const& f : p.buffers)
    if (f.where == storage::arena && (f.home < 0 || f.home >= p.buffers.size())) return "a buffer has no home";
  for (group const& q : p.groups) {
    if (q.operands.at + q.operands.n > p.operands.size() || q.steps.at + q.steps.n > p.steps.size())
      return "a kernel lies outside its lists";
    if (q.map >= p.maps.size()) return "a product has no such map";
    if (q.rank > max_loop || q.row_rank > q.rank) return "a kernel has too many loops";
    for (int j = 0; j < q.operands.n; ++j) {
      operand const& o = p.operands[q.operands.at + j];
      if (o.buffer < 0 || o.buffer >= p.buffers.size()) return "an operand has no buffer";
      if (o.written != (j >= q.inputs)) return "a kernel's results do not stand behind its operands";
      storage const kept = p.buffers[o.buffer].where;
      bool const prepared = kept == storage::prepared,
                 each_call = kept == storage::arena || kept == storage::output || kept == storage::block;
      if (o.written && !prepared && !each_call) return "a kernel writes what is not its own";
      if (o.written && prepared != q.once)
        return "a kernel that runs once writes what every call needs, or another kernel what is prepared";
      if (q.once && (each_call || kept == storage::input)) return "a kernel that runs once reads what differs between calls";
      if (!o.written && (each_call || prepared) && !written[o.buffer]) return "a kernel reads what none has written";
    }
    for (int i = 0; q.once && i < q.rank; ++i)
      if (!q.extents[i].fixed()) return "a kernel that runs once has a loop that differs between calls";
    for (int s = 0; s < q.steps.n; ++s) {
      step_info const& k = p.steps[q.steps.at + s];
      for (int i = 0; i < k.n; ++i)
        if (k.from[i] >= s || -1 - k.from[i] >= q.inputs) return "a step reads what is not there";
      if (k.store >= 0 && (k.store < q.inputs || k.store >= q.operands.n)) return "a step writes to no result";
    }
    for (int j = q.inputs; j < q.operands.n; ++j) written[p.operands[q.operands.at + j].buffer] = 1;
  }
  if (p.results.size() != p.g.outputs.size()) return "a result is missing";
  if (std::string_view const fault = fault_of_preparations(p); !fault.empty()) return fault;
  if (std::string_view const fault = fault_of_blocks(p); !fault.empty()) return fault;
  list<resident> const residents = plan_arena(p);
  for (std::int64_t const n : {3, 1})
    if (binding b; sample_binding(p.g.dimensions, n, b)) {
      arena_layout const arena = arena_at(p, residents, b);
      if (verdict const v = judge(p, b, &arena); !v.sound()) return v.what;
    }
  return {};
}

}  // namespace SINTER_ISA
}  // namespace sinter
