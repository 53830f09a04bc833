// SPDX-License-Identifier: Apache-2.0
// Lets a compiled network compute convolutions in fewer multiplications: auto fast = net.hybridize(math::winograd);
#pragma once
#include "../config.hpp"

namespace sinter::math {

// Convolutions of 3 x 3 in steps of 1 with at least 32 channels on both sides take one of Winograd's forms (Lavin and Gray, Fast Algorithms for
// Convolutional Neural Networks, CVPR 2016): F(4 x 4, 3 x 3), 36 multiplications for 16 results instead of 144, or F(2 x 2, 3 x 3) for small images,
// 16 for 4 instead of 36. They add and subtract what the direct form multiplies, so results have larger rounding errors (docs/accuracy.md), and a
// NaN or an infinity in an image spreads to other results of its tile. Constant expressions are unchanged.
struct winograd_form {};
inline constexpr winograd_form winograd{};

}  // namespace sinter::math
