// SPDX-License-Identifier: Apache-2.0
// BERT's encoder (Devlin et al., arXiv 1810.04805) and the mean of its outputs, without its dropouts, which serve training. Names are those of
// Hugging Face's transformers, but a norm has gamma and beta, as in BERT's own files, where newer ones say weight and bias.
#pragma once
#include "stack.hpp"

namespace sinter::models {
namespace detail::inline SINTER_ISA {

using bert_norm = nn::layer_norm<float, 1e-12>;

template <int Units, int Words, int Places> struct bert_embeddings : nn::hybrid_block<bert_embeddings<Units, Words, Places>> {
  using words = nn::embedding<Words, Units>;
  using places = nn::positional_embedding<Places, Units>;
  using segments = nn::embedding<2, Units>;
  BOOST_HANA_DEFINE_STRUCT(bert_embeddings, (words, word_embeddings), (places, position_embeddings), (segments, token_type_embeddings),
                           (bert_norm, LayerNorm));  // NOLINT(readability-identifier-naming): as in its files
  constexpr auto hybrid_forward(auto, auto const& tokens, auto const& segment) const {
    auto const x = word_embeddings(tokens) + token_type_embeddings(segment);
    return LayerNorm(position_embeddings(x));
  }
};

template <int Units, int Heads> struct bert_heads : nn::hybrid_block<bert_heads<Units, Heads>> {
  BOOST_HANA_DEFINE_STRUCT(bert_heads, (linear<Units>, query), (linear<Units>, key), (linear<Units>, value));
  constexpr auto hybrid_forward(auto F, auto const& x, auto const&... mask) const {
    auto const q = query(x);
    auto const k = key(x);
    return F.scaled_dot_product_attention(q, k, value(x), mask..., num_heads<Heads>);
  }
};
// output(y, x): the norm behind the sum of x and what y becomes.
template <int Units> struct bert_output : nn::hybrid_block<bert_output<Units>> {
  // NOLINTNEXTLINE(readability-identifier-naming): as in its files
  BOOST_HANA_DEFINE_STRUCT(bert_output, (linear<Units>, dense), (bert_norm, LayerNorm));
  constexpr auto hybrid_forward(auto, auto const& y, auto const& x) const { return LayerNorm(dense(y) + x); }
};
template <int Units, int Heads> struct bert_attention : nn::hybrid_block<bert_attention<Units, Heads>> {
  using heads = bert_heads<Units, Heads>;
  BOOST_HANA_DEFINE_STRUCT(bert_attention, (heads, self), (bert_output<Units>, output));
  constexpr auto hybrid_forward(auto, auto const& x, auto const&... mask) const { return output(self(x, mask...), x); }
};
template <class Dense> struct bert_dense : nn::hybrid_block<bert_dense<Dense>> {
  BOOST_HANA_DEFINE_STRUCT(bert_dense, (Dense, dense));
  constexpr auto hybrid_forward(auto, auto const& x) const { return dense(x); }
};
template <int Units, int Heads, int Hidden> struct bert_layer : nn::hybrid_block<bert_layer<Units, Heads, Hidden>> {
  using attention_type = bert_attention<Units, Heads>;
  using hidden = bert_dense<linear<Hidden, nn::gelu>>;
  BOOST_HANA_DEFINE_STRUCT(bert_layer, (attention_type, attention), (hidden, intermediate), (bert_output<Units>, output));
  constexpr auto hybrid_forward(auto, auto const& x, auto const&... mask) const {
    auto const y = attention(x, mask...);
    return output(intermediate(y), y);
  }
};
template <class Layers> struct bert_encoder : nn::hybrid_block<bert_encoder<Layers>> {
  BOOST_HANA_DEFINE_STRUCT(bert_encoder, (Layers, layer));
  constexpr auto hybrid_forward(auto, auto const& x, auto const&... mask) const { return layer(x, mask...); }
};
}  // namespace detail::inline SINTER_ISA

// net(tokens), net(tokens, lengths), net(tokens, lengths, segments): of integers (N, T) from 0 to Words - 1, T up to Places, outputs (N, T, Units)
// and what the first place of each becomes in the pooler, (N, Units). lengths: integers (N,) from 1 to T, how many of each text's tokens count;
// without them all; 0 gives NaN. segments: (N, T), 0 in a first and 1 in a second sentence; without them 0.
template <int Layers, int Units, int Heads, int Hidden = 4 * Units, int Words = 30522, int Places = 512>
struct basic_bert : nn::hybrid_block<basic_bert<Layers, Units, Heads, Hidden, Words, Places>> {
  using embeddings_type = detail::bert_embeddings<Units, Words, Places>;
  using encoder_type = detail::bert_encoder<detail::stack_of<Layers, detail::bert_layer<Units, Heads, Hidden>>>;
  using pooler_type = detail::bert_dense<nn::dense<Units, nn::tanh>>;
  BOOST_HANA_DEFINE_STRUCT(basic_bert, (embeddings_type, embeddings), (encoder_type, encoder), (pooler_type, pooler));
  constexpr auto hybrid_forward(auto F, auto const& tokens) const { return pooled(F, encoder(embeddings(tokens, F.zeros_like(tokens)))); }
  constexpr auto hybrid_forward(auto F, auto const& tokens, auto const& lengths) const {
    return hybrid_forward(F, tokens, lengths, F.zeros_like(tokens));
  }
  constexpr auto hybrid_forward(auto F, auto const& tokens, auto const& lengths, auto const& segments) const {
    auto const is_text = F.arange_like(tokens, axis<1>) < F.expand_dims(lengths, axis<1>);
    return pooled(F, encoder(embeddings(tokens, segments), is_text(all, newaxis, newaxis)));  // for all heads and places
  }

 private:
  constexpr auto pooled(auto F, auto const& y) const {
    auto const first = pooler(F.take(y, 0, axis<1>));
    return std::tuple(y, first);
  }
};
using bert_base = basic_bert<12, 768, 12>;
using bert_large = basic_bert<24, 1024, 16>;
using minilm = basic_bert<6, 384, 12>;

// Vectors of length 1 of whole texts, (N, Units), which are near each other if the texts say similar things (Reimers and Gurevych, arXiv
// 1908.10084): the mean of a BERT's outputs over the places of each text. Called as the BERT is.
template <class Bert = minilm> struct sentence_embedding : nn::hybrid_block<sentence_embedding<Bert>> {
  BOOST_HANA_DEFINE_STRUCT(sentence_embedding, (Bert, bert));
  constexpr auto hybrid_forward(auto F, auto const& tokens) const { return F.l2_normalize(F.mean(std::get<0>(bert(tokens)), axis<1>)); }
  constexpr auto hybrid_forward(auto F, auto const& tokens, auto const& lengths, auto const&... segments) const {
    auto const y = std::get<0>(bert(tokens, lengths, segments...));
    return F.l2_normalize(F.sum(F.sequence_mask(y, lengths, axis<1>), axis<1>));  // a sum has the direction of its mean
  }
};

}  // namespace sinter::models
