// SPDX-License-Identifier: Apache-2.0
// MXNet's activations.
#pragma once
#include "elementwise.hpp"

namespace sinter::literal::inline SINTER_ISA {

template <> struct row<"smooth_l1"> : detail::a_number {
  template <class N> static constexpr auto call(auto F, auto const& x) {
    return F.smooth_l1(x, ops::keyword<ops::key::values, N::values.number>{});
  }
};
template <> struct row<"hard_sigmoid"> {
  static constexpr operand_count operands = 1;
  struct values {
    double alpha = 0.2, beta = 0.5;
  };
  static constexpr values read(attributes& a, node_facts const&) {
    double const alpha = a.real("alpha", 0.2);
    return {alpha, a.real("beta", 0.5)};
  }
  template <class N> static constexpr auto call(auto F, auto const& x) {
    return F.clip(F.add(F.multiply(x, N::values.alpha), N::values.beta), 0.0, 1.0);
  }
};
namespace detail {
enum class activation : std::int8_t { relu, sigmoid, tanh, softrelu, softsign, mish, log_sigmoid };
enum class leaky : std::int8_t { leaky, elu, prelu, rrelu, selu, gelu, gelu_erf, gelu_tanh };
}  // namespace detail
template <> struct row<"Activation"> {
  static constexpr operand_count operands = 1;
  struct values {
    detail::activation what{};
  };
  static constexpr values read(attributes& a, node_facts const&) {
    return {
        static_cast<detail::activation>(a.choice("act_type", {"relu", "sigmoid", "tanh", "softrelu", "softsign", "mish", "log_sigmoid"}))};
  }
  template <class N> static constexpr auto call(auto F, auto const& x) {
    constexpr auto what = N::values.what;
    if constexpr (what == detail::activation::relu) return F.relu(x);
    else if constexpr (what == detail::activation::sigmoid) return F.sigmoid(x);
    else if constexpr (what == detail::activation::tanh) return F.tanh(x);
    else if constexpr (what == detail::activation::softrelu) return F.softrelu(x);
    else if constexpr (what == detail::activation::softsign) return F.softsign(x);
    else if constexpr (what == detail::activation::mish) return F.mish(x);
    else return F.negative(F.softrelu(F.negative(x)));
  }
};
SINTER_ALIAS("Activation", "_npx_activation");
template <> struct row<"LeakyReLU"> {
  static constexpr operand_count operands{1, 2};
  struct values {
    detail::leaky what{};
    double slope = 0.25;
  };
  static constexpr values read(attributes& a, node_facts const& n) {
    auto const what = static_cast<detail::leaky>(
        a.choice("act_type", {"leaky", "elu", "prelu", "rrelu", "selu", "gelu", "gelu_erf", "gelu_tanh"}, "leaky"));
    double const slope = a.real("slope", 0.25), low = a.real("lower_bound", 0.125), high = a.real("upper_bound", 0.334);
    if (n.inputs != (what == detail::leaky::prelu ? 2 : 1)) a.refuse("act_type");
    return {what, what == detail::leaky::rrelu ? (low + high) / 2 : slope};
  }
  static constexpr dims wanted(values const&, int, dims const& x) { return x.rank < 2 ? unknown_dims : dims{x.d[1]}; }
  template <class N> static constexpr auto call(auto F, auto const& x) {
    constexpr auto what = N::values.what;
    if constexpr (what == detail::leaky::leaky || what == detail::leaky::rrelu)
      return F.leaky_relu(x, ops::keyword<ops::key::slope, N::values.slope>{});
    else if constexpr (what == detail::leaky::elu) return F.elu(x, ops::keyword<ops::key::alpha, N::values.slope>{});
    else if constexpr (what == detail::leaky::selu) return F.selu(x);
    else if constexpr (what == detail::leaky::gelu || what == detail::leaky::gelu_erf) return F.gelu(x);
    else return F.gelu_tanh(x);
  }
  // A slope for each place along the second axis.
  template <class N, class X, class A> static constexpr auto call(auto F, X const& x, A const& alpha) {
    constexpr dims along = [] {
      dims r{1};
      r.push(shape_of<A>.rank > 0 ? shape_of<A>.d[0] : 1);
      while (r.rank < shape_of<X>.rank) r.push(1);
      return r;
    }();
    if constexpr (shape_of<A>.rank == 1 && shape_of<X>.rank > 1) return F.prelu(x, reshaped<along>(F, alpha));
    else return F.prelu(x, alpha);
  }
};
SINTER_ALIAS("LeakyReLU", "_npx_leaky_relu");

}  // namespace sinter::literal::inline SINTER_ISA
