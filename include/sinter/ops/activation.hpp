// SPDX-License-Identifier: Apache-2.0
// Activation functions and the like, of one element each and written with other operations: fusion makes one kernel of them, and their
// gradients are those of their definitions. An infinity times zero is NaN, as in the formulas.
#pragma once
#include "transcendental.hpp"

namespace sinter::ops::inline SINTER_ISA {

template <class Self, int N = 1> struct written : elementwise<Self, N, domain::floating> {
  static constexpr family kind = family::composite;
};
// One with a number that a keyword gives.
template <class Self, class Key> struct written_with : written<Self> {
  using keywords = list_of<may<Key>>;
  struct attributes {
    double factor = 0;
    static constexpr void each(auto& a, auto&& f) { f("factor", a.factor); }
  };
  static constexpr attributes arguments(auto const& k, operand_types) { return {k[Key{}].or_else(Self::otherwise)}; }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table& t) {
    if (!holds(in[0].type, a.factor)) return {{}, problem::keyword_value, 0, 0};
    return written<Self>::infer(in, t);
  }
};

// x and, where it is not above zero, y.
constexpr int above_zero_or(auto& g, int x, int y) { return make<where>(g, make<greater>(g, x, number_beside(g, x, 0)), x, y); }
// exp(x) - 1 where x is not above zero; elsewhere 0, so that no gradient overflows where it is not wanted.
constexpr int expm1_below_zero(auto& g, int x) { return make<expm1>(g, make<minimum>(g, x, number_beside(g, x, 0))); }
constexpr int times(auto& g, int x, double factor) { return make<multiply>(g, x, number_beside(g, x, factor)); }
// factor x + 1/2, between 0 and 1
constexpr int hard_step(auto& g, int x, double factor) {
  return make<clip>(g, make<add>(g, times(g, x, factor), number_beside(g, x, 0.5)), number_beside(g, x, 0), number_beside(g, x, 1));
}

// x sigmoid(x)
struct silu : written<silu> {
  static constexpr int expand(auto& g, operand_nodes in) { return make<multiply>(g, in[0], make<sigmoid>(g, in[0])); }
};
// x / (1 + |x|)
struct softsign : written<softsign> {
  static constexpr format_names formats{"softsign", "Softsign"};
  static constexpr int expand(auto& g, operand_nodes in) {
    return make<divide>(g, in[0], make<add>(g, number_beside(g, in[0], 1), make<abs>(g, in[0])));
  }
};
// x / 5 + 1/2, between 0 and 1
struct hard_sigmoid : written<hard_sigmoid> {
  static constexpr format_names formats{"hard_sigmoid", "HardSigmoid"};
  static constexpr int expand(auto& g, operand_nodes in) { return hard_step(g, in[0], 0.2); }
};
// x times (x / 6 + 1/2, between 0 and 1): Howard et al., arXiv 1905.02244
struct hard_swish : written<hard_swish> {
  static constexpr format_names formats{"", "HardSwish"};
  static constexpr int expand(auto& g, operand_nodes in) { return make<multiply>(g, in[0], hard_step(g, in[0], 1. / 6)); }
};
// x tanh(log(1 + exp(x))): Misra, arXiv 1908.08681
struct mish : written<mish> {
  static constexpr format_names formats{"", "Mish"};
  static constexpr int expand(auto& g, operand_nodes in) { return make<multiply>(g, in[0], make<tanh>(g, make<softrelu>(g, in[0]))); }
};
// elu(x, alpha<1>): x above zero, alpha (exp(x) - 1) below: Clevert et al., arXiv 1511.07289
struct elu : written_with<elu, key::alpha> {
  static constexpr format_names formats{"", "Elu"};
  static constexpr double otherwise = 1;
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    return above_zero_or(g, in[0], times(g, expm1_below_zero(g, in[0]), a.factor));
  }
};
// scale times elu, with the numbers that keep mean 0 and variance 1: Klambauer et al., arXiv 1706.02515
struct selu : written<selu> {
  static constexpr format_names formats{"", "Selu"};
  static constexpr int expand(auto& g, operand_nodes in) {
    int const x = in[0], above = make<greater>(g, x, number_beside(g, x, 0));
    return make<where>(g, above, times(g, x, 1.0507009873554804934), times(g, expm1_below_zero(g, x), 1.7580993408473768600));
  }
};
// leaky_relu(x, slope<0.25>): x above zero, slope x below
struct leaky_relu : written_with<leaky_relu, key::slope> {
  static constexpr format_names formats{"LeakyReLU", "LeakyRelu"};
  static constexpr double otherwise = 0.25;
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) { return above_zero_or(g, in[0], times(g, in[0], a.factor)); }
};
// prelu(x, alpha): x above zero, alpha x below. They broadcast: alpha is of shape (channels, 1, 1) for images.
struct prelu : written<prelu, 2> {
  static constexpr format_names formats{"", "PRelu"};
  static constexpr int expand(auto& g, operand_nodes in) { return above_zero_or(g, in[0], make<multiply>(g, in[0], in[1])); }
};
// log(exp(a) + exp(b)), without overflow. Where they are equal, so that infinities are, too, each has half of the gradient.
struct logaddexp : written<logaddexp, 2> {
  static constexpr int expand(auto& g, operand_nodes in) {
    int const a = in[0], b = in[1];
    int const same = make<add>(g, make<add>(g, times(g, a, 0.5), times(g, b, 0.5)), number_beside(g, a, 0.69314718055994530942));
    int const less = make<log1p>(g, make<exp>(g, make<negative>(g, make<abs>(g, make<subtract>(g, a, b)))));
    return make<where>(g, make<equal>(g, a, b), same, make<add>(g, make<maximum>(g, a, b), less));
  }
};
// smooth_l1(x, values<1>): with that number s, (s x)^2 / 2 where |x| is at most 1 / s^2, and |x| - 1 / (2 s^2) beyond: Girshick, arXiv 1504.08083
struct smooth_l1 : written<smooth_l1> {
  static constexpr format_names formats{"smooth_l1", ""};
  using keywords = list_of<may<key::values, 1>>;
  struct attributes {
    double scale = 1;
    static constexpr void each(auto& a, auto&& f) { f("scale", a.scale); }
  };
  static constexpr attributes arguments(auto const& k, operand_types) {
    number_list const& v = k[key::values{}].value;
    return {v.n > 0 ? v.at[0].real : 1};
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table& t) {
    inferred const r = written<smooth_l1>::infer(in, t);
    if (r.what != problem::none) return r;
    // So that its square and the inverse of that are no zeros and not infinite.
    double const most = in[0].type == dtype::float64 ? 0x1p500 : 0x1p60;
    if (!(a.scale >= 1 / most && a.scale <= most)) return {{}, problem::keyword_value, 0, 0};
    return r;
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    double const square_of = math::mul(a.scale, a.scale);
    int const size = make<abs>(g, in[0]), far = make<subtract>(g, size, number_beside(g, in[0], 0.5 / square_of));
    int const near = times(g, make<square>(g, in[0]), 0.5 * square_of);
    return make<where>(g, make<greater>(g, size, number_beside(g, in[0], 1 / square_of)), far, near);
  }
};
struct degrees : written<degrees> {
  static constexpr format_names formats{"degrees", ""};
  static constexpr int expand(auto& g, operand_nodes in) { return times(g, in[0], 57.295779513082320877); }
};
struct radians : written<radians> {
  static constexpr format_names formats{"radians", ""};
  static constexpr int expand(auto& g, operand_nodes in) { return times(g, in[0], 0.017453292519943295769); }
};

using activation_ops =
    list_of<silu, softsign, hard_sigmoid, hard_swish, mish, elu, selu, leaky_relu, prelu, logaddexp, smooth_l1, degrees, radians>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(silu, "(x)")
SINTER_OP(softsign, "(x)")
SINTER_OP(hard_sigmoid, "(x)")
SINTER_OP(hard_swish, "(x)")
SINTER_OP(mish, "(x)")
SINTER_OP(elu, "(x, alpha<1>)")
SINTER_OP(selu, "(x)")
SINTER_OP(leaky_relu, "(x, slope<0.25>)")
SINTER_OP(prelu, "(x, alpha)")
SINTER_OP(logaddexp, "(a, b)")
SINTER_OP(smooth_l1, "(x, values<1>)")
SINTER_OP(degrees, "(x)")
SINTER_OP(radians, "(x)")
