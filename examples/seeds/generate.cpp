// SPDX-License-Identifier: Apache-2.0
// A small GPT with random weights writes a text, once from the whole text for each word, and once step by step with cached keys and values.
#include <sinter/sinter.hpp>

#include <algorithm>
#include <iostream>
#include <vector>

namespace nn = sinter::nn;
namespace nd = sinter::nd;
using sinter::dim;
using sinter::shape;

constexpr int length = 16, units = 32, heads = 4, words = 50;

// A layer and the model, called with the tokens of a text, or, where keys and values are cached, with some tokens and the place of the first.
template <bool Cached> struct layer : nn::hybrid_block<layer<Cached>> {
  using attention = std::conditional_t<Cached, nn::cached_attention<units, heads, 1, length>, nn::multi_head_attention<units, heads, true>>;
  using ffn = nn::positionwise_ffn<units, 4 * units, nn::gelu_tanh>;
  BOOST_HANA_DEFINE_STRUCT(layer, (nn::layer_norm<>, ln_1), (attention, attn), (nn::layer_norm<>, ln_2), (ffn, mlp));
  constexpr auto hybrid_forward(auto, auto const& x, auto const&... position) const
    requires(sizeof...(position) == Cached)
  {
    auto const y = x + attn(ln_1(x), position...);
    return y + mlp(ln_2(y));
  }
};
template <bool Cached> struct gpt : nn::hybrid_block<gpt<Cached>> {
  using embedding = nn::embedding<words, units>;
  using places = nn::positional_embedding<length, units>;
  using scores = nn::dense<words, nn::no_activation, float, false, false>;
  BOOST_HANA_DEFINE_STRUCT(gpt, (embedding, wte), (places, wpe), (layer<Cached>, first), (layer<Cached>, second), (nn::layer_norm<>, ln_f),
                           (scores, head));
  constexpr auto hybrid_forward(auto, auto const& tokens, auto const&... position) const
    requires(sizeof...(position) == Cached)
  {
    return head(ln_f(second(first(wpe(wte(tokens), position...), position...), position...)));
  }
};

using tokens = nd::tensor<std::int64_t, shape<1, dim<"length">>>;
using token = nd::tensor<std::int64_t, shape<1, 1>>;
using whole = nd::tensor<std::int64_t, shape<>>;

tokens as_tensor(std::vector<std::int64_t> const& text) {
  tokens t({1, static_cast<sinter::extent>(text.size())});
  std::copy(text.begin(), text.end(), t.data());
  return t;
}
// The word with the highest score behind the last place.
std::int64_t next(auto const& scores) { return sinter::argmax(scores, sinter::axis<-1>).to_vector().back(); }

int main() {
  gpt<false> model;
  model.initialize(sinter::init::normal{0.5}, 1);
  std::vector<std::int64_t> const prompt{7, 23, 4};

  std::vector<std::int64_t> text = prompt;
  while (text.size() < length) text.push_back(next(model(as_tensor(text))));
  std::cout << as_tensor(text) << "\n";

  gpt<true> generator;
  generator.share_parameters(model.collect_params());
  std::vector<std::int64_t> generated = prompt;
  generated.push_back(next(generator(as_tensor(prompt), whole{0})));
  auto const fast = generator.hybridize();
  while (generated.size() < length)
    generated.push_back(next(fast(token{generated.back()}, whole{static_cast<std::int64_t>(generated.size()) - 1})));
  std::cout << (generated == text ? "the same text" : "another text") << "\n";
}
// prints: [[ 7, 23,  4, 47,  2, 24, 25, 31, 33, 30, 48,  2, 48, 27, 32,  5]]
// prints: the same text
