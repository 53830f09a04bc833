// SPDX-License-Identifier: Apache-2.0
// Control flow in a graph: operations that own subgraphs, their bodies, which stand in graph::bodies. A body is a graph of its own, planned
// as every other; parameters of the model are parameters in it, too, and what it uses from outside is an operand of the operation and an
// input of the body.
//
//   operation    operands                      inputs of the body            outputs of the body
//   foreach      sequences, states, captured   a slice of each, states, ...  outputs of a turn, states
//   while_loop   go on?, states, captured      states, captured              outputs of a turn, states, go on?
//   cond         the condition, captured       captured                      results; there are two bodies
//
// The results are the outputs of all turns, stacked along a new first axis, then the last states; of cond those of the body that runs.
#pragma once
#include "../core/hash.hpp"
#include "opaque.hpp"

namespace sinter::ops::inline SINTER_ISA {

// The numbers of such an operation that its kernel needs: the first words of its attributes, in this order.
struct region_info {
  int body = 0, otherwise = -1;  // in graph::bodies; cond: where the condition is true, and where it is false
  int sequences = 0, states = 0;  // how many
  std::int64_t most = 0;  // while_loop: turns
  static constexpr void each(auto& a, auto&& f) {
    f("body", a.body), f("otherwise", a.otherwise), f("sequences", a.sequences), f("states", a.states), f("most", a.most);
  }
};
template <class Self> struct region_op : opaque_op<Self> {
  static constexpr operand_count arity{0, operand_count::any};
  static constexpr bool wants_arrays = true;
  struct attributes : region_info {
    list<array_type> types;  // of the results
    static constexpr void each(auto& a, auto&& f) {
      region_info::each(a, f);
      int n = a.types.size();
      f("results", n);
      if constexpr (requires { a.types.resize(n); }) a.types.resize(n);
      for (auto& t : a.types) f("dtype", t.type), f("shape", t.shape);
    }
  };
  static constexpr inferred infer(operand_types, attributes const& a, dimension_table&) {
    return {a.types.empty() ? array_type{} : a.types[0]};
  }
  static constexpr int results(attributes const& a) { return a.types.size(); }
  static constexpr array_type result(int i, operand_types, attributes const& a, array_type const&) { return a.types[i]; }
};
struct foreach : region_op<foreach> {
  static constexpr std::string_view name = "foreach";
  static constexpr format_names formats{"_foreach", "Scan"};
};
struct while_loop : region_op<while_loop> {
  static constexpr std::string_view name = "while_loop";
  static constexpr format_names formats{"_while_loop", "Loop"};
};
struct cond : region_op<cond> {
  static constexpr std::string_view name = "cond";
  static constexpr format_names formats{"_cond", "If"};
};
// Constants, because a plan asks this of every step, and to hash three names each time takes more steps of an evaluation than all else.
inline constexpr std::uint64_t foreach_id = hash_of(foreach::name), while_loop_id = hash_of(while_loop::name),
                               cond_id = hash_of(cond::name);
constexpr bool is_region(std::uint64_t id) { return id == foreach_id || id == while_loop_id || id == cond_id; }

// To be called when a graph with updates is written down: marks the parameters that change, in its bodies, too, and notes what bodies read.
constexpr void finish_updates(graph& g) {
  if (g.updates.empty()) return;
  list<int> const update = g.update_of_parameter();
  auto const mark = [&](graph& in) {
    for (node& k : in.nodes)
      if (*k.op == parameter_op && k.index < update.size() && update[k.index] >= 0) k.data = 1;
  };
  mark(g);
  for (int i = 0; i < g.bodies.size(); ++i) {  // a body stands behind those inside
    mark(g.bodies[i]);
    for (node const& k : g.bodies[i].nodes) {
      auto const note = [&](int parameter) {
        g.body_reads.push(i);
        g.body_reads.push(parameter);
      };
      if (*k.op == parameter_op) note(k.index);
      if (!is_region(k.op->id)) continue;
      auto const r = unpack<region_info>(g.bodies[i].words_of(k));
      for (int j = 0, n = g.body_reads.size(); j < n; j += 2)
        if (g.body_reads[j] == r.body || g.body_reads[j] == r.otherwise) note(g.body_reads[j + 1]);
    }
  }
}

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_KNOWN_OP(sinter::ops::foreach);
SINTER_KNOWN_OP(sinter::ops::while_loop);
SINTER_KNOWN_OP(sinter::ops::cond);
