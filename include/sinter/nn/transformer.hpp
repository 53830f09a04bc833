// SPDX-License-Identifier: Apache-2.0
// Multi-head attention, positions, and the blocks of a transformer (Vaswani et al., arXiv 1706.03762), on (batch, length, channels).
#pragma once
#include "layers.hpp"

namespace sinter::nn {

// attention(x): each place of x attends to all of them, with IsCausal to those that are not behind it. attention(x, memory): to those of memory,
// (batch, keys, channels). attention(x, memory, mask): where the mask, which broadcasts to (batch, heads, queries, keys), is true.
// query, key, value and output are dense layers of the last axis with Units outputs, of which each head has Units / Heads.
template <int Units, int Heads, bool IsCausal = false, bool UseBias = true, class T = float>
struct multi_head_attention : hybrid_block<multi_head_attention<Units, Heads, IsCausal, UseBias, T>> {
  static_assert(Heads >= 1 && Units % Heads == 0,
                "sinter: the heads of multi_head_attention<64, 8> share its units equally, so their number divides that of the units");
  using linear = dense<Units, no_activation, T, UseBias, false>;
  BOOST_HANA_DEFINE_STRUCT(multi_head_attention, (linear, query), (linear, key), (linear, value), (linear, output));
  constexpr auto hybrid_forward(auto F, auto const& x) const { return attend(F, x, x); }
  constexpr auto hybrid_forward(auto F, auto const& x, auto const& memory) const { return attend(F, x, memory); }
  constexpr auto hybrid_forward(auto F, auto const& x, auto const& memory, auto const& mask) const { return attend(F, x, memory, mask); }

 private:
  constexpr auto attend(auto F, auto const& x, auto const& memory, auto const&... mask) const {
    auto const q = query(x);
    auto const k = key(memory);
    auto const v = value(memory);
    if constexpr (IsCausal) return output(F.scaled_dot_product_attention(q, k, v, mask..., num_heads<Heads>, is_causal));
    else return output(F.scaled_dot_product_attention(q, k, v, mask..., num_heads<Heads>));
  }
};

// x plus a learned row of weight (Length, Units) for each place; x is (batch, length, Units) and no longer than Length.
template <int Length, int Units, class T = float> struct positional_embedding : hybrid_block<positional_embedding<Length, Units, T>> {
  using matrix_type = basic_parameter<T, shape<Length, Units>>;
  BOOST_HANA_DEFINE_STRUCT(positional_embedding, (matrix_type, weight));
  constexpr auto hybrid_forward(auto F, auto const& x) const {
    if constexpr (is_poison<decltype(x)>) return x;
    else {
      auto const rows = F.expand_dims(F.get(weight, shape<Length, Units>{}), axis<0>);
      return F.add(x, F.slice_like(rows, x, axis<1>));
    }
  }
};
// x plus sin(p / 10000^(2 i / Units)) in its even channels 2 i and cos of the same in the odd ones, for place p.
template <int Units, class T = float> struct sinusoidal_embedding : hybrid_block<sinusoidal_embedding<Units, T>> {
  static_assert(Units >= 2 && Units % 2 == 0, "sinter: sinusoidal_embedding<64> has as many sines as cosines, so its channels are even");
  constexpr auto hybrid_forward(auto F, auto const& x) const {
    if constexpr (is_poison<decltype(x)>) return x;
    else {
      auto const place = F.cast(F.expand_dims(F.arange_like(x, axis<1>), axis<1>), as<T>);
      constexpr double step = -18.420680743952367 / Units;  // -2 log(10000) / Units
      auto const rate = F.exp(F.multiply(F.arange(values<Units / 2>, as<T>), step));
      auto const angle = F.multiply(place, rate);
      return F.add(x, F.reshape(F.stack(F.sin(angle), F.cos(angle), axis<2>), into<-1, Units>));
    }
  }
};

// The two dense layers behind an attention: Hidden units with an activation, then Units again.
template <int Units, int Hidden, class Activation = relu, auto Dropout = 0.0, class T = float>
struct positionwise_ffn : hybrid_block<positionwise_ffn<Units, Hidden, Activation, Dropout, T>> {
  using inner = dense<Hidden, Activation, T, true, false>;
  using outer = dense<Units, no_activation, T, true, false>;
  BOOST_HANA_DEFINE_STRUCT(positionwise_ffn, (inner, hidden), (outer, output), (dropout<Dropout>, drop));
  constexpr auto hybrid_forward(auto, auto const& x) const { return drop(output(hidden(x))); }
};
// Attention and a positionwise_ffn, each added to what it was given; layer norms stand behind the sums, with PreNorm in front of both.
// cell(x), or cell(x, mask) with a mask of (batch, heads, length, length), or one that broadcasts to it.
template <int Units, int Hidden, int Heads, class Activation = relu, auto Dropout = 0.0, bool PreNorm = false, bool IsCausal = false,
          class T = float>
struct transformer_encoder_cell : hybrid_block<transformer_encoder_cell<Units, Hidden, Heads, Activation, Dropout, PreNorm, IsCausal, T>> {
  using attention_type = multi_head_attention<Units, Heads, IsCausal, true, T>;
  using ffn_type = positionwise_ffn<Units, Hidden, Activation, Dropout, T>;
  BOOST_HANA_DEFINE_STRUCT(transformer_encoder_cell, (attention_type, attention), (layer_norm<T>, attention_norm), (ffn_type, ffn),
                           (layer_norm<T>, ffn_norm), (dropout<Dropout>, drop));
  constexpr auto hybrid_forward(auto, auto const& x, auto const&... mask) const {
    if constexpr (PreNorm) {
      auto const normal = attention_norm(x);
      auto const y = x + drop(attention(normal, normal, mask...));
      return y + ffn(ffn_norm(y));
    } else {
      auto const y = attention_norm(x + drop(attention(x, x, mask...)));
      return ffn_norm(y + ffn(y));
    }
  }
};
// The same with an attention to what an encoder gave between them: cell(x, memory), or cell(x, memory, mask) with a mask of the memory's places.
// Its first attention is causal.
template <int Units, int Hidden, int Heads, class Activation = relu, auto Dropout = 0.0, bool PreNorm = false, class T = float>
struct transformer_decoder_cell : hybrid_block<transformer_decoder_cell<Units, Hidden, Heads, Activation, Dropout, PreNorm, T>> {
  using causal_type = multi_head_attention<Units, Heads, true, true, T>;
  using cross_type = multi_head_attention<Units, Heads, false, true, T>;
  using ffn_type = positionwise_ffn<Units, Hidden, Activation, Dropout, T>;
  BOOST_HANA_DEFINE_STRUCT(transformer_decoder_cell, (causal_type, attention), (layer_norm<T>, attention_norm), (cross_type, cross),
                           (layer_norm<T>, cross_norm), (ffn_type, ffn), (layer_norm<T>, ffn_norm), (dropout<Dropout>, drop));
  constexpr auto hybrid_forward(auto, auto const& x, auto const& memory, auto const&... mask) const {
    if constexpr (PreNorm) {
      auto const y = x + drop(attention(attention_norm(x)));
      auto const z = y + drop(cross(cross_norm(y), memory, mask...));
      return z + ffn(ffn_norm(z));
    } else {
      auto const y = attention_norm(x + drop(attention(x)));
      auto const z = cross_norm(y + drop(cross(y, memory, mask...)));
      return ffn_norm(z + ffn(z));
    }
  }
};

}  // namespace sinter::nn
