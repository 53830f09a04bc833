// SPDX-License-Identifier: Apache-2.0
// The nodes that a gradient goes through, from a head to what it is differentiated with respect to.
#pragma once
#include "registry.hpp"

namespace sinter::ops::inline SINTER_ISA {

// True where a gradient of node k may go on to its operand j.
constexpr bool leads_to(node const& k, int j) { return !k.op->own_gradient || (j > 0 && j < k.in.n / 2); }
// Which nodes depend on one of `wanted`, in a way that a gradient follows.
constexpr list<char> depends_on(graph const& g, list<int> const& wanted) {
  list<char> on(g.nodes.size(), 0);
  for (int x : wanted) on[x] = 1;
  for (int i = 0; i < g.nodes.size(); ++i) {
    node const& k = g.nodes[i];
    if (on[i] || k.op->derives == derivative::zero) continue;
    if (k.op->kind != family::tuple && !k.op->several && !is_floating(k.type.type)) continue;
    for (int j = 0; j < k.in.n && !on[i]; ++j) on[i] = leads_to(k, j) && on[g.operand(k, j)];
  }
  return on;
}
// Those of them on which `head` depends, too.
constexpr list<char> between(graph const& g, int head, list<int> const& wanted) {
  list<char> on = depends_on(g, wanted), seen(g.nodes.size(), 0);
  seen[head] = on[head];
  for (int i = head; i >= 0; --i) {
    on[i] = on[i] && seen[i];
    if (!on[i]) continue;
    node const& k = g.nodes[i];
    for (int j = 0; j < k.in.n; ++j)
      if (leads_to(k, j)) seen[g.operand(k, j)] = 1;
  }
  for (int i = head + 1; i < g.nodes.size(); ++i) on[i] = 0;
  return on;
}
// The operation nearest to the head among them that has no gradient yet, or null.
constexpr op_info const* without_gradient(graph const& g, int head, list<int> const& wanted) {
  list<char> const on = between(g, head, wanted);
  for (int i = head; i >= 0; --i)
    if (on[i] && g.kind(i) != family::leaf && g.kind(i) != family::result && g.nodes[i].op->derives == derivative::unknown) {
      bool needed = false;  // or it is one of those itself
      for (int j = 0; j < g.nodes[i].in.n; ++j) needed = needed || on[g.operand(g.nodes[i], j)];
      if (needed) return g.nodes[i].op;
    }
  return nullptr;
}
// The nodes that the head depends on, in whatever way.
constexpr list<char> used_by(graph const& g, int head) {
  list<char> used(g.nodes.size(), 0);
  used[head] = 1;
  for (int y = head; y >= 0; --y)
    for (int j = 0; used[y] && j < g.nodes[y].in.n; ++j) used[g.operand(g.nodes[y], j)] = 1;
  return used;
}
// The first of `x` that is not among them, or -1.
constexpr int independent(graph const& g, int head, list<int> const& x) {
  list<char> const used = used_by(g, head);
  for (int i = 0; i < x.size(); ++i)
    if (!used[x[i]]) return i;
  return -1;
}

}  // namespace sinter::ops::inline SINTER_ISA
