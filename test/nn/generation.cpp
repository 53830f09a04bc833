// SPDX-License-Identifier: Apache-2.0
// Attention to a cache of keys and values, rotary positions, and a small GPT that generates step by step what it generates from whole texts.
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/nn/layers/transformer.hpp>
#include <sinter/nn/share.hpp>
#include <sinter/symbol.hpp>

#include <cmath>

#include "../builds.hpp"
#include "network.hpp"

namespace {

using namespace sinter;
using whole = nd::tensor<std::int64_t, shape<>>;

constexpr int length = 7, units = 8, n_words = 11;

template <bool Cached> struct layer : nn::hybrid_block<layer<Cached>> {
  using attention = std::conditional_t<Cached, nn::cached_attention<units, 2, 1, length>, nn::multi_head_attention<units, 2, true>>;
  using ffn = nn::positionwise_ffn<units, 16, nn::gelu_tanh>;
  BOOST_HANA_DEFINE_STRUCT(layer, (nn::layer_norm<>, ln_1), (attention, attn), (nn::layer_norm<>, ln_2), (ffn, mlp));
  constexpr auto hybrid_forward(auto, auto const& x, auto const&... position) const
    requires(sizeof...(position) == Cached)
  {
    auto const y = x + attn(ln_1(x), position...);
    return y + mlp(ln_2(y));
  }
};
// From whole texts, gpt(tokens), or step by step, gpt(token, position).
template <bool Cached> struct gpt : nn::hybrid_block<gpt<Cached>> {
  using embedding = nn::embedding<n_words, units>;
  using places = nn::positional_embedding<length, units>;
  using head_type = nn::dense<n_words, nn::no_activation, float, false, false>;
  BOOST_HANA_DEFINE_STRUCT(gpt, (embedding, wte), (places, wpe), (layer<Cached>, first), (layer<Cached>, second), (nn::layer_norm<>, ln_f),
                           (head_type, head));
  constexpr auto hybrid_forward(auto, auto const& tokens, auto const&... position) const
    requires(sizeof...(position) == Cached)
  {
    return head(ln_f(second(first(wpe(wte(tokens), position...), position...), position...)));
  }
};
using tokens_type = nd::tensor<std::int64_t, shape<1, dim<"length">>>;
using token_type = nd::tensor<std::int64_t, shape<1, 1>>;

tokens_type text_of(std::vector<std::int64_t> const& tokens) {
  tokens_type t({1, static_cast<extent>(tokens.size())});
  std::copy(tokens.begin(), tokens.end(), t.data());
  return t;
}
std::int64_t last_word(f32<1, dim<"length">, n_words> const& scores) {
  auto const row = scores.to_vector();
  return std::max_element(row.end() - n_words, row.end()) - (row.end() - n_words);
}
template <class A, class B> void close(A const& a, B const& b) {
  REQUIRE(a.size() == b.size());
  auto const x = a.to_vector();
  auto const y = b.to_vector();
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(x[i] == Approx(y[i]).margin(2e-6));
}
template <class X> bool all_nan(X const& x) {
  for (auto v : x.to_vector())
    if (!std::isnan(v)) return false;
  return true;
}

}  // namespace

TEST_CASE("a GPT generates step by step what it generates from whole texts") {
  gpt<false> model;
  model.initialize(init::normal{1}, 8);
  tokens_type const prompt = text_of({3, 9});
  model(prompt);
  gpt<true> steps;
  steps.initialize();
  steps(token_type{1}, whole{0});
  steps.share_parameters(model.collect_params());
  steps.first.attn.keys.set(dims{1, length, units}, std::vector<float>(length * units, 5.f).data());  // of another text
  std::vector<std::int64_t> generated{3, 9}, slowly{3, 9};
  auto const scores = steps(prompt, whole{0});  // several places at once
  close(scores, model(prompt));
  generated.push_back(last_word(scores));
  auto const step = [&](auto const& net) {
    auto const y = net(token_type{generated.back()}, whole{static_cast<std::int64_t>(generated.size()) - 1});
    close(y, f32<1, 1, n_words>(model(text_of(generated))(all, range<-1, open>).copy()));
    generated.push_back(last_word(f32<1, dim<"length">, n_words>(y)));
  };
  if constexpr (test::compiles_networks) {
    auto const fast = steps.hybridize();
    for (int i = 0; i < 3; ++i) step(fast);
  }
  while (generated.size() < length) step(steps);
  while (slowly.size() < length) slowly.push_back(last_word(model(text_of(slowly))));
  CHECK(generated == slowly);
  CHECK(all_nan(steps(token_type{1}, whole{length})));
}

TEST_CASE("attention to a cache that is an operand, of a batch, as a symbol") {
  nn::multi_head_attention<units, 4, true> net;
  net.initialize(init::uniform{1}, 3);
  auto const x = filled<f32<2, 5, 6>>();
  auto const want = net(x);
  f32<2, length, units> keys, values;
  auto const first = net(f32<2, 3, 6>(x(all, range<0, 3>).copy()), keys, values, whole{0});
  auto const second = net(f32<2, 2, 6>(x(all, range<3, 5>).copy()), std::get<1>(first), std::get<2>(first), whole{3});
  close(std::get<0>(first), f32<2, 3, units>(want(all, range<0, 3>).copy()));
  close(std::get<0>(second), f32<2, 2, units>(want(all, range<3, 5>).copy()));
  // The cache has the keys of all places, and nothing behind them.
  auto const k = fully_connected(x, net.key.weight.data<shape<units, 6>>(), net.key.bias.data<shape<units>>(), flattened<false>);
  close(f32<2, 5, units>(std::get<1>(second)(all, range<0, 5>).copy()), k);
  close(f32<2, 2, units>(std::get<1>(second)(all, range<5, open>).copy()), f32<2, 2, units>{});
  auto const row = f32<2, 1, 6>(x(all, range<3, 4>).copy());
  auto const one = net(row, std::get<1>(first), std::get<2>(first), whole{3});
  auto const composed = net(sym::var("x"), sym::var("k"), sym::var("v"), sym::var("p"));
  auto const run = std::get<0>(composed).eval({{"x", row}, {"k", std::get<1>(first)}, {"v", std::get<2>(first)}, {"p", whole{3}}});
  CHECK(run[0].template as<f32<2, 1, units>>().to_vector() == std::get<0>(one).to_vector());
  close(std::get<0>(one), f32<2, 1, units>(want(all, range<3, 4>).copy()));
  // What does not fit gives NaN.
  CHECK(all_nan(std::get<0>(net(row, keys, values, whole{length}))));
  CHECK(all_nan(std::get<0>(net(x, keys, values, whole{length - 4}))));
  CHECK(all_nan(std::get<0>(net(x, keys, values, whole{-1}))));
  CHECK(all_nan(std::get<0>(net(x, keys, values, whole{std::numeric_limits<std::int64_t>::max()}))));
  CHECK_FALSE(std::isnan(std::get<0>(net(x, keys, values, whole{length - 5}))(0, 0, 0)));
  // All places of a call attend to each other where it is not causal.
  nn::multi_head_attention<units, 4> open_eyed;
  open_eyed.initialize(init::uniform{1}, 3);
  close(std::get<0>(open_eyed(x, keys, values, whole{0})), open_eyed(x));
}

namespace {
// Number c of a head with `n` channels at place p.
template <class At> double rotated(At const& at, int c, int n, double p, double base, bool halves) {
  int const pair = halves ? c % (n / 2) : c / 2;
  bool const is_first = halves ? c < n / 2 : c % 2 == 0;
  int const partner = halves ? (c + n / 2) % n : c ^ 1;
  double const angle = p * std::pow(base, -2.0 * pair / n);
  return at(c) * std::cos(angle) + (is_first ? -1 : 1) * at(partner) * std::sin(angle);
}
template <class Net, class X, class... P> auto rotate(Net const& net, X const& x, P const&... position) {
  auto const y = net(x, position...);
  if constexpr (test::compiles_networks) check_same(net.hybridize()(x, position...), y);
  return y;
}
}  // namespace

TEST_CASE("rotary positions") {
  auto const x = filled<f32<2, 3, 12>>();
  auto const y = rotate(nn::rotary_embedding<12, 2>{}, x);
  auto const z = rotate(nn::rotary_embedding<12, 3, 500.0, nn::rotary_pairs::neighbours>{}, x, whole{100000});
  for (int b = 0; b < 2; ++b)
    for (int t = 0; t < 3; ++t)
      for (int c = 0; c < 12; ++c) {
        auto const at = [&](int heads) {
          return [&x, b, t, c, n = 12 / heads](int i) { return static_cast<double>(x(b, t, c / n * n + i)); };
        };
        CHECK(y(b, t, c) == Approx(rotated(at(2), c % 6, 6, t, 10000, true)).margin(1e-6));
        CHECK(z(b, t, c) == Approx(rotated(at(3), c % 4, 4, 100000 + t, 500, false)).margin(1e-6));
      }
  // (batch, heads, length, channels), of any length, and none; as a symbol.
  nn::rotary_embedding<6> const net;
  f32<2, 2, 3, 6> const heads(transpose(reshape(x, into<2, 3, 2, 6>), axes<0, 2, 1, 3>).copy());
  f32<2, 3, 12> const same(reshape(transpose(net(heads), axes<0, 2, 1, 3>).copy(), into<2, 3, 12>));
  check_same(same, y);
  f32<2, dim<"heads">, dim<"length">, 6> const any(heads);
  CHECK(net(any).to_vector() == net(heads).to_vector());
  CHECK(net(f32<2, 0, 6>{}).size() == 0);
  auto const composed = net(sym::var("x"), sym::var("p"));
  CHECK(composed.eval({{"x", heads}, {"p", whole{2}}})[0].template as<f32<2, 2, 3, 6>>().to_vector() == net(heads, whole{2}).to_vector());
  // Products of two places depend on how far they are from each other.
  auto const product = [&](int p, int q) {
    f32<1, 1, 6> const a = filled<f32<1, 1, 6>>(), b(a * 0.5f + 1);
    return sum(net(a, whole{p}) * net(b, whole{q})).item();
  };
  CHECK(product(3, 5) == Approx(product(40, 42)).margin(1e-5));
}
