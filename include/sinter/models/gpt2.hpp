// SPDX-License-Identifier: Apache-2.0
// GPT-2 (Radford et al., Language models are unsupervised multitask learners, 2019), without its dropouts, which serve training. wte, wpe, h,
// ln_1, attn, ln_2, mlp and ln_f have the names that Hugging Face's transformers gives them, and what is in them those of nn/: the query, key
// and value of its attn.c_attn are three layers, and the weights of its c_attn, c_proj and c_fc are transposed.
#pragma once
#include "generator.hpp"
#include "stack.hpp"

namespace sinter::models {
namespace detail::inline SINTER_ISA {

template <int Units, class Attention> struct gpt2_block : nn::hybrid_block<gpt2_block<Units, Attention>> {
  using ffn = nn::positionwise_ffn<Units, 4 * Units, nn::gelu_tanh>;
  BOOST_HANA_DEFINE_STRUCT(gpt2_block, (nn::layer_norm<>, ln_1), (Attention, attn), (nn::layer_norm<>, ln_2), (ffn, mlp));
  constexpr auto hybrid_forward(auto, auto const& x, auto const&... position) const {
    auto const y = x + attn(ln_1(x), position...);
    return y + mlp(ln_2(y));
  }
};
// Length: of the cache, in a network that is called with the places of a text from `position` on and gives scores of what follows the last one;
// 0 in one that is called with whole texts.
template <int Layers, int Units, int Heads, int Words, int Places, int Length>
struct gpt2_network : nn::hybrid_block<gpt2_network<Layers, Units, Heads, Words, Places, Length>> {
  static constexpr int words = Words, places = Places;
  template <int N> using step = gpt2_network<Layers, Units, Heads, Words, Places, N>;

  using attention =
      std::conditional_t<(Length > 0), nn::cached_attention<Units, Heads, 1, Length>, nn::multi_head_attention<Units, Heads, true>>;
  using word_embedding = nn::embedding<Words, Units>;
  using place_embedding = nn::positional_embedding<Places, Units>;
  using blocks = stack_of<Layers, gpt2_block<Units, attention>>;
  BOOST_HANA_DEFINE_STRUCT(gpt2_network, (word_embedding, wte), (place_embedding, wpe), (blocks, h), (nn::layer_norm<>, ln_f));
  constexpr auto hybrid_forward(auto F, auto const& tokens, auto const&... position) const
    requires(sizeof...(position) == (Length > 0))
  {
    auto const x = h(wpe(wte(tokens), position...), position...);
    auto const last = [&] {
      if constexpr (Length > 0) return F.take(x, Places, axis<1>);  // which takes the nearest
      else return x;
    }();
    return F.fully_connected(ln_f(last), F.get(wte.weight, shape<Words, Units>{}), flattened<false>);
  }
};
}  // namespace detail::inline SINTER_ISA

// Of tokens (N, T), integers from 0 to Words - 1, scores (N, T, Words) of what follows each place, T up to Places. A generator of it writes texts.
template <int Layers, int Units, int Heads, int Words = 50257, int Places = 1024> using basic_gpt2 =
    detail::gpt2_network<Layers, Units, Heads, Words, Places, 0>;
using gpt2 = basic_gpt2<12, 768, 12>;  // 124 million parameters
using gpt2_medium = basic_gpt2<24, 1024, 16>;
using gpt2_large = basic_gpt2<36, 1280, 20>;
using gpt2_xl = basic_gpt2<48, 1600, 25>;

}  // namespace sinter::models
