// SPDX-License-Identifier: Apache-2.0
// DenseNet-BC of 121 to 201 layers (Huang et al., arXiv 1608.06993), with Gluon's layers and names.
#pragma once
#include "parts.hpp"

namespace sinter::models {
namespace detail::inline SINTER_ISA {

// Adds Growth channels to those that it is given.
template <int Growth> using dense_layer =
    branches<nn::identity, nn::hybrid_sequential<norm, relu, conv<4 * Growth, 1>, norm, relu, conv<Growth, 3, 1, 1>>>;
template <int Growth, int N> using dense_block = layers<nn::repeated<N, dense_layer<Growth>>>;
template <int Channels> using transition = layers<nn::hybrid_sequential<norm, relu, conv<Channels, 1>, nn::avg_pool2d<>>>;
// The channels behind each block, of which a transition keeps half.
template <int From, int Growth, int N> inline constexpr int grown = From + N * Growth;
template <int Classes, int First, int Growth, int A, int B, int C, int D> struct densenet {
  static constexpr int a = grown<First, Growth, A> / 2, b = grown<a, Growth, B> / 2, c = grown<b, Growth, C> / 2;
  using type = network<sequence<layers<conv<First, 7, 2, 3>, norm, relu, nn::max_pool2d<3, 2, 1>>, dense_block<Growth, A>, transition<a>,
                                dense_block<Growth, B>, transition<b>, dense_block<Growth, C>, transition<c>, dense_block<Growth, D>,
                                layers<norm, relu, nn::avg_pool2d<7>, nn::flatten>>,
                       nn::dense<Classes>>;
};
}  // namespace detail::inline SINTER_ISA

// Of images (N, 3, 224, 224), scores (N, Classes).
template <int Classes = 1000> using densenet121 = typename detail::densenet<Classes, 64, 32, 6, 12, 24, 16>::type;
template <int Classes = 1000> using densenet161 = typename detail::densenet<Classes, 96, 48, 6, 12, 36, 24>::type;
template <int Classes = 1000> using densenet169 = typename detail::densenet<Classes, 64, 32, 6, 12, 32, 32>::type;
template <int Classes = 1000> using densenet201 = typename detail::densenet<Classes, 64, 32, 6, 12, 48, 32>::type;

}  // namespace sinter::models
