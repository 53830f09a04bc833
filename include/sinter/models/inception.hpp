// SPDX-License-Identifier: Apache-2.0
// Inception v3 (Szegedy et al., arXiv 1512.00567), with Gluon's layers and names.
#pragma once
#include "parts.hpp"

namespace sinter::models {
namespace detail::inline SINTER_ISA {

template <class Convolution> using normed = nn::hybrid_sequential<Convolution, nn::batch_norm<1, 0.9, 1e-3>, relu>;
template <int Channels, int Kernel, int Strides = 1, int Padding = 0> using basic_conv = normed<conv<Channels, Kernel, Strides, Padding>>;
template <int Channels> using conv1 = basic_conv<Channels, 1>;
template <int Channels, int Strides = 1> using conv3 = basic_conv<Channels, 3, Strides, Strides == 1 ? 1 : 0>;
template <int Channels, int N> using wide =
    normed<nn::conv2d<Channels, nn::size2d{1, N}, 1, nn::size2d{0, N / 2}, 1, 1, nn::no_activation, float, false>>;
template <int Channels, int N> using high =
    normed<nn::conv2d<Channels, nn::size2d{N, 1}, 1, nn::size2d{N / 2, 0}, 1, 1, nn::no_activation, float, false>>;
template <class... L> using branch = nn::hybrid_sequential<L...>;
using smoothed = nn::avg_pool2d<3, 1, 1>;
using halved = branch<nn::max_pool2d<3, 2>>;

template <int Pooled> using inception_a = branches<branch<conv1<64>>, branch<conv1<48>, basic_conv<64, 5, 1, 2>>,
                                                   branch<conv1<64>, conv3<96>, conv3<96>>, branch<smoothed, conv1<Pooled>>>;
using inception_b = branches<branch<conv3<384, 2>>, branch<conv1<64>, conv3<96>, conv3<96, 2>>, halved>;
template <int C> using inception_c =
    branches<branch<conv1<192>>, branch<conv1<C>, wide<C, 7>, high<192, 7>>,
             branch<conv1<C>, high<C, 7>, wide<C, 7>, high<C, 7>, wide<192, 7>>, branch<smoothed, conv1<192>>>;
using inception_d = branches<branch<conv1<192>, conv3<320, 2>>, branch<conv1<192>, wide<192, 7>, high<192, 7>, conv3<192, 2>>, halved>;
using split3 = branches<branch<wide<384, 3>>, branch<high<384, 3>>>;
using inception_e = branches<branch<conv1<320>>, branch<branch<conv1<384>>, split3>, branch<branch<conv1<448>, conv3<384>>, split3>,
                             branch<smoothed, conv1<192>>>;
}  // namespace detail::inline SINTER_ISA

// Of images (N, 3, 299, 299), scores (N, Classes).
template <int Classes = 1000> using inception_v3 =
    detail::network<nn::hybrid_sequential<detail::basic_conv<32, 3, 2>, detail::basic_conv<32, 3>, detail::conv3<64>, nn::max_pool2d<3, 2>,
                                          detail::conv1<80>, detail::basic_conv<192, 3>, nn::max_pool2d<3, 2>, detail::inception_a<32>,
                                          detail::inception_a<64>, detail::inception_a<64>, detail::inception_b, detail::inception_c<128>,
                                          detail::inception_c<160>, detail::inception_c<160>, detail::inception_c<192>, detail::inception_d,
                                          detail::inception_e, detail::inception_e, nn::avg_pool2d<8>, nn::dropout<0.5>>,
                    nn::dense<Classes>>;

}  // namespace sinter::models
