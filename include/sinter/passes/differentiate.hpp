// SPDX-License-Identifier: Apache-2.0
// Writes the gradients that `gradient` nodes ask for, in reverse mode: each node between what is differentiated and the head is visited once, from
// the head on, and its rule gives what its result's gradient means for its operands.
#pragma once
#include "../ops/own_gradient.hpp"
#include "expand.hpp"

namespace sinter::passes::inline SINTER_ISA {

namespace detail {
// The rule of node i; an error where there is none.
constexpr gradient_rule rule_of(graph const& g, int i, op_info const& asked) {
  node const& k = g.nodes[i];
  gradient_rule const rule = k.op->gradient ? k.op->gradient : asked.rule_of(*k.op);
  if (rule) return rule;
  std::string where(g.str(k.name));
  for (char& c : where)
    if (c == composite_mark) c = ' ';
  throw error("sinter: there is no gradient of " + std::string(k.op->name) + " yet" + (where.empty() ? "" : ", which " + where + " uses"));
}
// Sums `d` over the axes along which an operand of this type is stretched.
constexpr int unstretched(graph& g, int d, array_type const to) {  // by value: the node that has it may move
  dims const from = g.nodes[d].type.shape;
  ops::reduction_attributes a{0, true};
  for (int k = 1; k <= from.rank; ++k)
    if (k > to.shape.rank || (to.shape.d[to.shape.rank - k] == 1 && from.d[from.rank - k] != 1))
      a.axes |= std::int64_t{1} << (from.rank - k);
  if (a.axes) d = ops::make<ops::sum>(g, a, d);
  return g.nodes[d].type.shape == to.shape ? d : ops::make<ops::reshape>(g, {to.shape}, d);
}

// The nodes of `on` that have a definition and no rule, written out.
struct writing_out : expanding {
  list<char> const* on = nullptr;
  constexpr int operator()(rewriting& w, int i) const {
    int const from = w.to.size();  // the node of the graph that is copied
    node const& k = w.r.nodes[i];
    if (k.op->kind == family::result) return w.r.is(w.r.operand(k, 0), tuple_op) ? w.r.result(w.r.operand(k, 0), k.index) : i;
    if (!(*on)[from] || k.op->derives != derivative::definition) return i;
    return expanding::operator()(w, i);
  }
  constexpr graph end(rewriting& w) const { return std::move(w.r); }
};
constexpr bool asks_for_gradients(node const& k) { return k.op->rule_of != nullptr; }
struct asked {
  int at = -1, head = -1;
  list<int> x;
};
constexpr asked asked_by(graph const& g, int i) {
  asked r;
  node const& k = g.nodes[i];
  r.at = i;
  r.head = g.operand(k, 0);
  for (int j = 1; j < k.in.n; ++j) r.x.push(g.operand(k, j));
  return r;
}
constexpr asked first_asked(graph const& g) {
  for (int i = 0; i < g.nodes.size(); ++i)
    if (asks_for_gradients(g.nodes[i])) return asked_by(g, i);
  return {};
}
// Each x must be something on which the head depends, in whatever way.
constexpr void check_asked(graph const& g) {
  for (int i = 0; i < g.nodes.size(); ++i) {
    if (!asks_for_gradients(g.nodes[i])) continue;
    asked const a = asked_by(g, i);
    if (ops::loses_captured(g, a.head, a.x))
      throw error(
          "sinter: the first function of with_gradient captures what is differentiated, whose gradient would be lost; make it an operand");
    int const which = ops::independent(g, a.head, a.x);
    if (which < 0) continue;
    node const& x = g.nodes[a.x[which]];
    std::string const name = x.name.n > 0 ? std::string(g.str(x.name)) : "operand " + std::to_string(which + 1);
    throw error("sinter: a gradient is asked for with respect to " + name + ", on which the number that is differentiated does not depend");
  }
}
// The names of what belongs to gradients: backward.hidden for one of hidden's. Only graphs that are printed have names.
class backward_names {
 public:
  constexpr span_of operator()(graph& g, node const& k) {
    span_of const own = g.scope_of(k);
    std::string_view const is = g.str(own), backward = "backward";
    if (g.chars.empty() || is.starts_with(backward)) return own;
    for (int i = of_.size(); i-- > 0;)
      if (of_[i].at == own.at && of_[i].n == own.n) return names_[i];
    bool const dot = !is.empty() && is[0] != composite_mark;
    int const length = static_cast<int>(backward.size()), n = length + dot;
    span_of const r{g.chars.size(), n + own.n};
    char* const to = g.chars.extend(r.n);
    for (int i = 0; i < r.n; ++i) to[i] = i >= n ? g.chars[own.at + i - n] : i < length ? backward[static_cast<std::size_t>(i)] : '.';
    of_.push(own);
    names_.push(r);
    return r;
  }

 private:
  list<span_of> of_, names_;
};
// Appends the gradients of `head`, and returns one for each node of `x`.
constexpr list<int> gradients_of(graph& g, int head, list<int> const& x, list<char> const& on, op_info const& asked) {
  int const n = g.nodes.size();
  list<int> of(n, -1);  // of each node
  list<list<int>> of_results;  // of the results of those that have several
  list<int> place(n, -1);
  for (int i = 0; i < n; ++i)
    if (on[i] && g.nodes[i].op->several) place[i] = of_results.size(), of_results.push(list<int>(g.results_of(g.nodes[i]), -1));
  if (on[head]) of[head] = g.scalar(g.nodes[head].type.type, 1);
  list<int> wanted, to;
  backward_names name_of;
  for (int y = head; y >= 0; --y) {
    if (!on[y]) continue;
    node const k = g.nodes[y];
    if (k.op->kind == family::result) {
      if (of[y] < 0) continue;
      int& sum = of_results[place[g.operand(k, 0)]][k.index];  // several nodes may stand for one result
      sum = sum < 0 ? of[y] : ops::make<ops::add>(g, sum, of[y]);
      continue;
    }
    if (k.op->several ? place[y] < 0 : of[y] < 0) continue;
    operand_nodes d{of.data() + y, 1};
    if (k.op->several) {
      list<int>& all = of_results[place[y]];
      bool any = false;
      for (int r : all) any = any || r >= 0;
      if (!any) continue;
      d = {all.data(), all.size()};
    }
    wanted.resize(k.in.n, 0);
    to.resize(k.in.n, -1);
    bool any = false;
    for (int j = 0; j < k.in.n; ++j) wanted[j] = on[g.operand(k, j)] ? 1 : 0, to[j] = -1, any = any || wanted[j];
    if (!any) continue;  // one of x
    gradient_rule const rule = rule_of(g, y, asked);
    g.scope = name_of(g, k);
    rule(g, {y, d, {wanted.data(), k.in.n}, to.begin()});
    for (int j = 0; j < k.in.n; ++j) {
      if (!wanted[j] || to[j] < 0) continue;
      int const in = g.operand(g.nodes[y], j), part = unstretched(g, to[j], g.nodes[in].type);
      of[in] = of[in] < 0 ? part : ops::make<ops::add>(g, of[in], part);
    }
  }
  list<int> r;
  for (int i : x) r.push(of[i] >= 0 ? of[i] : g.fill(g.nodes[i].type.type, g.nodes[i].type.shape, 0));
  return r;
}
// Writes out the definitions between what is differentiated first and its head, where operations have no rule.
constexpr graph written_out(graph g) {
  asked a = first_asked(g);
  while (a.at >= 0) {  // a definition may have operations without a rule, too
    list<char> const on = ops::between(g, a.head, a.x);
    bool all = true;
    for (int i = 0; i <= a.head; ++i) all = all && !(on[i] && g.nodes[i].op->derives == derivative::definition);
    if (all) return g;
    writing_out rule;
    rule.on = &on;
    g = rewritten(g, rule);
    a = first_asked(g);
  }
  return g;
}
// Gives what is differentiated first its gradients, which follow in the order of nodes.
constexpr void answer_first(graph& g) {
  asked const a = first_asked(g);
  if (a.at < 0) return;
  list<int> const found = gradients_of(g, a.head, a.x, ops::between(g, a.head, a.x), *g.nodes[a.at].op);
  auto const answer = [&](int i) {
    return i >= 0 && g.kind(i) == family::result && g.operand(g.nodes[i], 0) == a.at ? found[g.nodes[i].index] : i;
  };
  for (node const& k : g.nodes)
    if (k.op->kind != family::result)
      for (int j = 0; j < k.in.n; ++j) g.operands[k.in.at + j] = answer(g.operand(k, j));
  for (int& o : g.outputs) o = answer(o);
  for (print_note& p : g.prints) p.node = answer(p.node);
}
}  // namespace detail

// exact: a gradient is what its rules say. Only what lies between the x and the head gets nodes.
//   gradient(sum(square(x)), x)  ->  ones * (2 * x)
// Inner gradients are written first, so that one of a gradient is no special case.
constexpr graph differentiate(graph g) {
  detail::check_asked(g);
  while (detail::first_asked(g).at >= 0) {
    g = detail::written_out(std::move(g));
    detail::answer_first(g);
    g = canonicalise(std::move(g));
  }
  return g;
}

}  // namespace sinter::passes::inline SINTER_ISA
