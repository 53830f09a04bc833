// SPDX-License-Identifier: Apache-2.0
// The one traversal that rewriting passes share.
#pragma once
#include "../ops/registry.hpp"

namespace sinter::passes::inline SINTER_ISA {

// Whether a rewrite may change the last bits. `exact` rewrites leave every result as eager mode computes it.
enum class numerics : std::int8_t { exact, relaxed };

// A graph without nodes that has what a rewrite does not change: names, attributes, constants, dimensions, bodies. They are moved out of `g`, which
// keeps its nodes.
constexpr graph without_nodes(graph& g) {
  graph r;
  r.attributes = std::move(g.attributes);
  r.data = std::move(g.data);
  r.chars = std::move(g.chars);
  r.dimensions = std::move(g.dimensions);
  r.bodies = std::move(g.bodies);
  r.updates = std::move(g.updates);
  r.body_reads = std::move(g.body_reads);
  r.inputs = g.inputs;
  r.nodes.reserve(g.nodes.size() + 8);
  r.operands.reserve(g.operands.size() + 8);
  return r;
}
// Copies node i with its operands renumbered.
constexpr int copy_node(graph const& g, int i, graph& r, list<int> const& to) {
  node k = g.nodes[i];
  int const *const from = g.operands.data() + k.in.at, *const number = to.data();
  k.in.at = r.operands.size();
  int* const in = r.operands.extend(k.in.n);
  for (int j = 0; j < k.in.n; ++j) in[j] = number[from[j]];
  r.nodes.push(k);
  return r.nodes.size() - 1;
}
constexpr void finish(graph const& g, graph& r, list<int> const& to) {
  for (int o : g.outputs) r.outputs.push(to[o]);
  for (print_note p : g.prints) r.prints.push({p.label, p.node < 0 ? -1 : to[p.node]});
}

// A rewrite that copies a graph node by node. The compiler rewrites a large graph in several evaluations, each of which goes on where the one
// before has stopped.
struct rewriting {
  graph r;  // what is copied so far
  list<int> to;  // of each node of the graph: its copy, or what replaces that
  list<int> table;  // merge_common: the nodes by their hash
  bool again = false;  // expand: a definition has a composite operation, too
  constexpr explicit rewriting(graph r_) : r(std::move(r_)) {}
  // `rule(w, i)` returns the node that replaces copy i: i itself, an earlier one, or one that it appended.
  template <class Rule> constexpr void advance(graph const& g, int first, int last, Rule const& rule) {
    for (int i = first; i < last; ++i) to.push(rule(*this, copy_node(g, i, r, to)));
  }
};
template <class Rule> constexpr graph rewritten(graph& g, Rule const& rule) {
  rewriting w(without_nodes(g));
  w.to.reserve(g.nodes.size());
  rule.begin(w, g.nodes.size());
  w.advance(g, 0, g.nodes.size(), rule);
  finish(g, w.r, w.to);
  return rule.end(w);
}
template <class Rule> constexpr graph rewrite(graph& g, Rule const& rule) {
  graph r;
  if (rule.applies(g)) r = rewritten(g, rule);
  else r = std::move(g);
  return r;
}
// What most rules do before the first node and after the last one. `applies` is false where a rule certainly leaves the graph as it is: most eager
// operations are planned without any rewrite.
struct plain_rule {
  constexpr bool applies(graph const&) const { return true; }
  constexpr void begin(rewriting&, int) const {}
  constexpr graph end(rewriting& w) const { return std::move(w.r); }
};

// Whether a node is a constant.
constexpr bool is_constant(graph const& g, int i) { return g.is(i, constant_op); }
// Whether a node is a constant filled with one value.
constexpr bool is_fill(graph const& g, int i, double v) {
  node const& k = g.nodes[i];
  return *k.op == constant_op && k.data == 1 && k.type.type != dtype::boolean && real_of(k.type.type, g.data[k.index]) == v;
}

}  // namespace sinter::passes::inline SINTER_ISA
