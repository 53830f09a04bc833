// SPDX-License-Identifier: Apache-2.0
// Attention, positions and transformer blocks: against the operations that they are made of, loops for positions, in all modes.
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/nn/layers/transformer.hpp>
#include <sinter/symbol.hpp>

#include <cmath>

#include "../builds.hpp"
#include "network.hpp"

namespace {

using namespace sinter;

// The eager result; the same compiled and as a symbol.
template <class Net, class... X> auto in_all_modes(Net& net, X const&... x) {
  auto const y = net(x...);
  if constexpr (test::compiles_networks) check_same(net.hybridize()(x...), y);
  sym::arrays_by_name values;
  auto const variable = [&](auto const& k) {
    std::string const name = "x" + std::to_string(values.size());
    values.emplace(name, k);
    return sym::var(name);
  };
  std::tuple const variables{variable(x)...};
  using result = std::remove_cvref_t<decltype(y)>;
  CHECK(std::apply(net, variables).eval(values)[0].template as<result>().to_vector() == y.to_vector());
  return result(y);
}
template <class Dense, class X> auto dense_of(Dense const& d, X const& x) {
  return fully_connected(x, d.weight.template data<shape<8, X::shape_type::value.d[2]>>(), d.bias.template data<shape<8>>(),
                         flattened<false>);
}
template <class A, class B> void close(A const& a, B const& b) {
  REQUIRE(a.shape() == b.shape());
  for (int i = 0; i < a.size(); ++i)
    CHECK(a.to_vector()[static_cast<std::size_t>(i)] == Approx(b.to_vector()[static_cast<std::size_t>(i)]).margin(1e-5));
}
template <class Norm, class X> auto norm_of(Norm const& n, X const& x) {
  return layer_norm(x, n.gamma.template data<shape<8>>(), n.beta.template data<shape<8>>());
}
// Evaluates a network in training, as a symbol; a decoder is given its memory, too.
template <class Net> f32<2, 5, 8> trained(Net& net, f32<2, 5, 8> const& x, auto const&... memory) {
  net.initialize(init::uniform{1}, 3);
  auto const y = net(sinter::training(sym::var("x")), (static_cast<void>(memory), sym::var("memory"))...);
  sym::arrays_by_name in{{"x", x}};
  (in.emplace("memory", memory), ...);
  return unmarked(y).eval(in)[0].template as<f32<2, 5, 8>>();
}

}  // namespace

TEST_CASE("multi-head attention is its dense layers around the operation") {
  nn::multi_head_attention<8, 2> net;
  net.initialize(init::uniform{1}, 3);
  auto const x = filled<f32<2, 5, 6>>();
  auto const got = in_all_modes(net, x);  // before parameters are read: compilers evaluate arguments in different orders
  close(got, dense_of(net.output,
                      scaled_dot_product_attention(dense_of(net.query, x), dense_of(net.key, x), dense_of(net.value, x), num_heads<2>)));
  nn::multi_head_attention<8, 4, true> causal;
  causal.initialize(init::uniform{1}, 4);
  auto const memory = filled<f32<2, 3, 6>>();
  nd::tensor<bool, shape<2, 1, 1, 3>> mask;
  for (int i = 0; i < 6; ++i) mask.data()[i] = i != 2 && i != 4;
  auto const masked = in_all_modes(causal, x, memory, mask);
  close(masked, dense_of(causal.output, scaled_dot_product_attention(dense_of(causal.query, x), dense_of(causal.key, memory),
                                                                     dense_of(causal.value, memory), mask, num_heads<4>, is_causal)));
  // Nothing behind a place changes what it gives.
  auto const y = causal(x);
  f32<2, 5, 6> other(x);
  other(all, range<3, 5>) = 7;
  CHECK(f32<2, 3, 8>(y(all, range<0, 3>)).to_vector() == f32<2, 3, 8>(causal(other)(all, range<0, 3>)).to_vector());
  // Any batch and any length.
  f32<dim<"batch">, dim<"length">, 6> const any(x);
  CHECK(net.hybridize()(any).to_vector() == net(x).to_vector());
}

TEST_CASE("attention takes dimensions without names, which meet when it runs") {
  nn::multi_head_attention<8, 2> net;
  net.initialize(sinter::init::uniform{0.5f}, 3);
  auto const filled = [](auto x) {
    for (int i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i * 37 % 19 - 9) / 8;
    return x;
  };
  nd::tensor<bool, shape<2, 1, 5, 5>> mask;
  for (int i = 0; i < mask.size(); ++i) mask.data()[i] = i % 3 != 0;
  auto const x = filled(nd::tensor<float, shape<2, 5, 8>>());
  auto const y = net(x).to_vector(), masked = net(x, x, mask).to_vector();
  auto const check = [&](auto const& z) {
    CHECK(net(z).to_vector() == y);
    CHECK(net.hybridize()(z).to_vector() == y);
    CHECK(net.hybridize()(z, z, std::as_const(mask)).to_vector() == masked);
  };
  check(filled(nd::tensor<float, shape<sinter::dynamic, 5, 8>>({2, 5, 8})));
  check(filled(nd::tensor<float, shape<2, sinter::dynamic, 8>>({2, 5, 8})));
  using any = nd::tensor<float, shape<sinter::dynamic, sinter::dynamic, 8>>;
  check(filled(any({2, 5, 8})));
  CHECK_THROWS_WITH(net(any({2, 5, 8}), any({3, 5, 8})), Catch::Contains("dynamic extents that meet must be equal"));
}
TEST_CASE("positions") {
  auto const x = filled<f32<2, 5, 6>>();
  nn::sinusoidal_embedding<6> sines;
  auto const y = in_all_modes(sines, x);
  for (int n = 0; n < 2; ++n)
    for (int p = 0; p < 5; ++p)
      for (int c = 0; c < 6; ++c) {
        double const angle = p / std::pow(10000.0, (c - c % 2) / 6.0);
        CHECK(static_cast<double>(y(n, p, c) - x(n, p, c)) == Approx(c % 2 ? std::cos(angle) : std::sin(angle)).margin(1e-6));
      }
  nn::positional_embedding<9, 6> learned;
  learned.initialize(init::uniform{1}, 2);
  auto const z = in_all_modes(learned, x);
  auto const rows = learned.weight.data<shape<9, 6>>();
  for (int p = 0; p < 5; ++p)
    for (int c = 0; c < 6; ++c) CHECK(z(1, p, c) == x(1, p, c) + rows(p, c));
}

TEST_CASE("the cells of a transformer") {
  auto const x = filled<f32<2, 5, 8>>(), memory = f32<2, 5, 8>(x * 0.5f);
  nn::transformer_encoder_cell<8, 16, 2, nn::gelu, 0.1> post;
  post.initialize(init::uniform{1}, 3);
  auto const y = in_all_modes(post, x);
  auto const first = norm_of(post.attention_norm, x + post.attention(x));
  close(y, norm_of(post.ffn_norm, first + post.ffn(first)));
  nd::tensor<bool, shape<5, 5>> mask;
  for (int i = 0; i < 25; ++i) mask.data()[i] = i / 5 >= i % 5;
  nn::transformer_encoder_cell<8, 16, 2, nn::relu, 0.0, true> pre;
  nn::transformer_encoder_cell<8, 16, 2, nn::relu, 0.0, true, true> causal;
  pre.initialize(init::uniform{1}, 5);
  causal.initialize(init::uniform{1}, 5);
  auto const z = in_all_modes(pre, x, mask);  // first: it decides the shapes of the parameters
  auto const normal = norm_of(pre.attention_norm, x);
  auto const joined = x + pre.attention(normal, normal, mask);
  close(z, joined + pre.ffn(norm_of(pre.ffn_norm, joined)));
  close(causal(x), z);
  nn::transformer_decoder_cell<8, 16, 4> decoder;
  decoder.initialize(init::uniform{1}, 6);
  auto const decoded = in_all_modes(decoder, x, memory);
  auto const a = norm_of(decoder.attention_norm, x + decoder.attention(x));
  auto const b = norm_of(decoder.cross_norm, a + decoder.cross(a, memory));
  close(decoded, norm_of(decoder.ffn_norm, b + decoder.ffn(b)));
  nn::transformer_decoder_cell<8, 16, 4, nn::relu, 0.0, true> early;
  early.initialize(init::uniform{1}, 6);
  auto const decoded_early = in_all_modes(early, x, memory, mask);
  auto const c = x + early.attention(norm_of(early.attention_norm, x));
  auto const d = c + early.cross(norm_of(early.cross_norm, c), memory, mask);
  close(decoded_early, d + early.ffn(norm_of(early.ffn_norm, d)));
}

// At a rate that keeps no element, everything that is added to x vanishes.
TEST_CASE("the cells of a transformer drop what they add in training") {
  constexpr double most = 0.9999999;
  auto const x = filled<f32<2, 5, 8>>();
  nn::transformer_encoder_cell<8, 16, 2, nn::relu, most, true> pre;
  CHECK(trained(pre, x).to_vector() == x.to_vector());
  nn::transformer_encoder_cell<8, 16, 2, nn::relu, most> post;
  close(trained(post, x), norm_of(post.ffn_norm, norm_of(post.attention_norm, x)));
  nn::transformer_decoder_cell<8, 16, 2, nn::relu, most, true> early;
  CHECK(trained(early, x, x).to_vector() == x.to_vector());
  nn::transformer_decoder_cell<8, 16, 2, nn::relu, most> late;
  close(trained(late, x, x), norm_of(late.ffn_norm, norm_of(late.cross_norm, norm_of(late.attention_norm, x))));
}
