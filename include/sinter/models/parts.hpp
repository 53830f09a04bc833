// SPDX-License-Identifier: Apache-2.0
// What the networks of this room are put together from.
#pragma once
#include "../compile/hybridized.hpp"
#include "../nn/layers/convolution.hpp"
#include "../nn/layers/norms.hpp"
#include "../nn/layers/pooling.hpp"

namespace sinter::models::detail::inline SINTER_ISA {

// Layers that are to stand in a sequence among others.
template <class... L> struct layers {};
template <class... Lists> struct joined;
template <class... L> struct joined<layers<L...>> {
  using type = layers<L...>;
  using block = nn::hybrid_sequential<L...>;
};
template <class... A, class... B, class... Rest> struct joined<layers<A...>, layers<B...>, Rest...> : joined<layers<A..., B...>, Rest...> {
};
// All layers of these lists, one after the other: as a list, and as a block.
template <class... Lists> using joined_layers = typename joined<layers<>, Lists...>::type;
template <class... Lists> using sequence = typename joined<layers<>, Lists...>::block;
template <int N, class List> struct copies {
  using type = joined_layers<List, typename copies<N - 1, List>::type>;
};
template <class List> struct copies<0, List> {
  using type = layers<>;
};
template <int N, class List> using times = typename copies<N, List>::type;

// Gluon's networks have these two members, by whose names its files know the parameters: features.0.weight, output.bias.
template <class Features, class Output> struct network : nn::hybrid_block<network<Features, Output>> {
  BOOST_HANA_DEFINE_STRUCT(network, (Features, features), (Output, output));
  constexpr auto hybrid_forward(auto, auto const& x) const { return output(features(x)); }
};
// All blocks on the same images, their results side by side along the channels.
template <class... L> struct branches : nn::hybrid_block<branches<L...>>, nn::block_list<L...> {
  constexpr auto hybrid_forward(auto F, auto const& x) const {
    return std::apply([&](auto const&... y) { return F.concat(y..., axis<1>); }, nn::detail::outputs_of(this->children, x));
  }
};

using relu = nn::activation<nn::relu>;
using norm = nn::batch_norm<>;
// A convolution without a bias, because a norm follows. Of numbers: nvcc 13 loses a pair that an alias hands on.
template <int Channels, int Kernel, int Strides = 1, int Padding = 0, int Groups = 1>
using conv = nn::conv2d<Channels, Kernel, Strides, Padding, 1, Groups, nn::no_activation, float, false>;

}  // namespace sinter::models::detail::inline SINTER_ISA
