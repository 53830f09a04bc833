// SPDX-License-Identifier: Apache-2.0
// A kernel writes all results of its operation, also those that nothing reads.
#pragma once
#include "rewrite.hpp"

namespace sinter::passes::inline SINTER_ISA {

// exact. After this pass every result of an operation with several is a node, because the kernel needs a place to write it.
//   topk(x)[0]  ->  topk(x)[0], topk(x)[1]
constexpr graph complete_results(graph g) {
  bool any = false;
  for (node const& k : g.nodes) any = any || k.op->several;
  if (!any) return g;
  graph r = without_nodes(g);
  list<int> to(g.nodes.size(), -1);
  for (int i = 0; i < g.nodes.size(); ++i) {
    to[i] = copy_node(g, i, r, to);
    node const k = g.nodes[i];
    if (!k.op->several) continue;
    r.scope = k.name;
    list<char> is_node(r.results_of(r.nodes[to[i]]), 0);
    for (node const& o : g.nodes)
      if (o.op->kind == family::result && g.operand(o, 0) == i) is_node[o.index] = 1;
    for (int j = 0; j < is_node.size(); ++j)
      if (!is_node[j]) r.result(to[i], j);
  }
  finish(g, r, to);
  return r;
}

}  // namespace sinter::passes::inline SINTER_ISA
