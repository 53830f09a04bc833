// SPDX-License-Identifier: Apache-2.0
// The pipeline.
#pragma once
#include "../graph/verify.hpp"
#include "canonicalise.hpp"
#include "common.hpp"
#include "expand.hpp"
#include "fold.hpp"
#include "place.hpp"
#include "results.hpp"
#include "simplify.hpp"

namespace sinter::passes::inline SINTER_ISA {

constexpr graph optimise(graph traced, numerics mode = numerics::exact) {
  graph g = verified(canonicalise(verified(std::move(traced), "the trace")), "canonicalise");
  g = verified(expand(std::move(g)), "expand");
  g = verified(fold_constants(std::move(g)), "fold_constants");
  g = verified(simplify(std::move(g), mode), "simplify");
  g = verified(merge_common(std::move(g)), "merge_common");
  g = verified(remove_dead(std::move(g)), "remove_dead");
  g = verified(complete_results(std::move(g)), "complete_results");
  return verified(insert_copies(std::move(g)), "insert_copies");
}

// How large a graph may become on its way through the pipeline: a generous bound for its storage, no limit (see frozen_graph).
constexpr graph_sizes bound_of(graph const& traced) {
  graph_sizes n = sizes_of(traced);
  int composites = 0, joined = 0, results = 0;
  for (node const& k : traced.nodes) {
    composites += k.op->kind == family::composite || k.op->kind == family::reduction;
    results += k.op->kind == family::result;
    if (k.op->kind == family::join) joined += k.in.n;
  }
  n.nodes = n.nodes + 10 * composites + 2 * results + joined + n.outputs + 8;
  n.operands = n.operands + 18 * composites + 3 * results + joined + n.outputs + 8;
  n.attributes = 2 * n.attributes + 40 * composites + 3 * (max_rank + 1) * results + 16;
  n.data = n.data + 4 * composites + 64;
  n.dimensions = max_dimensions;
  n.equalities = n.equalities + 8;
  return n;
}

}  // namespace sinter::passes::inline SINTER_ISA
