// SPDX-License-Identifier: Apache-2.0
// Gradients that the network defines itself: stop_gradient, and the nodes of F.with_gradient.
#pragma once
#include "callable.hpp"
#include "gradient_path.hpp"

namespace sinter::ops::inline SINTER_ISA {

// stop_gradient(x): x, through which no gradient goes.
struct stop_gradient {
  static constexpr format_names formats{"BlockGrad", "Identity"};
  static constexpr family kind = family::composite;
  static constexpr int arity = 1;
  static constexpr bool wants_arrays = true, flat = true;
  static constexpr inferred infer(operand_types in, dimension_table&) { return {in[0]}; }
  static constexpr int expand(auto&, operand_nodes in) { return in[0]; }
};
using own_gradient_ops = list_of<stop_gradient>;

// own_operand(x): x as an operand of a function that is differentiated, or that has a gradient of its own: another node than x is where the function
// captures it.
struct own_operand : stop_gradient {
  static constexpr std::string_view name = "own_operand";
  static constexpr bool flat = false;
  static constexpr int gradient(auto&, int, operand_nodes d, int) { return d[0]; }
};
// given_gradient(y): placeholder for the gradient of y in the nodes that compute the gradients of the operands from it.
struct given_gradient : stop_gradient {
  static constexpr std::string_view name = "given_gradient";
};
// with_gradient(y, x1, ..., xn, d, g1, ..., gn): y, whose gradient with respect to each x is its g with the gradient of y in the place of d, the
// given_gradient of y. What lies between the x and y is not differentiated.
struct with_gradient {
  static constexpr std::string_view name = "with_gradient";
  static constexpr family kind = family::composite;
  static constexpr operand_count arity{4, operand_count::any};
  static constexpr bool promotes = false, wants_arrays = true, own_gradient = true;
  static constexpr inferred infer(operand_types in, dimension_table& t) {
    if (in.n % 2 != 0) return {{}, problem::operand_count, 0, 0};
    int const n = in.n / 2 - 1;
    for (int i = 0; i < in.n; ++i)
      if (!is_floating(in[i].type)) return {{}, problem::wants_floating, i, i};
    for (int j = 1; j <= n; ++j) {
      dims const &x = in[j].shape, &g = in[n + 1 + j].shape;
      bool same = in[j].type == in[n + 1 + j].type && x.rank == g.rank;
      for (int i = 0; same && i < x.rank; ++i) same = same_extent(x.d[i], g.d[i], t);
      if (!same) return {{}, problem::shapes_differ, j, n + 1 + j};
    }
    return {in[0]};
  }
  static constexpr int expand(auto&, operand_nodes in) { return in[0]; }
  static constexpr void gradients(auto& g, gradient_request const& r) {
    node const k = g.nodes[r.y];
    int const n = k.in.n / 2 - 1, d = g.operand(k, n + 1);
    list<int> copy(r.y, -1);  // of each node that depends on d
    copy[d] = r.d[0];
    list<int> in;
    for (int i = d + 1; i < r.y; ++i) {
      bool depends = false;
      in.resize(0, 0);
      for (int j = 0; j < g.nodes[i].in.n; ++j) {
        int const o = g.operand(g.nodes[i], j);
        depends = depends || copy[o] >= 0;
        in.push(copy[o] >= 0 ? copy[o] : o);
      }
      if (!depends) continue;
      node again = g.nodes[i];
      again.in.at = g.operands.size();
      for (int o : in) g.operands.push(o);
      copy[i] = g.append(again);
    }
    for (int j = 1; j <= n; ++j)
      if (r.wanted[j]) {
        int const of = g.operand(k, n + 1 + j);
        r.to[j] = copy[of] >= 0 ? copy[of] : of;
      }
  }
};

// True where, on the way from `wanted` to the head, the first function of a with_gradient captures what is differentiated, whose gradient would be lost.
constexpr bool loses_captured(graph const& g, int head, list<int> const& wanted) {
  bool any = false;
  for (int i = 0; i <= head && !any; ++i) any = g.nodes[i].op->own_gradient;
  if (!any) return false;
  list<char> const on = depends_on(g, wanted);
  list<char> within(head + 1, 0);  // what a gradient would go through on its way from the head
  within[head] = 1;
  for (int i = head; i >= 0; --i) {
    node const& k = g.nodes[i];
    if (!within[i] || k.op->derives == derivative::zero) continue;
    for (int j = 0; j < k.in.n; ++j)
      if (leads_to(k, j)) within[g.operand(k, j)] = 1;
    if (!k.op->own_gradient) continue;
    int const n = k.in.n / 2 - 1;
    list<char> seen(i, 0);
    seen[g.operand(k, 0)] = 1;
    for (int y = g.operand(k, 0); y >= 0; --y) {
      node const& q = g.nodes[y];
      if (!seen[y] || !on[y]) continue;
      bool is_operand = false;
      for (int j = 1; q.op->name == own_operand::name && j <= n; ++j) is_operand = is_operand || g.operand(k, j) == g.operand(q, 0);
      if (is_operand) continue;
      for (int x : wanted)
        if (x == y) return true;
      for (int j = 0; j < q.in.n; ++j)
        if (leads_to(q, j)) seen[g.operand(q, j)] = 1;
    }
  }
  return false;
}

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(stop_gradient, "(x)")
SINTER_USER_OP(sinter::ops::own_operand);
SINTER_USER_OP(sinter::ops::given_gradient);
SINTER_USER_OP(sinter::ops::with_gradient);
