// SPDX-License-Identifier: Apache-2.0
// Merges nodes that compute the same thing.
#pragma once
#include "rewrite.hpp"

namespace sinter::passes::inline SINTER_ISA {

namespace detail {
constexpr std::uint64_t mix(std::uint64_t h, std::uint64_t v) { return (h ^ v) * 1099511628211u; }
constexpr std::uint64_t hash_of_node(graph const& g, node const& k) {
  std::uint64_t h = mix(14695981039346656037u, k.op->id), sum = 0;
  for (int j = 0; j < k.in.n; ++j) {
    std::uint64_t const o = static_cast<std::uint64_t>(g.operand(k, j)) + 1;
    if (k.op->commutative) sum += o * o;
    else h = mix(h, o);
  }
  h = mix(mix(h, sum), static_cast<std::uint64_t>(k.type.type) * 16 + static_cast<std::uint64_t>(k.type.shape.rank));
  if (*k.op == constant_op) h = mix(h, g.data[k.index]);
  return h ^ (h >> 29);
}
constexpr bool same_node(graph const& g, node const& a, node const& b) {
  if (!(*a.op == *b.op) || a.in.n != b.in.n || !(a.type == b.type)) return false;
  if (a.op->kind == family::leaf) {
    if (*a.op != constant_op || a.data != b.data) return false;
    for (int i = 0; i < a.data; ++i)
      if (g.data[a.index + i] != g.data[b.index + i]) return false;
    return true;
  }
  if (a.in.n == 2 && a.op->commutative && g.operand(a, 0) == g.operand(b, 1) && g.operand(a, 1) == g.operand(b, 0)) return true;
  for (int j = 0; j < a.in.n; ++j)
    if (g.operand(a, j) != g.operand(b, j)) return false;
  return a.index == b.index && g.same_attributes(a, b);
}
constexpr bool is_mergeable(node const& k) { return *k.op != input_op && *k.op != parameter_op && !k.op->effect; }
struct merging : plain_rule {
  constexpr bool applies(graph const& g) const {
    int found = 0;
    for (node const& k : g.nodes) found += is_mergeable(k);
    return found > 1;
  }
  constexpr void begin(rewriting& w, int nodes) const {
    int room = 16;
    while (room < 2 * nodes) room *= 2;
    w.table.resize(room, -1);
  }
  constexpr int operator()(rewriting& w, int i) const {
    graph const& r = w.r;
    node const& k = r.nodes[i];
    if (!is_mergeable(k)) return i;
    unsigned const last = static_cast<unsigned>(w.table.size()) - 1;
    int* const table = w.table.begin();
    unsigned at = static_cast<unsigned>(hash_of_node(r, k)) & last;
    while (table[at] >= 0) {
      int const other = table[at];
      if (same_node(r, r.nodes[other], k)) return other;
      at = (at + 1) & last;
    }
    table[at] = i;
    return i;
  }
};
}  // namespace detail

// exact. What has an effect has it each time. Constants are compared by their bits, so 0 and -0 stay apart; operands of a commutative
// operation in either order.
//   add(exp(x), exp(x))  ->  e = exp(x); add(e, e)
constexpr graph merge_common(graph g) { return rewrite(g, detail::merging{}); }

}  // namespace sinter::passes::inline SINTER_ISA
