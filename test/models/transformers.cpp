// SPDX-License-Identifier: Apache-2.0
// GPT-2 and BERT of two layers, with parameters and tokens that peers.py gives Hugging Face's transformers, whose results are in peers.txt.
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/models/bert.hpp>
#include <sinter/models/gpt2.hpp>

#include "../nn/network.hpp"
#include "formula.hpp"

namespace models = sinter::models;
using sinter::dims;

namespace {

// A variable of integers.
sinter::symbol tokens_of(char const* name, dims const& shape) { return sinter::sym::var(name, shape, sinter::dtype::int64); }

template <auto... D> using integers = sinter::nd::tensor<std::int64_t, shape<D...>>;

template <class... T> void is_in_peers(std::string const& name, T const&... parts) {
  INFO(name);
  std::vector<double> const want = formula::numbers_in("peers.txt", name);
  std::vector<double> got;
  auto const append = [&](auto const& part) {
    for (auto const v : part) got.push_back(static_cast<double>(v));
  };
  (append(parts.to_vector()), ...);
  REQUIRE(got.size() == want.size());
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == Approx(want[i]).margin(1e-5));
}

using gpt2 = models::basic_gpt2<2, 8, 2, 13, 14>;
gpt2 made_gpt2() {
  gpt2 net;
  net.initialize(sinter::init::zeros{});
  formula::set_parameters(net, net(tokens_of("tokens", {1, 5})), {});
  return net;
}
std::vector<std::int64_t> text_in_peers(std::string const& name) {
  std::vector<double> const numbers = formula::numbers_in("peers.txt", name);
  return {numbers.begin(), numbers.end()};
}

}  // namespace

TEST_CASE("GPT-2 gives the scores of transformers") {
  gpt2 const net = made_gpt2();
  integers<1, 5> const text{{3, 9, 0, 12, 7}};
  is_in_peers("gpt2_scores", net(text));
  is_in_peers("gpt2_scores", net(integers<1, dim<"length">>(text)));
  auto const composed = net(tokens_of("tokens", {1, 5})).eval({{"tokens", text}})[0].as<f32<1, 5, 13>>();
  check_same(composed, net(text));
}

TEST_CASE("GPT-2 writes step by step what transformers gives from whole texts") {
  gpt2 net = made_gpt2();
  using writer = models::generator<gpt2, 12>;  // with places for less than the network has
  writer write(net);
  std::vector<std::int64_t> const one{4}, five{3, 9, 0, 12, 7};
  CHECK(write(one, 11) == text_in_peers("gpt2_greedy_1"));
  CHECK(write(five, 7) == text_in_peers("gpt2_greedy_5"));
  CHECK(write(one, 11, {.temperature = 1.5, .key = 11}) == text_in_peers("gpt2_drawn"));
  CHECK(write(one, 11, {.temperature = 2.5, .top_k = 3, .key = 12}) == text_in_peers("gpt2_top"));
  CHECK(write(five, 7, {.top_k = 1}) == text_in_peers("gpt2_greedy_5"));
  CHECK(write(five, 0) == five);
  sinter::random::seed(3);
  auto const text = write(one, 11, {.temperature = 3});
  CHECK(write(one, 11, {.temperature = 3}) != text);
  sinter::random::seed(3);
  CHECK(write(one, 11, {.temperature = 3}) == text);

  SECTION("what does not fit is an error, and the next text is right") {
    CHECK(message_of([&] { write({}, 1); }) == "sinter: a generator is given a prompt of at least one token");
    CHECK(message_of([&] { write(five, 8); }) ==
          "sinter: this generator has places for 12 tokens, and is asked for a text of 5 and 8 more");
    CHECK(message_of([&] { write.start(std::vector<std::int64_t>(13)); }) ==
          "sinter: this generator has places for 12 tokens, and is asked for a text of 13 and 0 more");
    CHECK(message_of([&] { write(one, -1); }) ==
          "sinter: this generator has places for 12 tokens, and is asked for a text of 1 and -1 more");
    CHECK(message_of([&] { write({1, 13}, 1); }) == "sinter: 13 is no token of this network, whose tokens are 0 to 12");
    CHECK(message_of([&] { write({-1}, 1); }) == "sinter: -1 is no token of this network, whose tokens are 0 to 12");
    CHECK(message_of([&] { writer(net).next(1); }) == "sinter: a generator goes on with next() after start()");
    write(five, 7);
    CHECK_THROWS_AS(write.next(13), sinter::error);
    write.next(1);  // the last place
    CHECK_THROWS_AS(write.next(1), sinter::error);
    CHECK_THROWS_AS(write(one, 1, {.temperature = 0}), sinter::error);
    CHECK_THROWS_AS(write(one, 1, {.temperature = sinter::math::infinity<double>}), sinter::error);
    CHECK_THROWS_AS(write(one, 1, {.top_k = -1}), sinter::error);
    CHECK(write(five, 7) == text_in_peers("gpt2_greedy_5"));
  }
  SECTION("parameters that change, and a NaN that goes") {
    auto const bias = net.h.at<0>().attn.value.bias.data<shape<8>>();
    auto broken = bias.copy();
    broken[2] = std::numeric_limits<float>::quiet_NaN();
    net.h.at<0>().attn.value.bias.set(broken);
    CHECK(message_of([&] { write(five, 7); }) == "sinter: no token can be chosen by scores of which one is NaN or the highest is infinite");
    net.h.at<0>().attn.value.bias.set(bias);
    CHECK(write(one, 11) == text_in_peers("gpt2_greedy_1"));
  }
}

TEST_CASE("the most likely token is the first of several") {
  CHECK(models::most_likely({1, 3, 2, 3, -sinter::math::infinity<float>}) == 1);
  CHECK_THROWS_AS(models::most_likely({1, sinter::math::infinity<float>}), sinter::error);
  CHECK_THROWS_AS(models::most_likely({}), sinter::error);
  // As many as equal the last of the highest.
  for (std::uint64_t i = 0; i < 50; ++i) CHECK(models::drawn_token({1, 3, 2, 3}, {.temperature = 100, .top_k = 1, .key = 5}, i) % 2 == 1);
}

namespace {
using bert = models::basic_bert<2, 12, 3, 20, 11, 9>;
}

TEST_CASE("BERT gives what transformers gives") {
  models::sentence_embedding<bert> sentences;
  bert& net = sentences.bert;
  net.initialize(sinter::init::zeros{});
  auto const [outputs, pooled] = net(tokens_of("tokens", {2, 6}), tokens_of("lengths", {2}), tokens_of("segments", {2, 6}));
  auto const both = sinter::sym::group({outputs, pooled});
  formula::set_parameters(net, both, {});
  integers<2, 6> const tokens{{1, 4, 10, 2, 0, 0}, {3, 3, 9, 5, 0, 7}}, segments{{0, 0, 1, 1, 0, 0}, {0, 1, 1, 1, 1, 1}};
  integers<2> const lengths{4, 6};
  auto const is_named = [](std::string const& name, auto const& y) { is_in_peers(name, std::get<0>(y), std::get<1>(y)); };
  is_named("bert_plain", net(tokens));
  is_named("bert_masked", net(tokens, lengths));
  is_named("bert_paired", net(tokens, lengths, segments));
  is_named("bert_paired", net.hybridize()(tokens, lengths, segments));
  using any = integers<dim<"batch">, dim<"length">>;
  sinter::nd::tensor<int, shape<dim<"batch">>> const counts(sinter::nd::tensor<int, shape<2>>{4, 6});
  any const pairs(segments);
  is_named("bert_paired", net(any(tokens), counts, pairs));
  is_named("bert_paired", net.hybridize()(any(tokens), counts, pairs));
  auto const composed = both.eval({{"tokens", tokens}, {"lengths", lengths}, {"segments", segments}});
  is_in_peers("bert_paired", composed[0].as<f32<2, 6, 12>>(), composed[1].as<f32<2, 12>>());
  is_in_peers("bert_sentences", sentences(tokens, lengths));
  // A text alone, without padding.
  integers<1, 4> const first{{1, 4, 10, 2}};
  auto const whole = sentences(first).to_vector(), padded = sentences(tokens, lengths).row(0).to_vector();
  for (std::size_t i = 0; i < whole.size(); ++i) CHECK(whole[i] == Approx(padded[i]).margin(1e-6));
}
