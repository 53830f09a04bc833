// SPDX-License-Identifier: Apache-2.0
// ONNX's elementwise operators: arithmetic, comparisons, logic, bits, functions and activations.
#pragma once
#include "../site.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

// Operators of any number of operands, as pairs.
inline term folded(site& k, std::string_view op) {
  term r = k[0];
  for (int i = 1; i < k.operands(); ++i) r = k(op, {r, k[i]});
  return r;
}
inline void compose_div(site& k) { k.give(is_floating(k[0].type.type) ? k("divide", {k[0], k[1]}) : divided_towards_zero(k, k[0], k[1])); }
// fmod 1: the sign of the dividend, as C's; 0: that of the divisor.
inline void compose_mod(site& k) {
  term const &a = k[0], &b = k[1];
  if (!k.truth("fmod", false)) return k.give(k("mod", {a, b}));
  term const zero = k.beside(a, 0);
  if (is_floating(a.type.type)) {
    term const r = k("mod", {k("abs", {a}), k("abs", {b})});
    return k.give(k("where", {k("lesser", {a, zero}), k("negative", {r}), r}));
  }
  // Integers without abs: the smallest one has no absolute value of its dtype.
  term const r = k("mod", {a, b}), signs_differ = k("not_equal", {k("lesser", {r, zero}), k("lesser", {a, zero})});
  term const wrong_sign = k("logical_and", {signs_differ, k("not_equal", {r, zero})});
  k.give(k("where", {wrong_sign, k("subtract", {r, b}), r}));
}
// A power of integers by squaring, modulo 2^bits as their products are; with a negative exponent it is 0 but for 1 and -1.
inline term whole_power(site& k, term const& x, term const& to) {
  term r = k.beside(x, 1), by = x;
  dtype const t = x.type.type;
  term const exponent = k.cast(to, t), zero = k.beside(x, 0), one = k.beside(x, 1);
  int const bits = 8 * bytes_of(t);
  for (int i = 0; i + 1 < bits; ++i) {
    term const bit = k("bitwise_and", {k("right_shift", {exponent, k.beside(x, i)}), one});
    r = k("where", {k("not_equal", {bit, zero}), k.cast(k("multiply", {r, by}), t), r});
    if (i + 2 < bits) by = k.cast(k("multiply", {by, by}), t);
  }
  term const unit = k("equal", {k.cast(k("multiply", {x, x}), t), one});
  return k("where", {k("logical_and", {k("lesser", {exponent, zero}), k("logical_not", {unit})}), zero, r});
}
inline void compose_pow(site& k) {
  term const &x = k[0], &to = k[1];
  dtype const t = x.type.type;
  if (is_floating(t)) return k.give(k("power", {x, k.cast(to, t)}));
  if (!is_floating(to.type.type)) return k.give(whole_power(k, x, to));
  k.give(k.cast(k("power", {k.cast(x, dtype::float64), k.cast(to, dtype::float64)}), t));
}
inline void compose_shift(site& k) {
  std::string const to = k.text("direction", "");
  if (to != "LEFT" && to != "RIGHT") k.fail("attribute direction is neither LEFT nor RIGHT");
  k.give(k(to == "LEFT" ? "left_shift" : "right_shift", {k[0], k[1]}));
}
inline void compose_mean(site& k) { k.give(k("divide", {folded(k, "add"), k.beside(k[0], k.operands())})); }
inline void compose_is_inf(site& k) {
  bool const below = k.truth("detect_negative", true), above = k.truth("detect_positive", true);
  term const is = k("isinf", {k[0]}), positive = k("greater", {k[0], k.beside(k[0], 0)});
  if (below && above) return k.give(is);
  if (!below && !above) return k.give(k("logical_and", {is, k("logical_not", {is})}));
  k.give(k("logical_and", {is, above ? positive : k("logical_not", {positive})}));
}
// A bool keeps its value, a number the one that is nearest to it.
inline dtype dtype_of_code(site& k, std::int64_t code) {
  dtype const t = is_element(code) ? dtype_of(static_cast<element>(code)) : dtype::none;
  if (!has_tensors(t))
    k.fail("there are no tensors of " + (is_element(code) ? std::string(name_of(static_cast<element>(code))) : std::to_string(code)));
  return t;
}
inline void compose_cast(site& k) { k.give(k("cast", {k[0]}, {{"as", dtype_of_code(k, k.wanted_whole("to"))}})); }
inline void compose_cast_like(site& k) { k.give(k("cast", {k[0]}, {{"as", k[1].type.type}})); }

// ---- activations

inline term above_zero_or(site& k, term const& x, term const& y) { return k("where", {k("greater", {x, k.beside(x, 0)}), x, y}); }
inline term scaled(site& k, term const& x, double by) { return by == 1 ? x : k("multiply", {x, k.beside(x, by)}); }
inline term elu(site& k, term const& x, double alpha) {
  return above_zero_or(k, x, scaled(k, k("expm1", {k("minimum", {x, k.beside(x, 0)})}), alpha));
}
inline void compose_elu(site& k) { k.give(elu(k, k[0], k.real("alpha", 1))); }
inline void compose_selu(site& k) {
  double const alpha = k.real("alpha", 1.67326319217681884765625), gamma = k.real("gamma", 1.05070102214813232421875);
  k.give(scaled(k, elu(k, k[0], alpha), gamma));
}
// Also of a negative alpha, for which ONNX Runtime has e^(x / alpha) at negative x, too.
inline void compose_celu(site& k) {
  double const alpha = k.real("alpha", 1);
  term const below = k("minimum", {k[0], k.beside(k[0], 0)});
  k.give(above_zero_or(k, k[0], scaled(k, k("expm1", {scaled(k, below, 1 / alpha)}), alpha)));
}
inline void compose_leaky(site& k) { k.give(above_zero_or(k, k[0], scaled(k, k[0], k.real("alpha", 0.01)))); }
inline void compose_prelu(site& k) {
  term const& x = k[0];
  k.give(k("where", {k("lesser", {x, k.beside(x, 0)}), k("multiply", {x, k.stretched_beside(k[1], x)}), x}));
}
inline void compose_thresholded(site& k) {
  term const zero = k.beside(k[0], 0);
  k.give(k("where", {k("greater", {k[0], k.beside(k[0], k.real("alpha", 1))}), k[0], zero}));
}
inline void compose_hard_sigmoid(site& k) {
  term const line = k("add", {scaled(k, k[0], k.real("alpha", 0.2)), k.beside(k[0], k.real("beta", 0.5))});
  k.give(k("clip", {line, k.beside(line, 0), k.beside(line, 1)}));
}
inline void compose_hard_swish(site& k) {
  term const line = k("add", {scaled(k, k[0], 1. / 6), k.beside(k[0], 0.5)});
  k.give(k("multiply", {k[0], k("clip", {line, k.beside(line, 0), k.beside(line, 1)})}));
}
// Of integers in float64, whose whole part is the result, since the attributes may have fractions.
inline void compose_shrink(site& k) {
  dtype const t = k[0].type.type;
  term const x = is_floating(t) ? k[0] : k.cast(k[0], dtype::float64);
  double const bias = k.real("bias", 0), edge = k.real("lambd", 0.5);
  term const above = k("where", {k("greater", {x, k.beside(x, edge)}), k("subtract", {x, k.beside(x, bias)}), k.beside(x, 0)});
  term const r = k("where", {k("lesser", {x, k.beside(x, -edge)}), k("add", {x, k.beside(x, bias)}), above});
  k.give(is_floating(t) ? r : k.cast(k.cast(r, dtype::int64), t));  // modulo 2^bits, where an unsigned one would be negative
}
inline void compose_gelu(site& k) {
  std::string const how = k.text("approximate", "none");
  if (how != "none" && how != "tanh") k.fail("attribute approximate is neither none nor tanh");
  k.give(k(how == "tanh" ? "gelu_tanh" : "gelu", {k[0]}));
}
inline void compose_swish(site& k) { k.give(k("multiply", {k[0], k("sigmoid", {scaled(k, k[0], k.real("alpha", 1))})})); }
inline void compose_clip(site& k) {
  term r = k[0];
  auto const limit = [&](int i, char const* name) -> std::optional<term> {
    if (k.opset >= 11) return k.has(i) ? std::optional(k[i]) : std::nullopt;
    attribute const* const a = k.find(name, attribute_type::real);
    return a ? std::optional(k.beside(r, a->real)) : std::nullopt;
  };
  if (auto const low = limit(1, "min")) r = k("maximum", {r, *low});
  if (auto const high = limit(2, "max")) r = k("minimum", {r, *high});
  k.give(r.type == k[0].type && &r.s.node(0) == &k[0].s.node(0) ? k("identity", {r}) : r);
}

inline void compose_sum(site& k) { k.give(k.operands() == 1 ? k("identity", {k[0]}) : folded(k, "add")); }

inline constexpr operator_row elementwise_rows[] = {
    {"Abs", 1, 0, 1, "", "abs"},
    {"Acos", 1, 0, 1, "", "arccos"},
    {"Acosh", 9, 0, 1, "", "arccosh"},
    {"Add", 7, 0, 2, "", "add"},
    {"And", 7, 0, 2, "", "logical_and"},
    {"Asin", 1, 0, 1, "", "arcsin"},
    {"Asinh", 9, 0, 1, "", "arcsinh"},
    {"Atan", 1, 0, 1, "", "arctan"},
    {"Atanh", 9, 0, 1, "", "arctanh"},
    {"BitShift", 11, 0, 2, "direction", "", compose_shift},
    {"BitwiseAnd", 18, 0, 2, "", "bitwise_and"},
    {"BitwiseNot", 18, 0, 1, "", "bitwise_not"},
    {"BitwiseOr", 18, 0, 2, "", "bitwise_or"},
    {"BitwiseXor", 18, 0, 2, "", "bitwise_xor"},
    {"Cast", 6, 18, 1, "to", "", compose_cast},
    {"Cast", 19, 23, 1, "to saturate", "", compose_cast},
    {"Cast", 24, 0, 1, "to saturate round_mode", "", compose_cast},
    {"CastLike", 15, 18, 2, "", "", compose_cast_like},
    {"CastLike", 19, 23, 2, "saturate", "", compose_cast_like},
    {"CastLike", 24, 0, 2, "saturate round_mode", "", compose_cast_like},
    {"Ceil", 1, 0, 1, "", "ceil"},
    {"Celu", 12, 0, 1, "alpha", "", compose_celu},
    {"Clip", 6, 10, 1, "min max", "", compose_clip},
    {"Clip", 11, 0, 3, "", "", compose_clip},
    {"Cos", 7, 0, 1, "", "cos"},
    {"Cosh", 9, 0, 1, "", "cosh"},
    {"Div", 7, 0, 2, "", "", compose_div},
    {"Elu", 6, 0, 1, "alpha", "", compose_elu},
    {"Equal", 7, 0, 2, "", "equal"},
    {"Erf", 9, 0, 1, "", "erf"},
    {"Exp", 6, 0, 1, "", "exp"},
    {"Floor", 6, 0, 1, "", "floor"},
    {"Gelu", 20, 0, 1, "approximate", "", compose_gelu},
    {"Greater", 7, 0, 2, "", "greater"},
    {"GreaterOrEqual", 12, 0, 2, "", "greater_equal"},
    {"HardSigmoid", 6, 0, 1, "alpha beta", "", compose_hard_sigmoid},
    {"HardSwish", 14, 0, 1, "", "", compose_hard_swish},
    {"IsInf", 10, 0, 1, "detect_negative detect_positive", "", compose_is_inf},
    {"IsNaN", 9, 0, 1, "", "isnan"},
    {"LeakyRelu", 6, 0, 1, "alpha", "", compose_leaky},
    {"Less", 7, 0, 2, "", "lesser"},
    {"LessOrEqual", 12, 0, 2, "", "lesser_equal"},
    {"Log", 6, 0, 1, "", "log"},
    {"Max", 6, 0, any_number, "", "", [](site& k) { k.give(k.operands() == 1 ? k("identity", {k[0]}) : folded(k, "maximum")); }},
    {"Mean", 6, 0, any_number, "", "", in_float32<compose_mean>},
    {"Min", 6, 0, any_number, "", "", [](site& k) { k.give(k.operands() == 1 ? k("identity", {k[0]}) : folded(k, "minimum")); }},
    {"Mish", 18, 0, 1, "", "mish"},
    {"Mod", 10, 0, 2, "fmod", "", compose_mod},
    {"Mul", 7, 0, 2, "", "multiply"},
    {"Neg", 6, 0, 1, "", "negative"},
    {"Not", 1, 0, 1, "", "logical_not"},
    {"Or", 7, 0, 2, "", "logical_or"},
    {"PRelu", 7, 0, 2, "", "", compose_prelu},
    {"Pow", 7, 0, 2, "", "", compose_pow},
    {"Reciprocal", 6, 0, 1, "", "reciprocal"},
    {"Relu", 6, 0, 1, "", "relu"},
    {"Round", 11, 0, 1, "", "rint"},
    {"Selu", 6, 0, 1, "alpha gamma", "", compose_selu},
    {"Shrink", 9, 0, 1, "bias lambd", "", in_float32<compose_shrink>},
    {"Sigmoid", 6, 0, 1, "", "sigmoid"},
    {"Sign", 9, 0, 1, "", "sign"},
    {"Sin", 7, 0, 1, "", "sin"},
    {"Sinh", 9, 0, 1, "", "sinh"},
    {"Softplus", 1, 0, 1, "", "softrelu"},
    {"Softsign", 1, 0, 1, "", "softsign"},
    {"Sqrt", 6, 0, 1, "", "sqrt"},
    {"Sub", 7, 0, 2, "", "subtract"},
    {"Sum", 6, 0, any_number, "", "", in_float32<compose_sum>},
    {"Swish", 24, 0, 1, "alpha", "", compose_swish},
    {"Tan", 7, 0, 1, "", "tan"},
    {"Tanh", 6, 0, 1, "", "tanh"},
    {"ThresholdedRelu", 10, 0, 1, "alpha", "", compose_thresholded},
    {"Where", 9, 0, 3, "", "where"},
    {"Xor", 7, 0, 2, "", "logical_xor"},
};

}  // namespace detail
}  // namespace sinter::onnx::inline SINTER_ISA
