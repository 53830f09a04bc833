// SPDX-License-Identifier: Apache-2.0
// One program with units for three instruction sets: they share tensors, networks and compiled networks, and each runs its own kernels.
// What each computes alone is known from networks that no other unit has touched.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "../catch.hpp"
#include "units.hpp"

namespace {

std::vector<unit> units() {
  std::vector<unit> r{unit_sse2()};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) r.push_back(unit_avx2());
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    r.push_back(unit_avx512());
  return r;
}
input numbers() {
  input x;
  for (int i = 0; i < 4 * 64; ++i) x[i] = static_cast<float>((i * 37) % 101) / 50 - 1;
  return x;
}
template <class Y> bool same(Y const& a, auto const& b) {
  bool r = a.size() == b.size();
  for (sinter::extent i = 0; r && i < a.size(); ++i) r = a[i] == b[i];
  return r;
}
bool near(output const& a, output const& b) {
  float worst = 0;
  for (int i = 0; i < 4 * 32; ++i) worst = std::max(worst, std::isnan(a[i]) ? 1 : std::abs(a[i] - b[i]));
  return worst < 1e-5f;
}
struct results {
  output eager, compiled, trained, narrow;
  any_output any;
};
results alone(unit const& u) {
  network const net = u.make();
  any_input const x = any_input(numbers());
  return {u.eager(net, numbers()), u.call(net.hybridize(), numbers()), u.train(net.hybridize(), numbers()),
          u.call_narrow(net.hybridize(sinter::weights::int8, sinter::math::fast), numbers()), u.any(net.hybridize(), x)};
}

}  // namespace

TEST_CASE("units for different instruction sets share a network and its compiled form, in every order of first calls") {
  std::vector<unit> const all = units();
  std::vector<results> expected;
  for (unit const& u : all) expected.push_back(alone(u));
  for (results const& r : expected) CHECK(near(r.eager, expected[0].eager));
  std::vector<std::size_t> order(all.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  input const x = numbers();
  do {
    CAPTURE(all[order[0]].name, all[order.back()].name);
    network const net = all[order[0]].make();
    auto const fast = net.hybridize();
    auto const fewer_bits = net.hybridize(sinter::weights::int8, sinter::math::fast);
    for (int round = 0; round < 2; ++round)
      for (std::size_t i : order) {
        unit const& u = all[i];
        CAPTURE(u.name, round);
        CHECK(same(u.eager(net, x), expected[i].eager));
        CHECK(same(u.call(fast, x), expected[i].compiled));
        CHECK(same(u.any(fast, any_input(x)), expected[i].any));
        CHECK(same(u.train(fast, x), expected[i].trained));
        CHECK(same(u.call_narrow(fewer_bits, x), expected[i].narrow));
        output y;
        u.into(fast, x, y);
        CHECK(same(y, expected[i].compiled));
      }
    // A value that one unit sets is seen by all.
    for (std::size_t i : order) {
      all[i].set(net, static_cast<float>(i + 1));
      for (std::size_t k : order) CHECK(near(all[k].call(fast, x), all[k].eager(net, x)));
    }
    CHECK(near(fast(x), net(x)));
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("each unit runs its own kernels") {
  for (unit const& u : units()) {
    CAPTURE(u.name);
    CHECK((u.round() != 0) == u.fused);
    CHECK((u.round_compiled() != 0) == u.fused);
  }
}

TEST_CASE("an error of one unit is caught by another, with the layer's path") {
  for (unit const& u : units()) {
    network const net = u.make();
    for (unit const& other : units()) {
      other.eager(net, numbers());
      std::string said;
      try {
        u.fail(net);
      } catch (sinter::error const& e) { said = e.what(); }
      CHECK(said.find("in first") != std::string::npos);
      CHECK_THROWS_AS(u.fail(net), sinter::parameter_error);
    }
    compiled const fast = net.hybridize();
    CHECK(u.describe(net, fast, output{}).size() > 1000);
  }
}
