// SPDX-License-Identifier: Apache-2.0
// The one traversal that rewriting passes share.
#pragma once
#include "../ops/registry.hpp"

namespace sinter::passes::inline SINTER_ISA {

// Whether a rewrite may change the last bits. `exact` rewrites leave every result as eager mode computes it.
enum class numerics : std::int8_t { exact, relaxed };

// A graph without nodes that has what a rewrite does not change: names, attributes, constants, dimensions. They are moved out of `g`, which
// keeps its nodes.
constexpr graph without_nodes(graph& g) {
  graph r;
  r.attributes = std::move(g.attributes);
  r.data = std::move(g.data);
  r.chars = std::move(g.chars);
  r.dimensions = std::move(g.dimensions);
  r.inputs = g.inputs;
  r.nodes.reserve(g.nodes.size() + 8);
  r.operands.reserve(g.operands.size() + 8);
  return r;
}
// Copies node i with its operands renumbered.
constexpr int copy_node(graph const& g, int i, graph& r, list<int> const& to) {
  node k = g.nodes[i];
  int const at = r.operands.size();
  for (int j = 0; j < k.in.n; ++j) r.operands.push(to[g.operands[k.in.at + j]]);
  k.in.at = at;
  return r.append(k);
}
constexpr void finish(graph const& g, graph& r, list<int> const& to) {
  for (int o : g.outputs) r.outputs.push(to[o]);
  for (print_note p : g.prints) r.prints.push({p.label, p.node < 0 ? -1 : to[p.node]});
}

// Copies the graph node by node. `rule(r, i)` returns the node that replaces copy i: i itself, an earlier one, or one that it appended.
template <class Rule> constexpr graph rewrite(graph g, Rule rule) {
  graph r = without_nodes(g);
  list<int> to(g.nodes.size(), -1);
  for (int i = 0; i < g.nodes.size(); ++i) to[i] = rule(r, copy_node(g, i, r, to));
  finish(g, r, to);
  return r;
}

// Whether a node is a constant.
constexpr bool is_constant(graph const& g, int i) { return g.is(i, constant_op); }
// Whether a node is a constant filled with one value.
constexpr bool is_fill(graph const& g, int i, double v) {
  node const& k = g.nodes[i];
  return *k.op == constant_op && k.data == 1 && k.type.type != dtype::boolean && real_of(k.type.type, g.data[k.index]) == v;
}

}  // namespace sinter::passes::inline SINTER_ISA
