// SPDX-License-Identifier: Apache-2.0
// MXNet's elementwise operations. Its comparisons give 0 and 1 in the dtype of the operands, in the numpy mode bool.
#pragma once
#include "node.hpp"

namespace sinter::sym::mxnet {
inline namespace SINTER_ISA {

inline symbol in_numbers(symbol const& truth, dtype t, bool is_numpy) { return is_numpy ? truth : cast_to(truth, t); }
// `same` of both operands, cast as said.
inline symbols read_comparison(node_reader& n) {
  return n.written(
      [op = n.of.same, np = n.is_numpy](symbols const& in, operand_types t) { return symbols{in_numbers(one(op, in), t[0].type, np)}; });
}
inline symbols read_logic(node_reader& n) {
  return n.written([op = n.of.same, np = n.is_numpy](symbols const& in, operand_types t) {
    symbols truths;
    for (int i = 0; i < t.n; ++i) truths.push_back(as_truth(in[static_cast<std::size_t>(i)], t[i].type));
    return symbols{in_numbers(one(op, truths), t[0].type, np)};
  });
}
// The modulus by 0 is 0.
inline symbol modulus(symbol const& a, symbol const& b, dtype t) {
  symbol const zero = number_beside(t, 0), r = one("mod", {a, b});
  return one("where", {one("equal", {one("zeros_like", {r}) + b, zero}), one("zeros_like", {r}), r});
}
inline symbol apply(std::string_view op, symbol const& a, symbol const& b, dtype t) {
  return op == "mod" ? modulus(a, b, t) : one(op, {a, b});
}
inline symbols read_modulus(node_reader& n) {
  return n.written([](symbols const& in, operand_types t) { return symbols{modulus(in[0], in[1], t[0].type)}; });
}

inline symbol as_type(symbol const& x, dtype from, dtype to) { return from == to ? x : cast_to(x, to); }
// With a number: `same` of the operand and the number, or of the number and the operand where the name begins with _r.
inline symbols read_scalar(node_reader& n) {
  double const v = n.a.real("scalar", 1);
  bool const is_int = n.a.flag("is_int", true);
  return n.written([v, is_int, op = n.of.same, reversed = n.of.name.starts_with("_r")](symbols const& in, operand_types types) {
    dtype const from = types[0].type, t = beside_number(from, is_int);
    if (!is_int && !is_floating(from) && op == "divide") throw dtype_error("sinter: integers are divided by a number; cast them to floats");
    symbol const number = number_beside(t, v), x = as_type(in[0], from, t);
    return symbols{reversed ? apply(op, number, x, t) : apply(op, x, number, t)};
  });
}
inline symbols read_scalar_comparison(node_reader& n) {
  double const v = n.a.real("scalar", 1);
  bool const is_int = n.a.flag("is_int", true);
  return n.written([v, is_int, op = n.of.same, np = n.is_numpy](symbols const& in, operand_types types) {
    dtype const from = types[0].type, t = beside_number(from, is_int);
    return symbols{in_numbers(one(op, {as_type(in[0], from, t), number_beside(t, v)}), t, np)};
  });
}
inline symbols read_scalar_logic(node_reader& n) {
  double const v = n.a.real("scalar", 1);
  bool const is_int = n.a.flag("is_int", true);
  return n.written([v, is_int, op = n.of.same, np = n.is_numpy](symbols const& in, operand_types types) {
    dtype const from = types[0].type, t = beside_number(from, is_int);
    check_beside(t, v);
    symbol const truth = as_truth(in[0], from), other = one("full_like", {truth}, {{"values", ops::number_list{1, {number(v != 0)}}}});
    return symbols{in_numbers(one(op, {truth, other}), t, np)};
  });
}
// To the nearest whole number; halves away from 0, with rint to the number below, with around to the even one.
inline symbols read_round(node_reader& n) {
  return n.written([](symbols const& in, operand_types) {
    symbol const whole = one("trunc", in), rest = one("abs", {in[0] - whole});
    return symbols{one("where", {one("greater_equal", {rest, number_symbol(0.5)}), whole + one("sign", in), whole})};
  });
}
inline symbols read_rint(node_reader& n) {
  return n.written([](symbols const& in, operand_types) {
    symbol const low = one("floor", in), high = one("ceil", in);
    return symbols{one("where", {one("lesser_equal", {in[0] - low, high - in[0]}), low, high})};
  });
}
inline symbols read_around(node_reader& n) {
  if (n.a.whole("decimals", 0) != 0) n.a.refuse("decimals", "sinter rounds to whole numbers");
  return n.direct("rint", n.in);
}
inline symbols read_identity(node_reader& n) {
  n.a.ignore({"p", "mode", "axes", "cudnn_off", "grad_scale", "normalization", "valid_thresh", "dtype"});
  if (n.of.name == "Dropout") n.a.only("mode", {"training"});
  return n.direct("identity", {n.in[0]});
}
inline symbols read_cast(node_reader& n) { return n.direct("cast", n.in, {{"as", n.a.type("dtype")}}); }
inline symbols read_clip(node_reader& n) {
  double const low = n.a.real("a_min"), high = n.a.real("a_max");
  return n.written([=](symbols const& in, operand_types types) {
    dtype const t = types[0].type;
    return symbols{one("clip", {in[0], number_beside(t, low), number_beside(t, high)})};
  });
}
inline symbols read_sum_of_all(node_reader& n) {
  if (n.a.at_least(1, "num_args", n.inputs()) != n.inputs())
    n.a.refuse("num_args", "the node has " + io::counted(static_cast<std::size_t>(n.inputs()), "input"));
  return n.written([](symbols const& in, operand_types) {
    symbol all = in[0];
    for (std::size_t i = 1; i < in.size(); ++i) all = all + in[i];
    return symbols{all};
  });
}
inline symbols read_where(node_reader& n) {
  return n.written([](symbols const& in, operand_types t) {
    symbol c = as_truth(in[0], t[0].type);
    if (t[0].shape.rank == 1 && t[1].shape.rank > 1) {  // one for each row
      dims rows = t[0].shape;
      while (rows.rank < t[1].shape.rank) rows.push(1);
      c = reshaped(c, rows);
    }
    return symbols{one("where", {c, in[1], in[2]})};
  });
}
inline symbols read_numpy_where(node_reader& n) {
  return n.written([](symbols const& in, operand_types t) { return symbols{one("where", {as_truth(in[0], t[0].type), in[1], in[2]})}; });
}
inline symbols read_smooth_l1(node_reader& n) {
  return n.direct("smooth_l1", n.in, {{"values", ops::number_list{1, {number(n.a.real("scalar", 1))}}}});
}
inline symbols read_hard_sigmoid(node_reader& n) {
  double const alpha = n.a.real("alpha", 0.2), beta = n.a.real("beta", 0.5);
  return n.written([=](symbols const& in, operand_types) {
    return symbols{one("clip", {in[0] * alpha + beta, number_symbol(0.0), number_symbol(1.0)})};
  });
}

// ---- activations

inline symbols read_activation(node_reader& n) {
  std::string const what = n.a.word("act_type", {"relu", "sigmoid", "tanh", "softrelu", "softsign", "mish", "log_sigmoid"});
  if (what != "log_sigmoid") return n.direct(what, n.in);
  return n.written([](symbols const& in, operand_types) { return symbols{-one("softrelu", {-in[0]})}; });
}
inline symbols read_leaky_relu(node_reader& n) {
  std::string const what = n.a.word("act_type", {"leaky", "elu", "prelu", "rrelu", "selu", "gelu", "gelu_erf", "gelu_tanh"}, "leaky");
  double const slope = n.a.real("slope", 0.25), low = n.a.real("lower_bound", 0.125), high = n.a.real("upper_bound", 0.334);
  if (n.inputs() != (what == "prelu" ? 2 : 1)) throw error(what + " has " + io::counted(static_cast<std::size_t>(n.inputs()), "input"));
  if (what == "leaky") return n.direct("leaky_relu", n.in, {{"slope", slope}});
  if (what == "rrelu") return n.direct("leaky_relu", n.in, {{"slope", (low + high) / 2}});
  if (what == "elu") return n.direct("elu", n.in, {{"alpha", slope}});
  if (what != "prelu") return n.direct(what == "gelu_erf" ? "gelu" : what, n.in);
  return n.written([](symbols const& in, operand_types t) {
    dims along{1};  // the second axis
    if (t[1].shape.rank == 1 && t[0].shape.rank > 1) {
      along.push(t[1].shape.d[0]);
      while (along.rank < t[0].shape.rank) along.push(1);
      return symbols{one("prelu", {in[0], reshaped(in[1], along)})};
    }
    return symbols{one("prelu", in)};
  });
}

inline std::vector<row> elementwise_rows() {
  constexpr auto number = &read_scalar, comparison = &read_scalar_comparison, logic = &read_scalar_logic;
  return {
      {"abs", "_npi_absolute", 1, "abs"},
      {"negative", "_npi_negative", 1, "negative"},
      {"reciprocal", "_npi_reciprocal", 1, "reciprocal"},
      {"square", "_npi_square", 1, "square"},
      {"sqrt", "_npi_sqrt", 1, "sqrt"},
      {"rsqrt", "", 1, "rsqrt"},
      {"cbrt", "_npi_cbrt", 1, "cbrt"},
      {"exp", "_npi_exp", 1, "exp"},
      {"expm1", "_npi_expm1", 1, "expm1"},
      {"log", "_npi_log", 1, "log"},
      {"log2", "_npi_log2", 1, "log2"},
      {"log10", "_npi_log10", 1, "log10"},
      {"log1p", "_npi_log1p", 1, "log1p"},
      {"sin", "_npi_sin", 1, "sin"},
      {"cos", "_npi_cos", 1, "cos"},
      {"tan", "_npi_tan", 1, "tan"},
      {"arcsin", "_npi_arcsin", 1, "arcsin"},
      {"arccos", "_npi_arccos", 1, "arccos"},
      {"arctan", "_npi_arctan", 1, "arctan"},
      {"sinh", "_npi_sinh", 1, "sinh"},
      {"cosh", "_npi_cosh", 1, "cosh"},
      {"tanh", "_npi_tanh", 1, "tanh"},
      {"arcsinh", "_npi_arcsinh", 1, "arcsinh"},
      {"arccosh", "_npi_arccosh", 1, "arccosh"},
      {"arctanh", "_npi_arctanh", 1, "arctanh"},
      {"degrees", "_npi_degrees", 1, "degrees"},
      {"radians", "_npi_radians", 1, "radians"},
      {"erf", "", 1, "erf"},
      {"erfinv", "", 1, "erfinv"},
      {"gamma", "", 1, "gamma"},
      {"gammaln", "", 1, "gammaln"},
      {"sigmoid", "_npx_sigmoid", 1, "sigmoid"},
      {"relu", "_npx_relu", 1, "relu"},
      {"softsign", "", 1, "softsign"},
      {"floor", "_npi_floor", 1, "floor"},
      {"ceil", "_npi_ceil", 1, "ceil"},
      {"trunc", "fix _npi_trunc _npi_fix", 1, "trunc"},
      {"sign", "_npi_sign", 1, "sign"},
      {"round", "", 1, "", &read_round},
      {"rint", "_npi_rint", 1, "", &read_rint},
      {"_npi_around", "", 1, "", &read_around},
      {"hard_sigmoid", "", 1, "", &read_hard_sigmoid},
      {"smooth_l1", "", 1, "", &read_smooth_l1},
      {"Activation", "_npx_activation", 1, "", &read_activation},
      {"LeakyReLU", "_npx_leaky_relu", {1, 2}, "", &read_leaky_relu},
      {"_copy", "identity make_loss MakeLoss _npi_copy _np_copy", 1, "", &read_identity},
      {"BlockGrad", "stop_gradient", 1, "stop_gradient"},
      {"Dropout", "_npx_dropout", 1, "", &read_identity, 1},
      {"Cast", "cast amp_cast _npi_cast _npx_cast", 1, "", &read_cast},
      {"clip", "_npi_clip", 1, "", &read_clip},
      {"zeros_like", "_npi_zeros_like", 1, "zeros_like"},
      {"ones_like", "_npi_ones_like", 1, "ones_like"},

      {"elemwise_add", "_plus _Plus _add broadcast_add broadcast_plus _npi_add", 2, "add"},
      {"elemwise_sub", "_minus _Minus _sub broadcast_sub broadcast_minus _npi_subtract", 2, "subtract"},
      {"elemwise_mul", "_mul _Mul broadcast_mul _npi_multiply", 2, "multiply"},
      {"elemwise_div", "_div _Div broadcast_div _npi_true_divide", 2, "divide"},
      {"broadcast_maximum", "_maximum _Maximum _npi_maximum", 2, "maximum"},
      {"broadcast_minimum", "_minimum _Minimum _npi_minimum", 2, "minimum"},
      {"broadcast_power", "_power _Power pow _npi_power", 2, "power"},
      {"broadcast_hypot", "_hypot _npi_hypot", 2, "hypot"},
      {"broadcast_mod", "_mod _Mod _npi_mod", 2, "", &read_modulus},
      {"broadcast_equal", "_equal _Equal _npi_equal", 2, "equal", &read_comparison},
      {"broadcast_not_equal", "_not_equal _Not_Equal _npi_not_equal", 2, "not_equal", &read_comparison},
      {"broadcast_greater", "_greater _Greater _npi_greater", 2, "greater", &read_comparison},
      {"broadcast_greater_equal", "_greater_equal _Greater_Equal _npi_greater_equal", 2, "greater_equal", &read_comparison},
      {"broadcast_lesser", "_lesser _Lesser _npi_less", 2, "lesser", &read_comparison},
      {"broadcast_lesser_equal", "_lesser_equal _Lesser_Equal _npi_less_equal", 2, "lesser_equal", &read_comparison},
      {"broadcast_logical_and", "_logical_and _Logical_And _npi_logical_and", 2, "logical_and", &read_logic},
      {"broadcast_logical_or", "_logical_or _Logical_Or _npi_logical_or", 2, "logical_or", &read_logic},
      {"broadcast_logical_xor", "_logical_xor _Logical_Xor _npi_logical_xor", 2, "logical_xor", &read_logic},
      {"logical_not", "_npi_logical_not", 1, "logical_not", &read_logic},
      {"add_n", "ElementWiseSum", {1, operand_count::any}, "", &read_sum_of_all},
      {"where", "", 3, "", &read_where},
      {"_npi_where", "", 3, "", &read_numpy_where},

      {"_plus_scalar", "_PlusScalar _npi_add_scalar", 1, "add", number},
      {"_minus_scalar", "_MinusScalar _npi_subtract_scalar", 1, "subtract", number},
      {"_rminus_scalar", "_RMinusScalar _npi_rsubtract_scalar", 1, "subtract", number},
      {"_mul_scalar", "_MulScalar _npi_multiply_scalar", 1, "multiply", number},
      {"_div_scalar", "_DivScalar _npi_true_divide_scalar", 1, "divide", number},
      {"_rdiv_scalar", "_RDivScalar _npi_rtrue_divide_scalar", 1, "divide", number},
      {"_mod_scalar", "_ModScalar _npi_mod_scalar", 1, "mod", number},
      {"_rmod_scalar", "_RModScalar _npi_rmod_scalar", 1, "mod", number},
      {"_power_scalar", "_PowerScalar _npi_power_scalar", 1, "power", number},
      {"_rpower_scalar", "_RPowerScalar _npi_rpower_scalar", 1, "power", number},
      {"_maximum_scalar", "_MaximumScalar _npi_maximum_scalar", 1, "maximum", number},
      {"_minimum_scalar", "_MinimumScalar _npi_minimum_scalar", 1, "minimum", number},
      {"_hypot_scalar", "_HypotScalar", 1, "hypot", number},
      {"_equal_scalar", "_EqualScalar _npi_equal_scalar", 1, "equal", comparison},
      {"_not_equal_scalar", "_NotEqualScalar _npi_not_equal_scalar", 1, "not_equal", comparison},
      {"_greater_scalar", "_GreaterScalar _npi_greater_scalar", 1, "greater", comparison},
      {"_greater_equal_scalar", "_GreaterEqualScalar _npi_greater_equal_scalar", 1, "greater_equal", comparison},
      {"_lesser_scalar", "_LesserScalar _npi_less_scalar", 1, "lesser", comparison},
      {"_lesser_equal_scalar", "_LesserEqualScalar _npi_less_equal_scalar", 1, "lesser_equal", comparison},
      {"_logical_and_scalar", "_LogicalAndScalar", 1, "logical_and", logic},
      {"_logical_or_scalar", "_LogicalOrScalar", 1, "logical_or", logic},
      {"_logical_xor_scalar", "_LogicalXorScalar", 1, "logical_xor", logic},
  };
}

}  // namespace SINTER_ISA
}  // namespace sinter::sym::mxnet
