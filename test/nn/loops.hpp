// SPDX-License-Identifier: Apache-2.0
// Networks with loops, for tests of compiled ones and of symbols.
#pragma once
#include <sinter/nn/layers/basic.hpp>

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

// A running mean of what it is given, and how often it was called: read, assigned, read again and assigned again, in eager order.
struct running : nn::hybrid_block<running> {
  BOOST_HANA_DEFINE_STRUCT(running, (nn::state<sinter::shape<3>>, mean), (nn::basic_state<std::int64_t, sinter::shape<>, 5>, calls),
                           (nn::dense<3>, fc));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto h = fc(x);
    auto before = F.get(mean, sinter::shape<3>{});
    F.assign(mean, before * 0.75f + F.mean(h, axis<0>) * 0.25f);
    auto after = F.get(mean, sinter::shape<3>{});
    F.assign(mean, after * 2);
    F.assign(calls, F.get(calls, sinter::shape<>{}) + 1);
    return std::tuple{h - before, after, F.get(mean, sinter::shape<3>{}), F.get(calls, sinter::shape<>{})};
  }
};
// A loop and a branch in the body of a loop.
struct loops_in_loops : nn::hybrid_block<loops_in_loops> {
  BOOST_HANA_DEFINE_STRUCT(loops_in_loops, (nn::dense<3>, fc), (nn::dense<3>, other));
  constexpr auto hybrid_forward(auto F, auto x, auto s) const {
    auto [outputs, last] = F.foreach (
        [&](auto matrix, auto state) {
          auto grown = F.while_loop([&](auto v) { return F.sum(v) < F.sum(s); }, [&](auto v) { return std::tuple(v * 2, v + F.exp(s)); },
                                    state, sinter::max_iterations<4>);
          auto next = F.cond(F.sum(state) < 2, [&] { return fc(matrix) + std::get<1>(grown); }, [&] { return other(matrix) * state; });
          return std::tuple(std::tuple(std::get<0>(grown), next), next);
        },
        x, fc(F.reshape(s, sinter::into<1, 3>)) + F.zeros_like(F.sum(x, axis<0>)));
    return std::tuple(std::get<0>(outputs), std::get<1>(outputs) * 3, last);
  }
};

}  // namespace test
