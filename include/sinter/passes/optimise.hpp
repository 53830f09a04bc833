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

constexpr graph optimise(graph traced, numerics mode = numerics::exact) {
  graph g = canonicalise(std::move(traced));
  g = expand(std::move(g));
  g = fold_constants(std::move(g));
  g = simplify(std::move(g), mode);
  g = merge_common(std::move(g));
  g = remove_dead(std::move(g));
  return insert_copies(std::move(g));
}

}  // namespace sinter::passes
