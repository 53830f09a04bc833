// SPDX-License-Identifier: Apache-2.0
// The pipeline.
#pragma once
#include "../graph/verify.hpp"
#include "canonicalise.hpp"
#include "common.hpp"
#include "differentiate.hpp"
#include "expand.hpp"
#include "fold.hpp"
#include "place.hpp"
#include "results.hpp"
#include "schedule.hpp"
#include "simplify.hpp"

namespace sinter::passes::inline SINTER_ISA {

// The steps one by one: the compiler evaluates those of a large network in constants of their own, because it limits the steps of each.
// A graph is changed where it stands, because nvcc forgets to destroy one that is passed on from function to function.
inline constexpr int pipeline_steps = 7;
constexpr void pipeline_step(int i, graph& g, numerics mode) {
  switch (i) {
    case 0:
      verify(g, "the trace");
      g = differentiate(canonicalise(std::move(g)));
      return verify(g, "differentiate");
    case 1: g = expand(std::move(g)); return verify(g, "expand");
    case 2: g = fold_constants(std::move(g)); return verify(g, "fold_constants");
    case 3: g = simplify(std::move(g), mode); return verify(g, "simplify");
    case 4: g = merge_common(std::move(g)); return verify(g, "merge_common");
    case 5:
      g = remove_dead(std::move(g));
      verify(g, "remove_dead");
      g = complete_results(std::move(g));
      return verify(g, "complete_results");
    default:
      g = insert_copies(std::move(g));
      verify(g, "insert_copies");
      g = schedule(std::move(g));
      return verify(g, "schedule");
  }
}
// The rules of those that are rewrites, which can be done in parts.
constexpr bool is_rewrite(int i) { return i >= 1 && i <= 4; }
template <int I> constexpr auto rule_of_step([[maybe_unused]] numerics mode) {
  static_assert(is_rewrite(I));
  if constexpr (I == 1) return detail::expanding{};
  else if constexpr (I == 2) return detail::folding{};
  else if constexpr (I == 3) return detail::simplifying{{}, mode};
  else return detail::merging{};
}
constexpr graph optimise(graph&& traced, numerics mode = numerics::exact) {
  graph g = std::move(traced);
  for (int i = 0; i < pipeline_steps; ++i) pipeline_step(i, g, mode);
  return g;
}
constexpr graph optimise(graph const& traced, numerics mode = numerics::exact) {
  graph g = traced;
  return optimise(std::move(g), mode);
}

// How large a graph becomes when `expand` has added the nodes from `first` to `last` to one of the sizes n: a generous bound for its storage, no
// limit (see frozen_graph).
constexpr graph_sizes expanded_bound(graph_sizes n, graph const& traced, int first, int last) {
  int composites = 0, joined = 0, results = 0, operands = 0, attributes = 0;
  for (node const *k = traced.nodes.data() + first, *end = traced.nodes.data() + last; k != end; ++k) {
    if (is_narrow(k->type.type)) results += 1 + k->in.n;
    composites += k->op->kind == family::composite || k->op->kind == family::reduction;
    results += k->op->kind == family::result;
    if (k->op->kind == family::join) joined += k->in.n;
    operands += k->in.n;
    attributes += k->attributes.n;
  }
  n.nodes += last - first + 10 * composites + 2 * results + joined + 8;
  n.operands += operands + 18 * composites + 3 * results + joined + 8;
  n.attributes += attributes + 40 * composites + 3 * (max_rank + 1) * results + 16;
  n.data += 4 * composites + 64;
  return n;
}
// How large a graph may become on its way through the pipeline.
constexpr graph_sizes bound_of(graph const& traced) {
  graph_sizes n = sizes_of(traced);
  n.nodes = n.outputs;  // may be copied
  n.operands = n.outputs;
  for (node const& k : traced.nodes)  // a guess: of each node about three more
    if (detail::asks_for_gradients(k))
      n.nodes += 3 * traced.nodes.size(), n.operands += 6 * traced.nodes.size(), n.attributes += 12 * traced.nodes.size(),
          n.data += traced.nodes.size();
  n = expanded_bound(n, traced, 0, traced.nodes.size());
  n.dimensions = max_dimensions;
  n.equalities = n.equalities + 8;
  return n;
}

}  // namespace sinter::passes::inline SINTER_ISA
