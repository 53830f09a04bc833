// SPDX-License-Identifier: Apache-2.0
// Lets a compiled network take algebra that holds for real numbers only: auto fast = net.hybridize(math::relaxed);
#pragma once
#include "../config.hpp"

namespace sinter::math {

// The rewrites of passes/relax.hpp, which docs/pipeline.md lists: results may differ in the last bits, and NaN or infinity may become a
// number. They change the graph, so every backend and device has them; the eager network, and networks that do not ask, stay exact.
struct relaxed_rewrites {};
inline constexpr relaxed_rewrites relaxed{};

}  // namespace sinter::math
