// SPDX-License-Identifier: Apache-2.0
// That a compiled network may take faster forms of elementary functions: auto fast = net.hybridize(math::fast);
#pragma once
#include "../config.hpp"

namespace sinter::math {

// exp, sigmoid, tanh and erf of float32 within 5 units in the last place instead of 2 (docs/accuracy.md); all else is as it was,
// and so is a constant expression.
struct fast_form {};
inline constexpr fast_form fast{};

}  // namespace sinter::math
