// SPDX-License-Identifier: Apache-2.0
// One element in, one element out: roots, exponentials and the activation functions. Accuracy: docs/accuracy.md.
#pragma once
#include "elementwise.hpp"

namespace sinter::ops::inline SINTER_ISA {

// `is_chain`: each step depends on the one before, so that a backend computes several vectors at a time. `eval_fast`: a form with a larger
// error, which a backend may have for vectors of floats and uses with math::fast.
template <class Self> struct floating_unary : elementwise<Self, 1, domain::floating> {};

struct sqrt : floating_unary<sqrt> {
  static constexpr format_names formats{"sqrt", "Sqrt"};
  static constexpr bool exact = true;
  static constexpr int cost = 6;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int) {
    return make<divide>(g, make<multiply>(g, d[0], number_beside(g, y, 0.5)), y);
  }
  template <class V> static SINTER_HD SINTER_INLINE constexpr V eval(V x) { return element::sqrt(x); }
};
// 1 / sqrt(x), both rounded.
struct rsqrt : floating_unary<rsqrt> {
  static constexpr format_names formats{"rsqrt", ""};
  static constexpr int divisor = 0;
  static constexpr bool exact = true;
  static constexpr int cost = 12;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int) {  // - y^3 / 2
    int const half = make<multiply>(g, y, number_beside(g, y, -0.5));
    return make<multiply>(g, d[0], make<multiply>(g, half, make<square>(g, y)));
  }
  template <class V> static SINTER_HD SINTER_INLINE constexpr V eval(V x) { return element::number<V>(1) / element::sqrt(x); }
};
struct exp : floating_unary<exp> {
  static constexpr format_names formats{"exp", "Exp"};
  static constexpr bool is_chain = true;
  static constexpr int cost = 11;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int) { return make<multiply>(g, d[0], y); }
  template <class V> static SINTER_HD SINTER_INLINE constexpr V eval(V const& x) { return element::exp(x); }
  template <class V> static SINTER_INLINE V eval_fast(V x) { return fast_exp(x); }
};
// exp(x) - 1, with all of its digits near 0
struct expm1 : floating_unary<expm1> {
  static constexpr format_names formats{"expm1", ""};
  static constexpr int cost = 16;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int) {
    return make<multiply>(g, d[0], make<add>(g, y, number_beside(g, y, 1)));
  }
  template <class V> static SINTER_HD SINTER_INLINE constexpr V eval(V x) { return element::expm1(x); }
};
struct log : floating_unary<log> {
  static constexpr format_names formats{"log", "Log"};
  static constexpr int cost = 18;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int) { return make<divide>(g, d[0], operand_of(g, y, 0)); }
  template <class V> static SINTER_HD SINTER_INLINE constexpr V eval(V x) { return element::log(x); }
};
struct log1p : floating_unary<log1p> {
  static constexpr format_names formats{"log1p", ""};
  static constexpr int cost = 22;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int) {
    return make<divide>(g, d[0], make<add>(g, number_beside(g, y, 1), operand_of(g, y, 0)));
  }
  template <class V> static SINTER_HD SINTER_INLINE constexpr V eval(V x) { return element::log1p(x); }
};
struct tanh : floating_unary<tanh> {
  static constexpr format_names formats{"tanh", "Tanh"};
  static constexpr bool is_chain = true;
  static constexpr int cost = 18;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int) {
    return make<multiply>(g, d[0], make<subtract>(g, number_beside(g, y, 1), make<square>(g, y)));
  }
  template <class V> static SINTER_HD SINTER_INLINE constexpr V eval(V const& x) { return element::tanh(x); }
  template <class V> static SINTER_INLINE V eval_fast(V x) { return fast_tanh(x); }
};
struct erf : floating_unary<erf> {
  static constexpr format_names formats{"erf", "Erf"};
  static constexpr bool is_chain = true;
  static constexpr int cost = 20;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int) {  // 2 / sqrt(pi) e^(-x^2)
    int const bell = make<exp>(g, make<negative>(g, make<square>(g, operand_of(g, y, 0))));
    return make<multiply>(g, d[0], make<multiply>(g, bell, number_beside(g, y, 1.1283791670955125739)));
  }
  template <class V> static SINTER_HD SINTER_INLINE constexpr V eval(V const& x) { return element::erf(x); }
  template <class V> static SINTER_INLINE V eval_fast(V x) { return fast_erf(x); }
};
// 1 / (1 + exp(-x))
struct sigmoid : floating_unary<sigmoid> {
  static constexpr format_names formats{"sigmoid", "Sigmoid"};
  static constexpr bool is_chain = true;
  static constexpr int cost = 16;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int) {
    return make<multiply>(g, d[0], make<multiply>(g, y, make<subtract>(g, number_beside(g, y, 1), y)));
  }
  template <class V> static SINTER_HD SINTER_INLINE constexpr V eval(V const& x) { return element::sigmoid(x); }
  template <class V> static SINTER_INLINE V eval_fast(V x) { return fast_sigmoid(x); }
};
// max(x, 0); a NaN stays, and so does -0.
struct relu : elementwise<relu, 1> {
  static constexpr format_names formats{"relu", "Relu"};
  static constexpr bool idempotent = true;
  static constexpr auto epilogue = library_epilogue::relu;
  static constexpr bool exact = true;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int) {  // 0 at 0
    int const zero = number_beside(g, y, 0);
    return make<where>(g, make<greater>(g, y, zero), d[0], zero);
  }
  template <class V> static SINTER_HD SINTER_INLINE constexpr V eval(V x) { return element::at_least(x, element::number<V>(0)); }
};
// log(1 + exp(x)), without overflow
struct softrelu : floating_unary<softrelu> {
  static constexpr format_names formats{"softrelu", "Softplus"};
  static constexpr bool is_chain = true;
  static constexpr int cost = 34;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int i);
  template <class V> static SINTER_HD SINTER_INLINE constexpr V eval(V const& x) { return element::softrelu(x); }
};
// x * Phi(x), with the error function (Hendrycks and Gimpel, arXiv 1606.08415): within 2.1 roundings of |x|, see docs/accuracy.md.
struct gelu : floating_unary<gelu> {
  static constexpr format_names formats{"gelu", "Gelu"};
  static constexpr bool is_chain = true;
  static constexpr int cost = 24;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int i);
  template <class V> static SINTER_HD SINTER_INLINE constexpr V eval(V const& x) { return element::gelu(x); }
};
// The same with tanh(sqrt(2 / pi) (x + 0.044715 x^3)), as the paper approximates it.
struct gelu_tanh : floating_unary<gelu_tanh> {
  static constexpr format_names formats{"", "Gelu"};
  static constexpr bool is_chain = true;
  static constexpr auto epilogue = library_epilogue::gelu_tanh;
  static constexpr int cost = 24;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int i);
  template <class V> static SINTER_HD SINTER_INLINE constexpr V eval(V const& x) { return element::gelu_tanh(x); }
};

// The inverse of erf: infinite at 1 and -1, NaN beyond.
struct erfinv : floating_unary<erfinv> {
  static constexpr format_names formats{"erfinv", ""};
  static constexpr int cost = 80;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int) {  // sqrt(pi) / 2 e^(y^2)
    return make<multiply>(g, d[0], make<multiply>(g, make<exp>(g, make<square>(g, y)), number_beside(g, y, 0.88622692545275801365)));
  }
  template <class V> static SINTER_HD SINTER_INLINE constexpr V eval(V const& x) { return element::erfinv(x); }
};
// The gamma function: (x - 1)! of whole numbers, and exactly that. NaN of negative whole numbers, an infinity at 0 and of its sign.
struct gamma : floating_unary<gamma> {
  static constexpr format_names formats{"gamma", ""};
  static constexpr int cost = 2000;
  template <class V> static SINTER_HD SINTER_INLINE constexpr V eval(V const& x) { return element::gamma(x); }
};
// log(|gamma(x)|), without overflow. Infinite at 0 and of negative whole numbers.
struct gammaln : floating_unary<gammaln> {
  static constexpr format_names formats{"gammaln", ""};
  static constexpr int cost = 2000;
  template <class V> static SINTER_HD SINTER_INLINE constexpr V eval(V const& x) { return element::gammaln(x); }
};

using transcendental_ops =
    list_of<sqrt, rsqrt, exp, expm1, log, log1p, tanh, erf, erfinv, gamma, gammaln, sigmoid, relu, softrelu, gelu, gelu_tanh>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_MATH_OP(sqrt, "(x)")
SINTER_MATH_OP(rsqrt, "(x)")
SINTER_MATH_OP(exp, "(x)")
SINTER_MATH_OP(expm1, "(x)")
SINTER_MATH_OP(log, "(x)")
SINTER_MATH_OP(log1p, "(x)")
SINTER_MATH_OP(tanh, "(x)")
SINTER_MATH_OP(erf, "(x)")
SINTER_MATH_OP(erfinv, "(x)")  // which CUDA has
SINTER_MATH_OP(gamma, "(x)")  // which glibc has
SINTER_OP(gammaln, "(x)")
SINTER_OP(sigmoid, "(x)")
SINTER_OP(relu, "(x)")
SINTER_OP(softrelu, "(x)")
SINTER_OP(gelu, "(x)")
SINTER_OP(gelu_tanh, "(x)")

namespace sinter::ops::inline SINTER_ISA {

// 0 where the exponent is, and of a zero to a power that is not below zero that of the exponent.
constexpr int power::gradient(auto& g, int y, operand_nodes d, int i) {
  int const a = operand_of(g, y, 0), b = operand_of(g, y, 1), zero = number_beside(g, y, 0);
  if (i == 0) {
    int const lower = make<power>(g, a, make<subtract>(g, b, number_beside(g, y, 1)));
    return make<where>(g, make<equal>(g, b, zero), zero, make<multiply>(g, d[0], make<multiply>(g, b, lower)));
  }
  int const none = make<logical_and>(g, make<equal>(g, a, zero), make<greater_equal>(g, b, zero));
  return make<where>(g, none, zero, make<multiply>(g, d[0], make<multiply>(g, y, make<log>(g, a))));
}
constexpr int softrelu::gradient(auto& g, int y, operand_nodes d, int) {
  return make<multiply>(g, d[0], make<sigmoid>(g, operand_of(g, y, 0)));
}
// Phi(x) + x phi(x), the normal distribution and its density. Phi as a multiple of 1 + erf, whose digits below -1 are few: the error is
// that of erf's last bit of 1.
constexpr int gelu::gradient(auto& g, int y, operand_nodes d, int) {
  int const x = operand_of(g, y, 0);
  auto const times = [&](int a, double v) { return make<multiply>(g, a, number_beside(g, y, v)); };
  int const phi = times(make<exp>(g, times(make<square>(g, x), -0.5)), 0.39894228040143267794);
  int const below = times(make<add>(g, make<erf>(g, times(x, 0.70710678118654752440)), number_beside(g, y, 1)), 0.5);
  return make<multiply>(g, d[0], make<add>(g, below, make<multiply>(g, x, phi)));
}
// With t = tanh(c (x + 0.044715 x^3)): (1 + t) / 2 + x / 2 (1 - t^2) c (1 + 3 * 0.044715 x^2)
constexpr int gelu_tanh::gradient(auto& g, int y, operand_nodes d, int) {
  int const x = operand_of(g, y, 0), one = number_beside(g, y, 1), square_of_x = make<square>(g, x);
  double const c = 0.79788456080286535588;
  auto const times = [&](int a, double v) { return make<multiply>(g, a, number_beside(g, y, v)); };
  int const inner = make<multiply>(g, times(x, c), make<add>(g, one, times(square_of_x, 0.044715)));
  int const t = make<tanh>(g, inner), slope = times(make<add>(g, one, times(square_of_x, 3 * 0.044715)), c / 2);
  int const second = make<multiply>(g, make<multiply>(g, x, slope), make<subtract>(g, one, make<square>(g, t)));
  return make<multiply>(g, d[0], make<add>(g, times(make<add>(g, one, t), 0.5), second));
}

}  // namespace sinter::ops::inline SINTER_ISA
