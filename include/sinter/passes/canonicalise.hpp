// SPDX-License-Identifier: Apache-2.0
// Makes the order of a trace independent of the compiler, and removes what nothing needs.
#pragma once
#include "rewrite.hpp"

namespace sinter::passes::inline SINTER_ISA {

// What a graph is computed for: effects in their order, then the outputs.
constexpr list<int> needed(graph const& g) {
  list<int> r;
  for (int i = 0; i < g.nodes.size(); ++i)
    if (g.nodes[i].op->effect) r.push(i);
  for (int o : g.outputs) r.push(o);
  return r;
}

namespace detail {
// Inputs first, then operands before their users, in a walk from the roots.
constexpr list<int> depth_first(graph const& g, list<int> const& roots) {
  list<int> order, todo, at(g.nodes.size(), 0);
  list<char> done(g.nodes.size(), 0);
  for (int i = 0; i < g.nodes.size(); ++i)
    if (g.is(i, input_op)) done[i] = 1, order.push(i);
  for (int o : roots) {
    if (!done[o]) todo.push(o);
    while (!todo.empty()) {
      int const i = todo.back();
      node const& k = g.nodes[i];
      int next = -1;
      while (at[i] < k.in.n && next < 0) {
        int const in = g.operands[k.in.at + at[i]];
        if (!done[in]) next = in;
        else ++at[i];
      }
      if (next >= 0) {
        todo.push(next);
        continue;
      }
      if (!done[i]) done[i] = 1, order.push(i);
      todo.pop();
    }
  }
  return order;
}
constexpr graph in_order(graph& g, list<int> const& order) {
  graph r = without_nodes(g);
  list<int> to(g.nodes.size(), -1);
  for (int i : order) to[i] = copy_node(g, i, r, to);
  finish(g, r, to);
  return r;
}
}  // namespace detail

// exact. The compiler chooses in which order the operands of a call are evaluated and so traced (GCC from right to left, Clang from left to
// right). After this pass inputs come first, then operands before their users, starting from the operations with an effect, which keep
// their order, and then from the outputs.
//   add(b: exp(x), a: log(x)) in either order  ->  x, a, b, add
constexpr graph canonicalise(graph g) { return detail::in_order(g, detail::depth_first(g, needed(g))); }

// exact. Removes what neither an output nor an effect needs. Inputs stay, because they are the network's signature. The order of the rest does
// not change.
constexpr graph remove_dead(graph g) {
  list<char> live(g.nodes.size(), 0);
  list<int> const roots = needed(g);
  for (int o : roots) live[o] = 1;
  for (int i = g.nodes.size() - 1; i >= 0; --i) {
    node const& k = g.nodes[i];
    if (*k.op == input_op) live[i] = 1;
    if (live[i])
      for (int j = 0; j < k.in.n; ++j) live[g.operands[k.in.at + j]] = 1;
  }
  bool all = true;
  for (char l : live) all = all && l;
  graph r;
  if (all) {  // not `return g`: nvcc forgets to destroy the lists above
    r = std::move(g);
    return r;
  }
  r = without_nodes(g);
  list<int> to(g.nodes.size(), -1);
  for (int i = 0; i < g.nodes.size(); ++i)
    if (live[i]) to[i] = copy_node(g, i, r, to);
  finish(g, r, to);
  return r;
}

}  // namespace sinter::passes::inline SINTER_ISA
