// SPDX-License-Identifier: Apache-2.0
// Networks with loops, for tests of compiled ones and of symbols.
#pragma once
#include <sinter/nn/layers.hpp>

namespace test {

namespace nn = sinter::nn;
using sinter::axis;

// A recurrent layer: products with parameters in the body, one of which stands outside as well.
struct recurrent : nn::hybrid_block<recurrent> {
  BOOST_HANA_DEFINE_STRUCT(recurrent, (nn::dense<4>, i2h), (nn::dense<4>, h2h));
  constexpr auto hybrid_forward(auto F, auto x, auto h) const {
    auto [outputs, last] = F.foreach (
        [&](auto row, auto state) {
          auto next = F.tanh(i2h(row) + h2h(state));
          return std::tuple(next * 2, next);
        },
        x, h2h(h));
    return std::tuple(outputs + 1, last);
  }
};
// Two sequences, two states, two outputs and what is captured: a row, a number, and a constant.
struct woven : nn::hybrid_block<woven> {
  BOOST_HANA_DEFINE_STRUCT(woven);
  constexpr auto hybrid_forward(auto F, auto x, auto y, auto state) const {
    auto const row = F.sum(x, axis<0>);
    auto const two = F.zeros_like(state) + 2;
    return F.foreach (
        [&](auto slices, auto states) {
          auto [a, b] = slices;
          auto [s, n] = states;
          return std::tuple(std::tuple(a * s + row, F.sort(b)), std::tuple(s * two - b, n + 1));
        },
        std::tuple(x, y), std::tuple(state, F.sum(state) * 0));
  }
};
// The state of one turn as it is, and an input of the network as an output.
struct unchanged : nn::hybrid_block<unchanged> {
  BOOST_HANA_DEFINE_STRUCT(unchanged);
  constexpr auto hybrid_forward(auto F, auto x, auto s) const {
    return F.foreach ([&](auto row, auto state) { return std::tuple(std::tuple(row, s), state); }, x, s);
  }
};

}  // namespace test
