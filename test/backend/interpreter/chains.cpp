// SPDX-License-Identifier: Apache-2.0
// The loops of two and three operations beside those of one, which they must equal bit by bit: every chain, with ends of every length.
#include "../../catch.hpp"

#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/interpreter.hpp>

#include <algorithm>
#include <cstring>
#include <limits>

using namespace sinter;
using namespace sinter::interpreter;

namespace {

constexpr int most = 5 * simd::lanes;
struct line {
  alignas(64) float v[most + simd::lanes]{};
  std::byte const* bytes() const { return reinterpret_cast<std::byte const*>(v); }
};
struct operation {
  std::string_view name;
  int arity;
};
template <class... Op> std::vector<operation> all_of(ops::list_of<Op...>) { return {{ops::op_name<Op>, Op::arity}...}; }

// Numbers, special values among them.
line drawn(int seed) {
  constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float some[]{0.5f, -0.0f, 3.25f, nan, -7.125f, 0.0f, inf, 1e-38f, -2.5f, 1e38f, -inf, 0.1f, -1.0f};
  line r;
  for (int i = 0; i < most; ++i) r.v[i] = some[(i * 5 + seed * 7) % 13] * (1 + static_cast<float>((i + seed) % 3));
  return r;
}
struct chain_test {
  line x = drawn(0), second[3];
  bool moves = false;

  chain_test(bool first_moves) : moves(first_moves) {
    constexpr float still[]{0.75f, -0.0f, -1.5f};
    for (int k = 0; k < 3; ++k) {
      for (float& v : second[k].v) v = still[k];
      if (k == 0 && moves) second[0] = drawn(1);
    }
  }
  void check(std::vector<operation> const& chain) const {
    std::uint64_t name = 0;
    std::string said;
    for (operation const& o : chain) {
      name = said.empty() ? hash_of(o.name) : chain_of(name, hash_of(o.name));
      said += (said.empty() ? "" : ", ") + std::string(o.name);
    }
    INFO(said << (moves ? ", the first with an operand that moves" : ""));
    entry const* const all = find(name, moves ? types_of<float, float, float> : types_of<float, float>);
    REQUIRE(all);
    source values[4]{{x.bytes(), 1}};
    for (int k = 0; k < 3; ++k) values[k + 1] = {second[k].bytes(), k == 0 && moves ? 1 : 0};
    int const in[]{0, 1, 2, 3};
    for (int n = 0; n <= most; ++n) {
      line one_by_one = x, together;
      for (std::size_t k = 0; k < chain.size(); ++k) {
        source const both[]{{one_by_one.bytes(), 1}, values[k + 1]};
        entry const* const one = find(hash_of(chain[k].name), chain[k].arity == 1 ? types_of<float, float> : types_of<float, float, float>);
        REQUIRE(one);
        one->loop(both, in, reinterpret_cast<std::byte*>(one_by_one.v), n);
      }
      all->loop(values, in, reinterpret_cast<std::byte*>(together.v), n);
      REQUIRE(std::memcmp(together.v, one_by_one.v, static_cast<std::size_t>(n) * sizeof(float)) == 0);
      REQUIRE(std::all_of(together.v + n, together.v + most, [](float v) { return v == 0; }));
    }
  }
};

}  // namespace

TEST_CASE("a chain of cheap operations gives the bits of the operations one by one") {
  std::vector<operation> const all = all_of(chained_ops{});
  REQUIRE(all.size() == 6);
  for (operation const& a : all)
    for (operation const& b : all) {
      chain_test(false).check({a, b});
      if (a.arity > 1) chain_test(true).check({a, b});
      for (operation const& c : all) chain_test(false).check({a, b, c});
    }
}
