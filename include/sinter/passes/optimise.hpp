// SPDX-License-Identifier: Apache-2.0
// The pipeline.
#pragma once
#include "canonicalise.hpp"
#include "common.hpp"
#include "expand.hpp"
#include "fold.hpp"
#include "place.hpp"
#include "simplify.hpp"

namespace sinter::passes {

constexpr graph optimise(graph const& traced, numerics mode = numerics::exact) {
  graph g = canonicalise(traced);
  g = expand(g);
  g = fold_constants(g);
  g = simplify(g, mode);
  g = merge_common(g);
  g = remove_dead(g);
  return insert_copies(g);
}

}  // namespace sinter::passes
