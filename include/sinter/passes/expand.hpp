// SPDX-License-Identifier: Apache-2.0
// Writes composite operations in terms of others.
#pragma once
#include "../ops/reduction.hpp"
#include "../ops/view.hpp"
#include "canonicalise.hpp"
#include "widen.hpp"

namespace sinter::passes::inline SINTER_ISA {

// Whether `expand` replaces node i: a composite operation, or a reduction that drops its axes.
constexpr bool is_short(graph const& g, int i) {
  node const& k = g.nodes[i];
  if (k.op->kind == family::reduction) return !unpack<ops::reduction_attributes>(g.words_of(k)).keepdims;
  return k.op->kind == family::composite;
}

constexpr graph expand(graph g);
namespace detail {
struct expanding : plain_rule {
  constexpr bool applies(graph const& g) const {
    for (int i = 0; i < g.nodes.size(); ++i)
      if (is_short(g, i) || is_widened(g, i) || (g.kind(i) == family::result && g.is(g.operand(g.nodes[i], 0), tuple_op))) return true;
    return false;
  }
  constexpr int operator()(rewriting& w, int i) const {
    graph& to = w.r;
    if (!is_widened(to, i)) return expanded(w, i);
    node const k = to.nodes[i];
    to.scope = to.scope_of(k);
    if (*k.op == constant_op) return narrow_constant(to, i);
    if (*k.op == ops::info<ops::cast>) return cast_in_steps(to, to.operand(k, 0), k.type.type);
    return narrowed(to, i, expanded(w, computing_node(to, i)));
  }
  constexpr int expanded(rewriting& w, int i) const {
    graph& to = w.r;
    node const k = to.nodes[i];
    to.scope = to.scope_of(k);
    if (k.op->kind == family::composite) {
      list<int> in;
      for (int j = 0; j < k.in.n; ++j) in.push(to.operand(k, j));
      words const a = to.copy_of_attributes(k);  // the graph's own may move while the definition is appended
      int const done = k.op->expand(to, {in.data(), in.size()}, a.data());
      for (int j = i + 1; j < to.nodes.size() && !w.again; ++j) w.again = is_short(to, j) || is_widened(to, j);
      return done;
    }
    if (k.op->kind == family::result) return to.is(to.operand(k, 0), tuple_op) ? to.result(to.operand(k, 0), k.index) : i;
    if (!is_short(to, i)) return i;
    auto a = unpack<ops::reduction_attributes>(to.words_of(k));
    a.keepdims = true;
    int const in = to.operand(k, 0);
    inferred why;
    int const kept = to.apply(*k.op, {&in, 1}, pack(a), why);
    return to.append(ops::info<ops::reshape>, k.type, {&kept, 1}, pack(ops::shape_attribute{k.type.shape}));
  }
  constexpr graph end(rewriting& w) const {
    graph r = std::move(w.r);
    if (w.again) {
      r = remove_dead(std::move(r));
      r = expand(std::move(r));
    }
    return r;
  }
};
}  // namespace detail

// exact: it is the definition.
//   softmax(x)          ->  exp(x - max(x)) * (1 / sum(exp(x - max(x))))
//   sum(x, axis<1>)     ->  reshape(sum(x, axis<1>, keepdims))
//   split(x)[1]         ->  slice(x, ...)
// The operations in a definition may be composite, too.
constexpr graph expand(graph g) { return rewrite(g, detail::expanding{}); }

}  // namespace sinter::passes::inline SINTER_ISA
