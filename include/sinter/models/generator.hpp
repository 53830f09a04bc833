// SPDX-License-Identifier: Apache-2.0
// Texts written token by token by a network that gives scores of the next one, with cached keys and values.
#pragma once
#include <algorithm>
#include <functional>
#include <vector>

#include "../compile/hybridized.hpp"
#include "../nn/share.hpp"

namespace sinter::models {

// How a token is drawn: each with probability softmax(scores / temperature), of the top_k highest scores and those equal to the last of them,
// or of all if top_k is 0 (Fan et al., arXiv 1805.04833). Without a key the next one of random::seed's sequence.
struct sampling {
  double temperature = 1;
  int top_k = 0;
  std::int64_t key = random::next_key();
};

inline namespace SINTER_ISA {

// The token with the highest score, the first of several.
inline std::int64_t most_likely(std::vector<float> const& scores) {
  auto const highest = std::max_element(scores.begin(), scores.end());
  bool const are_numbers = std::none_of(scores.begin(), scores.end(), [](float s) { return math::isnan(s); });
  if (highest == scores.end() || !are_numbers || math::isinf(*highest))
    throw error("sinter: no token can be chosen by scores of which one is NaN or the highest is infinite");
  return highest - scores.begin();
}
// Token number i of a text, drawn: the first at which the sum of the probabilities goes beyond uniform_number(key, i).
inline std::int64_t drawn_token(std::vector<float> const& scores, sampling const& how, std::uint64_t i) {
  if (!(how.temperature > 0) || math::isinf(how.temperature) || how.top_k < 0)
    throw error(
        "sinter: tokens are drawn with a finite temperature above 0 and a top_k from 0 on; a generator that is given no sampling takes the "
        "most likely one");
  auto const highest = static_cast<double>(scores[static_cast<std::size_t>(most_likely(scores))]);
  float least = -math::infinity<float>;
  if (auto const k = static_cast<std::size_t>(how.top_k); k > 0 && k < scores.size()) {
    std::vector<float> sorted = scores;
    auto const last = sorted.begin() + how.top_k - 1;
    std::nth_element(sorted.begin(), last, sorted.end(), std::greater{});
    least = *last;
  }
  auto const weight = [&](float s) { return s < least ? 0 : math::exp((static_cast<double>(s) - highest) / how.temperature); };
  double all = 0;
  for (float const s : scores) all += weight(s);
  double const wanted = uniform_number(static_cast<std::uint64_t>(how.key), i) * all;
  double sum = 0;
  std::int64_t token = 0;
  for (std::size_t t = 0; t < scores.size() && !(wanted < sum); ++t)
    if (double const w = weight(scores[t]); w > 0) {
      sum += w;
      token = static_cast<std::int64_t>(t);
    }
  return token;
}

// generator<gpt2> write(net); write({15496, 11}, 20): the text that begins with these tokens, and the 20 most likely ones after them;
// write({15496, 11}, 20, {.temperature = 0.8, .top_k = 40}): 20 drawn ones. It shares the parameters of `net`, and keeps keys and values of
// Length places, of one text at a time. It compiles two networks: of a prompt of any length, which is read at once, and of one token anywhere.
template <class Net, int Length = Net::places> class generator {
  static_assert(Length >= 1 && Length <= Net::places,
                "sinter: the Length of a generator<net, Length> is from 1 to the places of its network");
  using network = typename Net::template step<Length>;
  using whole = nd::tensor<std::int64_t, shape<>>;

 public:
  using text = std::vector<std::int64_t>;

  explicit generator(Net const& net) : steps_(network{}.share_parameters(net.collect_params()).hybridize()) {}
  generator(generator const&) = delete;
  generator& operator=(generator const&) = delete;

  // `prompt` and `count` tokens more. Throws where they are more than Length, or the prompt is empty or has a token that the network does not know.
  text operator()(text prompt, int count) {
    return written(std::move(prompt), count, [](std::vector<float> const& scores, std::size_t) { return most_likely(scores); });
  }
  text operator()(text prompt, int count, sampling const& how) {
    return written(std::move(prompt), count, [&](std::vector<float> const& scores, std::size_t i) { return drawn_token(scores, how, i); });
  }
  // For loops of one's own. Begins a text; gives the scores of the token that follows.
  std::vector<float> start(text const& prompt) {
    if (prompt.empty()) throw error("sinter: a generator is given a prompt of at least one token");
    check_room(prompt.size(), 0);
    for (std::int64_t const t : prompt) check(t);
    place_ = 0;
    steps_.reset_states();  // a NaN of another text would be one in this
    nd::tensor<std::int64_t, shape<1, dim<"length">>> tokens({1, static_cast<extent>(prompt.size())});
    std::copy(prompt.begin(), prompt.end(), tokens.data());
    auto const scores = steps_(tokens, whole{0});
    place_ = static_cast<int>(prompt.size());
    return scores.to_vector();
  }
  // Goes on with a token; gives the scores of the one that follows.
  std::vector<float> next(std::int64_t token) {
    if (place_ == 0) throw error("sinter: a generator goes on with next() after start()");
    check_room(static_cast<std::size_t>(place_), 1);
    check(token);
    auto const scores = steps_(nd::tensor<std::int64_t, shape<1, 1>>{token}, whole{place_});
    ++place_;
    return scores.to_vector();
  }

 private:
  hybridized<network> steps_;
  int place_ = 0;  // of the next token

  static void check_room(std::size_t tokens, int more) {
    if (more >= 0 && tokens + static_cast<std::size_t>(more) <= Length) return;
    throw error("sinter: this generator has places for " + std::to_string(Length) + " tokens, and is asked for a text of " +
                std::to_string(tokens) + " and " + std::to_string(more) + " more");
  }
  static void check(std::int64_t token) {
    if (token < 0 || token >= Net::words)
      throw error("sinter: " + std::to_string(token) + " is no token of this network, whose tokens are 0 to " +
                  std::to_string(Net::words - 1));
  }
  text written(text all, int count, auto const& choose) {
    check_room(all.size(), count);
    std::vector<float> scores = start(all);
    for (int i = 0; i < count; ++i) {
      if (i > 0) scores = next(all.back());
      all.push_back(choose(scores, all.size()));
    }
    return all;
  }
};

}  // namespace SINTER_ISA
}  // namespace sinter::models
