// SPDX-License-Identifier: Apache-2.0
// Lets a compiled network compute convolutions in fewer multiplications: auto fast = net.hybridize(math::winograd);
#pragma once
#include "../config.hpp"

namespace sinter::math {

// Convolutions of 3 x 3 in steps of 1 with at least 32 channels on both sides take Winograd's form F(4 x 4, 3 x 3) (Lavin and Gray, Fast
// Algorithms for Convolutional Neural Networks, CVPR 2016): 36 multiplications for 16 results instead of 144. It adds and subtracts what the
// direct form multiplies, so results have larger rounding errors (docs/accuracy.md), and a NaN or an infinity in an image spreads to the
// other results of its tile of 4 x 4. Constant expressions are unchanged.
struct winograd_form {};
inline constexpr winograd_form winograd{};

}  // namespace sinter::math
