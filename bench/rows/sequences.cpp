// SPDX-License-Identifier: Apache-2.0
// Layers for sequences: an LSTM, a block of GPT-2 with its cache, and attention alone.
#include <sinter/models/gpt2.hpp>

#include "rows.hpp"

namespace bench {

// Compiled beside eager, which test/nn/recurrent and test/nn/transformer compare with double precision.
static void compare(std::string const& what, auto const& got, auto const& want) {
  for (std::int64_t i = 0; i < got.size(); ++i) check(what, static_cast<double>(got.data()[i]), static_cast<double>(want.data()[i]), 1);
}
// The compiled network, whose result is compared.
static auto ready(std::string const& what, auto& net, auto const& x, auto& y) {
  net.initialize(sinter::init::xavier{}, 1);
  net(x);
  set_parameters(net);
  auto const fast = net.hybridize();
  fast(x, y);
  compare(what, y, net(x));
  return fast;
}

// The products of all inputs are one, at the peak of multiplications; then each step reads the weights of the state.
template <int Steps, int Channels, int Hidden> static void lstm(std::string const& what) {
  if (!wanted("C18", what)) return;
  nn::lstm<Hidden> net;
  nd::tensor<float, shape<Steps, 1, Channels>> x;
  nd::tensor<float, shape<Steps, 1, Hidden>> y;
  fill(x);
  auto const fast = ready(what, net, x, y);
  constexpr std::size_t n = std::size_t{4} * Hidden * Hidden;
  constexpr int products = static_cast<int>(std::size_t{4} * Hidden * Channels * Steps / lanes / fma_operations);
  array const weights(n);
  row("C18", what, [&] { fast(x, y); }, {{[&] {
        for (int i = 0; i < products; ++i) fma();
        for (int i = 0; i < Steps; ++i) read(weights.get(), n);
      }}});
}

// With as many operands as it is called with here, so that the last one is known to be the result.
template <int Units, int Length> struct gpt2_step : nn::hybrid_block<gpt2_step<Units, Length>> {
  using gpt2_block = sinter::models::detail::gpt2_block<Units, nn::cached_attention<Units, 12, 1, Length>>;
  BOOST_HANA_DEFINE_STRUCT(gpt2_step, (gpt2_block, block));
  constexpr auto hybrid_forward(auto, auto const& x, auto const& position) const { return block(x, position); }
};
// The last place of a cache of so many: beside the reading of the weights, and of the keys and values.
template <int Length> static void step(std::string const& what) {
  if (!wanted("C20", what)) return;
  constexpr int units = 768;
  gpt2_step<units, Length> net;
  net.initialize(sinter::init::xavier{}, 1);
  nd::tensor<float, shape<1, 1, units>> x, y;
  nd::tensor<std::int64_t, shape<>> position;
  fill(x);
  position.data()[0] = Length - 1;
  net(x, position);
  set_parameters(net);
  auto const fast = net.hybridize();
  fast(x, position, y);
  compare(what, y, net(x, position));
  array const weights(std::size_t{units} * (12 * units + 2 * Length));
  row("C20", what, [&] { fast(x, position, y); }, {reading(weights.get(), weights.size)});
}

struct attend {
  constexpr auto operator()(auto F, auto q, auto k, auto v) const { return F.scaled_dot_product_attention(q, k, v, sinter::num_heads<12>); }
};
template <int Tokens> static void attention(std::string const& what) {
  if (!wanted("C21", what)) return;
  constexpr int units = 768;
  nd::tensor<float, shape<1, Tokens, units>> q, k, v, y;
  fill(q);
  fill(k);
  fill(v);
  auto const fast = sinter::hybridize(attend{});
  fast.network(q, k, v, y);
  compare(what, y, sinter::scaled_dot_product_attention(q, k, v, sinter::num_heads<12>));
  row("C21", what, [&] { fast.network(q, k, v, y); }, {flops(4.0 * Tokens * Tokens * units)});
}

void sequences() {
  lstm<28, 128, 128>("LSTM of 128, 28 steps, 1 row");
  step<128>("GPT-2's block, 1 token, 127 before it");
  step<1024>("GPT-2's block, 1 token, 1023 before it");
  attention<128>("attention, 12 heads of 64, 128 tokens");
  attention<1024>("attention, 12 heads of 64, 1024 tokens");
}

}  // namespace bench
