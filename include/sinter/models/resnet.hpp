// SPDX-License-Identifier: Apache-2.0
// Residual networks of 18 to 152 layers, in both versions (He et al., arXiv 1512.03385 and 1603.05027), with Gluon's layers and names.
#pragma once
#include "parts.hpp"

namespace sinter::models {
namespace detail::inline SINTER_ISA {

// Channels: of the result. Shrinks: whether shape or channels change, so that the shortcut is a convolution.
template <int Channels, int Stride, bool Shrinks> struct basic_v1 : nn::hybrid_block<basic_v1<Channels, Stride, Shrinks>> {
  using body_type = nn::hybrid_sequential<conv<Channels, 3, Stride, 1>, norm, relu, conv<Channels, 3, 1, 1>, norm>;
  using shortcut_type = std::conditional_t<Shrinks, nn::hybrid_sequential<conv<Channels, 1, Stride>, norm>, nn::identity>;
  BOOST_HANA_DEFINE_STRUCT(basic_v1, (body_type, body), (shortcut_type, downsample));
  constexpr auto hybrid_forward(auto F, auto const& x) const { return F.relu(downsample(x) + body(x)); }
};
template <int Channels, int Stride, bool Shrinks> struct bottleneck_v1 : nn::hybrid_block<bottleneck_v1<Channels, Stride, Shrinks>> {
  using body_type = nn::hybrid_sequential<nn::conv2d<Channels / 4, 1, Stride>, norm, relu, conv<Channels / 4, 3, 1, 1>, norm, relu,
                                          nn::conv2d<Channels, 1>, norm>;
  using shortcut_type = std::conditional_t<Shrinks, nn::hybrid_sequential<conv<Channels, 1, Stride>, norm>, nn::identity>;
  BOOST_HANA_DEFINE_STRUCT(bottleneck_v1, (body_type, body), (shortcut_type, downsample));
  constexpr auto hybrid_forward(auto F, auto const& x) const { return F.relu(body(x) + downsample(x)); }
};
// Norm and relu come before a convolution; the shortcut of a block that shrinks begins behind them.
template <bool Shrinks, class Shortcut> constexpr auto shortcut_of(Shortcut const& shortcut, auto const& x, auto const& behind) {
  if constexpr (Shrinks) return shortcut(behind);
  else return x;
}
template <int Channels, int Stride, bool Shrinks> struct basic_v2 : nn::hybrid_block<basic_v2<Channels, Stride, Shrinks>> {
  using first = conv<Channels, 3, Stride, 1>;
  using second = conv<Channels, 3, 1, 1>;
  using shortcut_type = std::conditional_t<Shrinks, conv<Channels, 1, Stride>, nn::identity>;
  BOOST_HANA_DEFINE_STRUCT(basic_v2, (norm, bn1), (first, conv1), (norm, bn2), (second, conv2), (shortcut_type, downsample));
  constexpr auto hybrid_forward(auto F, auto const& x) const {
    auto const y = F.relu(bn1(x));
    return conv2(F.relu(bn2(conv1(y)))) + shortcut_of<Shrinks>(downsample, x, y);
  }
};
template <int Channels, int Stride, bool Shrinks> struct bottleneck_v2 : nn::hybrid_block<bottleneck_v2<Channels, Stride, Shrinks>> {
  using first = conv<Channels / 4, 1>;
  using second = conv<Channels / 4, 3, Stride, 1>;
  using third = conv<Channels, 1>;
  using shortcut_type = std::conditional_t<Shrinks, conv<Channels, 1, Stride>, nn::identity>;
  BOOST_HANA_DEFINE_STRUCT(bottleneck_v2, (norm, bn1), (first, conv1), (norm, bn2), (second, conv2), (norm, bn3), (third, conv3),
                           (shortcut_type, downsample));
  constexpr auto hybrid_forward(auto F, auto const& x) const {
    auto const y = F.relu(bn1(x));
    return conv3(F.relu(bn3(conv2(F.relu(bn2(conv1(y))))))) + shortcut_of<Shrinks>(downsample, x, y);
  }
};

template <template <int, int, bool> class Block, int From, int Channels, int Stride, int N>
using stage = sequence<layers<Block<Channels, Stride, From != Channels>>, times<N - 1, layers<Block<Channels, 1, false>>>>;
// Four stages of A, B, C and D blocks; the first one has Channels channels, each later one twice as many.
template <template <int, int, bool> class Block, int Channels, int A, int B, int C, int D>
using stages = layers<stage<Block, 64, Channels, 1, A>, stage<Block, Channels, Channels * 2, 2, B>,
                      stage<Block, Channels * 2, Channels * 4, 2, C>, stage<Block, Channels * 4, Channels * 8, 2, D>>;
using stem = layers<conv<64, 7, 2, 3>, norm, relu, nn::max_pool2d<3, 2, 1>>;
template <int Classes, class Stages> using resnet_v1 = network<sequence<stem, Stages, layers<nn::global_avg_pool2d<>>>, nn::dense<Classes>>;
using plain_norm = nn::batch_norm<1, 0.9, 1e-5, false, false>;  // neither scale nor shift
template <int Classes, class Stages> using resnet_v2 =
    network<sequence<layers<plain_norm>, stem, Stages, layers<norm, relu, nn::global_avg_pool2d<>, nn::flatten>>, nn::dense<Classes>>;
}  // namespace detail::inline SINTER_ISA

// Of images (N, 3, H, W), scores (N, Classes).
template <int Classes = 1000> using resnet18_v1 = detail::resnet_v1<Classes, detail::stages<detail::basic_v1, 64, 2, 2, 2, 2>>;
template <int Classes = 1000> using resnet34_v1 = detail::resnet_v1<Classes, detail::stages<detail::basic_v1, 64, 3, 4, 6, 3>>;
template <int Classes = 1000> using resnet50_v1 = detail::resnet_v1<Classes, detail::stages<detail::bottleneck_v1, 256, 3, 4, 6, 3>>;
template <int Classes = 1000> using resnet101_v1 = detail::resnet_v1<Classes, detail::stages<detail::bottleneck_v1, 256, 3, 4, 23, 3>>;
template <int Classes = 1000> using resnet152_v1 = detail::resnet_v1<Classes, detail::stages<detail::bottleneck_v1, 256, 3, 8, 36, 3>>;
template <int Classes = 1000> using resnet18_v2 = detail::resnet_v2<Classes, detail::stages<detail::basic_v2, 64, 2, 2, 2, 2>>;
template <int Classes = 1000> using resnet34_v2 = detail::resnet_v2<Classes, detail::stages<detail::basic_v2, 64, 3, 4, 6, 3>>;
template <int Classes = 1000> using resnet50_v2 = detail::resnet_v2<Classes, detail::stages<detail::bottleneck_v2, 256, 3, 4, 6, 3>>;
template <int Classes = 1000> using resnet101_v2 = detail::resnet_v2<Classes, detail::stages<detail::bottleneck_v2, 256, 3, 4, 23, 3>>;
template <int Classes = 1000> using resnet152_v2 = detail::resnet_v2<Classes, detail::stages<detail::bottleneck_v2, 256, 3, 8, 36, 3>>;

}  // namespace sinter::models
