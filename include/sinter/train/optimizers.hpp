// SPDX-License-Identifier: Apache-2.0
// Optimizers: the update of a parameter w by its gradient g. Options that shape the graph are template arguments; rates are numbers, which may
// change between steps.
//
// One of a user's own is a struct like these, of elementwise operations of F alone:
//   struct sign_descent {
//     double learning_rate = 0.01, weight_decay = 0;
//     static constexpr auto update(auto F, auto w, auto g, auto rate, auto decay) { return w - rate * (F.sign(g) + decay * w); }
//   };
// An `epsilon` is compared with the dtypes of the parameters, in which it must not be 0. With `slots`, names of arrays like w that begin as zeros and are kept from step to step, update takes them last and returns
// std::tuple(w, slots...). `numbers` says what it is given in the place of rate and decay; t counts the updates from 1 on.
#pragma once
#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "../core/config.hpp"

namespace sinter::train {

// Stochastic gradient descent, with Momentum as in Polyak (USSR Computational Mathematics, 1964). MXNet's sgd_update and sgd_mom_update: the rate is
// inside of the momentum, PyTorch's is outside.
template <auto Momentum = 0> struct sgd {
  double learning_rate = 0.01, weight_decay = 0;
  static constexpr std::array<std::string_view, Momentum == 0 ? 0 : 1> slots = [] {
    std::array<std::string_view, Momentum == 0 ? 0 : 1> r{};
    if constexpr (Momentum != 0) r[0] = "mom";
    return r;
  }();
  static constexpr auto update(auto, auto w, auto g, auto rate, auto decay) { return w - rate * (g + decay * w); }
  static constexpr auto update(auto, auto w, auto g, auto rate, auto decay, auto mom) {
    auto const next = Momentum * mom - rate * (g + decay * w);
    return std::tuple(w + next, next);
  }
};
// Nesterov's accelerated gradient (Sutskever et al., ICML 2013). MXNet's nag_mom_update.
template <auto Momentum = 0.9> struct nag {
  double learning_rate = 0.1, weight_decay = 0;
  static constexpr std::array<std::string_view, 1> slots{"mom"};
  static constexpr auto update(auto, auto w, auto g, auto rate, auto decay, auto mom) {
    auto const down = rate * (g + decay * w);
    auto const next = Momentum * mom - down;
    return std::tuple(w + (Momentum * next - down), next);
  }
};
// Adam (Kingma and Ba, arXiv 1412.6980). MXNet's adam_update: the correction of both means is in the rate, so epsilon is not corrected, and the
// decay is a part of the gradient.
template <auto Beta1 = 0.9, auto Beta2 = 0.999, auto Epsilon = 1e-8> struct adam {
  double learning_rate = 0.001, weight_decay = 0;
  static constexpr auto epsilon = Epsilon;
  static constexpr std::array<std::string_view, 2> slots{"mean", "var"};
  static std::array<double, 2> numbers(double rate, double decay, std::int64_t t) {
    double const n = static_cast<double>(t);
    return {rate * std::sqrt(1 - std::pow(Beta2, n)) / (1 - std::pow(Beta1, n)), decay};
  }
  static constexpr auto update(auto F, auto w, auto g, auto rate, auto decay, auto mean, auto var) {
    auto const whole = g + decay * w;
    auto const m = Beta1 * mean + (1 - Beta1) * whole;
    auto const v = Beta2 * var + (1 - Beta2) * F.square(whole);
    return std::tuple(w - rate * m / (F.sqrt(v) + Epsilon), m, v);
  }
};
// Adam whose decay is beside the gradient (Loshchilov and Hutter, arXiv 1711.05101), as PyTorch's AdamW: both means are corrected, and the rate
// multiplies the decay.
template <auto Beta1 = 0.9, auto Beta2 = 0.999, auto Epsilon = 1e-8> struct adamw {
  double learning_rate = 0.001, weight_decay = 0.01;
  static constexpr auto epsilon = Epsilon;
  static constexpr std::array<std::string_view, 2> slots{"mean", "var"};
  static std::array<double, 3> numbers(double rate, double decay, std::int64_t t) {
    double const n = static_cast<double>(t);
    return {rate / (1 - std::pow(Beta1, n)), rate * decay, 1 / std::sqrt(1 - std::pow(Beta2, n))};
  }
  static constexpr auto update(auto F, auto w, auto g, auto rate, auto decay, auto correction, auto mean, auto var) {
    auto const m = Beta1 * mean + (1 - Beta1) * g;
    auto const v = Beta2 * var + (1 - Beta2) * F.square(g);
    return std::tuple(w - decay * w - rate * m / (F.sqrt(v) * correction + Epsilon), m, v);
  }
};

namespace detail {
template <class O> constexpr int slots_of() {
  if constexpr (requires { O::slots; }) return static_cast<int>(O::slots.size());
  else return 0;
}
template <class O> inline constexpr int slot_count = slots_of<O>();
// True if the epsilon, where there is one, does not become 0 in T.
template <class O, class T> constexpr bool holds_epsilon() {
  if constexpr (requires { O::epsilon; }) return O::epsilon == 0 || static_cast<double>(static_cast<T>(O::epsilon)) != 0;
  else return true;
}
// The numbers of one parameter's update.
template <class O> constexpr auto numbers_for(double rate, double decay, std::int64_t t) {
  if constexpr (requires { O::numbers(rate, decay, t); }) return O::numbers(rate, decay, t);
  else return std::array<double, 2>{rate, decay};
}
template <class O> inline constexpr int number_count = static_cast<int>(decltype(numbers_for<O>(0, 0, 1)){}.size());
}  // namespace detail

template <class O>
concept optimizer = requires(O const& o) {
  { o.learning_rate } -> std::convertible_to<double>;
  { o.weight_decay } -> std::convertible_to<double>;
};

}  // namespace sinter::train
