// SPDX-License-Identifier: Apache-2.0
// Trigonometric and hyperbolic functions, their inverses, logarithms to other bases and roots. Accuracy: docs/accuracy.md.
#pragma once
#include "transcendental.hpp"

namespace sinter::ops::inline SINTER_ISA {

#define SINTER_FLOAT_OP(f, mxnet, onnx, cycles)                                                              \
  struct f : floating_unary<f> {                                                                             \
    static constexpr format_names formats{mxnet, onnx};                                                      \
    static constexpr int cost = cycles;                                                                      \
    static constexpr int gradient(auto& g, int y, operand_nodes d, int i);                                   \
    template <class V> static SINTER_HD SINTER_INLINE constexpr V eval(V const& x) { return element::f(x); } \
  };
SINTER_FLOAT_OP(sin, "sin", "Sin", 30)
SINTER_FLOAT_OP(cos, "cos", "Cos", 30)
SINTER_FLOAT_OP(tan, "tan", "Tan", 40)
SINTER_FLOAT_OP(arcsin, "arcsin", "Asin", 40)
SINTER_FLOAT_OP(arccos, "arccos", "Acos", 40)
SINTER_FLOAT_OP(arctan, "arctan", "Atan", 40)
SINTER_FLOAT_OP(sinh, "sinh", "Sinh", 40)
SINTER_FLOAT_OP(cosh, "cosh", "Cosh", 40)
SINTER_FLOAT_OP(arcsinh, "arcsinh", "Asinh", 70)
SINTER_FLOAT_OP(arccosh, "arccosh", "Acosh", 70)
SINTER_FLOAT_OP(arctanh, "arctanh", "Atanh", 60)
SINTER_FLOAT_OP(log2, "log2", "", 60)
SINTER_FLOAT_OP(log10, "log10", "", 60)
SINTER_FLOAT_OP(cbrt, "cbrt", "", 70)
#undef SINTER_FLOAT_OP

// sqrt(a^2 + b^2), without overflow
struct hypot : elementwise<hypot, 2, domain::floating> {
  static constexpr format_names formats{"broadcast_hypot", ""};
  static constexpr int cost = 40;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int i) {
    return make<divide>(g, make<multiply>(g, d[0], operand_of(g, y, i)), y);
  }
  template <class V> static SINTER_HD SINTER_INLINE constexpr V eval(V a, V b) { return element::hypot(a, b); }
};

using trigonometric_ops = list_of<sin, cos, tan, arcsin, arccos, arctan, sinh, cosh, arcsinh, arccosh, arctanh, log2, log10, cbrt, hypot>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_MATH_OP(sin, "(x)")
SINTER_MATH_OP(cos, "(x)")
SINTER_MATH_OP(tan, "(x)")
SINTER_OP(arcsin, "(x)")
SINTER_OP(arccos, "(x)")
SINTER_OP(arctan, "(x)")
SINTER_MATH_OP(sinh, "(x)")
SINTER_MATH_OP(cosh, "(x)")
SINTER_OP(arcsinh, "(x)")
SINTER_OP(arccosh, "(x)")
SINTER_OP(arctanh, "(x)")
SINTER_MATH_OP(log2, "(x)")
SINTER_MATH_OP(log10, "(x)")
SINTER_MATH_OP(cbrt, "(x)")
SINTER_MATH_OP(hypot, "(a, b)")

// Gradients, behind the names of the operations that they are written with.
namespace sinter::ops::inline SINTER_ISA {

constexpr int plus(auto& g, int x, double number) { return make<add>(g, x, number_beside(g, x, number)); }
// 1 - x^2, where node y is a function of x
constexpr int one_less_square(auto& g, int y) { return make<subtract>(g, number_beside(g, y, 1), make<square>(g, operand_of(g, y, 0))); }
constexpr int sin::gradient(auto& g, int y, operand_nodes d, int) { return make<multiply>(g, d[0], make<cos>(g, operand_of(g, y, 0))); }
constexpr int cos::gradient(auto& g, int y, operand_nodes d, int) {
  return make<negative>(g, make<multiply>(g, d[0], make<sin>(g, operand_of(g, y, 0))));
}
constexpr int tan::gradient(auto& g, int y, operand_nodes d, int) { return make<multiply>(g, d[0], plus(g, make<square>(g, y), 1)); }
constexpr int arcsin::gradient(auto& g, int y, operand_nodes d, int) { return make<divide>(g, d[0], make<sqrt>(g, one_less_square(g, y))); }
constexpr int arccos::gradient(auto& g, int y, operand_nodes d, int) {
  return make<negative>(g, make<divide>(g, d[0], make<sqrt>(g, one_less_square(g, y))));
}
constexpr int arctan::gradient(auto& g, int y, operand_nodes d, int) {
  return make<divide>(g, d[0], plus(g, make<square>(g, operand_of(g, y, 0)), 1));
}
constexpr int sinh::gradient(auto& g, int y, operand_nodes d, int) { return make<multiply>(g, d[0], make<cosh>(g, operand_of(g, y, 0))); }
constexpr int cosh::gradient(auto& g, int y, operand_nodes d, int) { return make<multiply>(g, d[0], make<sinh>(g, operand_of(g, y, 0))); }
constexpr int arcsinh::gradient(auto& g, int y, operand_nodes d, int) {
  return make<divide>(g, d[0], make<sqrt>(g, plus(g, make<square>(g, operand_of(g, y, 0)), 1)));
}
constexpr int arccosh::gradient(auto& g, int y, operand_nodes d, int) {
  return make<divide>(g, d[0], make<sqrt>(g, plus(g, make<square>(g, operand_of(g, y, 0)), -1)));
}
constexpr int arctanh::gradient(auto& g, int y, operand_nodes d, int) { return make<divide>(g, d[0], one_less_square(g, y)); }
constexpr int log2::gradient(auto& g, int y, operand_nodes d, int) {
  return make<divide>(g, d[0], make<multiply>(g, operand_of(g, y, 0), number_beside(g, y, 0.69314718055994530942)));
}
constexpr int log10::gradient(auto& g, int y, operand_nodes d, int) {
  return make<divide>(g, d[0], make<multiply>(g, operand_of(g, y, 0), number_beside(g, y, 2.3025850929940456840)));
}
constexpr int cbrt::gradient(auto& g, int y, operand_nodes d, int) {
  return make<divide>(g, d[0], make<multiply>(g, make<square>(g, y), number_beside(g, y, 3)));
}

}  // namespace sinter::ops::inline SINTER_ISA
