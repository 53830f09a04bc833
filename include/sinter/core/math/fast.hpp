// SPDX-License-Identifier: Apache-2.0
// Lets a compiled network use faster forms of elementary functions: auto fast = net.hybridize(math::fast);
#pragma once
#include "../config.hpp"

namespace sinter::math {

// exp, sigmoid, tanh and erf of float32 within 5 units in the last place instead of 2 (docs/accuracy.md); everything else is unchanged, and
// so are constant expressions.
struct fast_form {};
inline constexpr fast_form fast{};

}  // namespace sinter::math
