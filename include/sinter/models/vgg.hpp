// SPDX-License-Identifier: Apache-2.0
// VGG of 11 to 19 layers (Simonyan and Zisserman, arXiv 1409.1556), with and without batch norms, with Gluon's layers and names.
#pragma once
#include "parts.hpp"

namespace sinter::models {
namespace detail::inline SINTER_ISA {

template <bool Norms, int Channels> using vgg_layer =
    std::conditional_t<Norms, layers<nn::conv2d<Channels, 3, 1, 1>, norm, relu>, layers<nn::conv2d<Channels, 3, 1, 1>, relu>>;
template <bool Norms, int Channels, int N> using vgg_stage = joined_layers<times<N, vgg_layer<Norms, Channels>>, layers<nn::max_pool2d<>>>;
template <int Classes, bool Norms, int A, int B, int C, int D, int E> using vgg = network<
    sequence<vgg_stage<Norms, 64, A>, vgg_stage<Norms, 128, B>, vgg_stage<Norms, 256, C>, vgg_stage<Norms, 512, D>,
             vgg_stage<Norms, 512, E>, layers<nn::dense<4096, nn::relu>, nn::dropout<0.5>, nn::dense<4096, nn::relu>, nn::dropout<0.5>>>,
    nn::dense<Classes>>;
}  // namespace detail::inline SINTER_ISA

// Of images (N, 3, H, W), scores (N, Classes).
template <int Classes = 1000> using vgg11 = detail::vgg<Classes, false, 1, 1, 2, 2, 2>;
template <int Classes = 1000> using vgg13 = detail::vgg<Classes, false, 2, 2, 2, 2, 2>;
template <int Classes = 1000> using vgg16 = detail::vgg<Classes, false, 2, 2, 3, 3, 3>;
template <int Classes = 1000> using vgg19 = detail::vgg<Classes, false, 2, 2, 4, 4, 4>;
template <int Classes = 1000> using vgg11_bn = detail::vgg<Classes, true, 1, 1, 2, 2, 2>;
template <int Classes = 1000> using vgg13_bn = detail::vgg<Classes, true, 2, 2, 2, 2, 2>;
template <int Classes = 1000> using vgg16_bn = detail::vgg<Classes, true, 2, 2, 3, 3, 3>;
template <int Classes = 1000> using vgg19_bn = detail::vgg<Classes, true, 2, 2, 4, 4, 4>;

}  // namespace sinter::models
