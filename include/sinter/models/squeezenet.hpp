// SPDX-License-Identifier: Apache-2.0
// SqueezeNet 1.0 and 1.1 (Iandola et al., arXiv 1602.07360), with Gluon's layers and names.
#pragma once
#include "parts.hpp"

namespace sinter::models {
namespace detail::inline SINTER_ISA {

template <int Channels, int Kernel, int Padding = 0> using fire_conv =
    nn::hybrid_sequential<nn::conv2d<Channels, Kernel, 1, Padding>, relu>;
template <int Squeezed, int Expanded> using fire =
    nn::hybrid_sequential<fire_conv<Squeezed, 1>, branches<fire_conv<Expanded, 1>, fire_conv<Expanded, 3, 1>>>;
using fire_pool = nn::max_pool2d<3, 2, 0, true>;
// The scores of each class are the mean of its map: 13 x 13 of images with 224 x 224 pixels.
template <int Classes, class... Features> using squeezenet =
    network<nn::hybrid_sequential<Features..., nn::dropout<0.5>>,
            nn::hybrid_sequential<nn::conv2d<Classes, 1>, relu, nn::avg_pool2d<13>, nn::flatten>>;
}  // namespace detail::inline SINTER_ISA

// Of images (N, 3, 224, 224), scores (N, Classes).
template <int Classes = 1000> using squeezenet1_0 =
    detail::squeezenet<Classes, nn::conv2d<96, 7, 2>, detail::relu, detail::fire_pool, detail::fire<16, 64>, detail::fire<16, 64>,
                       detail::fire<32, 128>, detail::fire_pool, detail::fire<32, 128>, detail::fire<48, 192>, detail::fire<48, 192>,
                       detail::fire<64, 256>, detail::fire_pool, detail::fire<64, 256>>;
template <int Classes = 1000> using squeezenet1_1 =
    detail::squeezenet<Classes, nn::conv2d<64, 3, 2>, detail::relu, detail::fire_pool, detail::fire<16, 64>, detail::fire<16, 64>,
                       detail::fire_pool, detail::fire<32, 128>, detail::fire<32, 128>, detail::fire_pool, detail::fire<48, 192>,
                       detail::fire<48, 192>, detail::fire<64, 256>, detail::fire<64, 256>>;

}  // namespace sinter::models
