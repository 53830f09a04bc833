// SPDX-License-Identifier: Apache-2.0
// The layers of a transformer: one block several times, with names of their numbers.
#pragma once
#include "../compile/hybridized.hpp"
#include "../nn/layers/transformer.hpp"

namespace sinter::models::detail::inline SINTER_ISA {

// stack(x, more...): each block is called with what the one before gave, and with `more`.
template <class... L> struct stack : nn::hybrid_block<stack<L...>>, nn::block_list<L...> {
  constexpr auto hybrid_forward(auto, auto const& x, auto const&... more) const { return nn::detail::chain(this->children, x, more...); }
};
template <int, class Block> using same = Block;
template <class Block, int... I> auto stacked(std::integer_sequence<int, I...>) -> stack<same<I, Block>...>;
template <int N, class Block> using stack_of = decltype(stacked<Block>(std::make_integer_sequence<int, N>{}));

using nn::no_activation;
// Of the last axis alone.
template <int Units, class Activation = no_activation> using linear = nn::dense<Units, Activation, float, true, false>;

}  // namespace sinter::models::detail::inline SINTER_ISA
