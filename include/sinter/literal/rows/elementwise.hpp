// SPDX-License-Identifier: Apache-2.0
// MXNet's elementwise operations, as symbol/mxnet/elementwise.hpp has them.
#pragma once
#include "common.hpp"

namespace sinter::literal::inline SINTER_ISA {
namespace detail {
template <class Op> struct comparison : without_attributes<2> {
  template <class N, class A> static constexpr auto call(auto F, A const& a, auto const& b) {
    return in_numbers<N, type_of_elements<A>>(F, ops::function<Op>{}(a, b));
  }
};
template <class Op, int Operands> struct logic : without_attributes<Operands> {
  template <class N, class A> static constexpr auto call(auto F, A const& a, auto const&... b) {
    return in_numbers<N, type_of_elements<A>>(F, ops::function<Op>{}(as_truth(F, a), as_truth(F, b)...));
  }
};
// The modulus by 0 is 0.
template <class T> constexpr auto modulus(auto F, auto const& a, auto const& b) {
  auto const r = F.mod(a, b);
  auto const zero = F.zeros_like(r);
  return F.where(F.equal(F.add(zero, b), number_beside<dtype_of<T>, 0.0>()), zero, r);
}
template <class Op, class T> constexpr auto applied(auto F, auto const& a, auto const& b) {
  if constexpr (std::is_same_v<Op, ops::mod>) return modulus<T>(F, a, b);
  else return ops::function<Op>{}(a, b);
}
template <dtype T> constexpr auto as_type(auto F, auto const& x) {
  if constexpr (type_of_elements<std::remove_cvref_t<decltype(x)>> == T) return x;
  else return cast_to<T>(F, x);
}
template <class Op, bool Reversed = false> struct with_number {
  static constexpr operand_count operands = 1;
  struct values {
    double number = 1;
    bool is_int = true;
  };
  static constexpr values read(attributes& a, node_facts const&) {
    double const v = a.real("scalar", 1);
    return {v, a.flag("is_int", true)};
  }
  template <class N, class X> static constexpr auto call(auto F, X const& x) {
    static_assert(N::values.is_int || is_floating(type_of_elements<X>) || !std::is_same_v<Op, ops::divide>,
                  "sinter: a node of this symbol JSON divides integers by a number; cast them to floats");
    constexpr dtype type = beside_number(type_of_elements<X>, N::values.is_int);
    return both<N>(F, as_type<type>(F, x));
  }
  template <class N, class X> static constexpr auto both(auto F, X const& x) {
    using T = typename X::value_type;
    constexpr auto number = number_beside<dtype_of<T>, N::values.number>();
    if constexpr (Reversed) return applied<Op, T>(F, number, x);
    else return applied<Op, T>(F, x, number);
  }
};
struct a_number {
  static constexpr operand_count operands = 1;
  struct values {
    double number = 1;
    bool is_int = true;
  };
  static constexpr values read(attributes& a, node_facts const&) {
    double const v = a.real("scalar", 1);
    return {v, a.flag("is_int", true)};
  }
  template <class N, class X> static constexpr dtype type = beside_number(type_of_elements<X>, N::values.is_int);
};
template <class Op> struct comparison_with_number : a_number {
  template <class N, class X> static constexpr auto call(auto F, X const& x) {
    constexpr dtype t = a_number::type<N, X>;
    return in_numbers<N, t>(F, ops::function<Op>{}(as_type<t>(F, x), number_beside<t, N::values.number>()));
  }
};
template <class Op> struct logic_with_number : a_number {
  template <class N, class X> static constexpr auto call(auto F, X const& x) {
    constexpr dtype t = a_number::type<N, X>;
    static_cast<void>(number_beside<t, N::values.number>());
    auto const truth = as_truth(F, x);
    return in_numbers<N, t>(
        F, ops::function<Op>{}(truth, F.full_like(truth, ops::keyword < ops::key::values, N::values.number != 0 ? 1.0 : 0.0 > {})));
  }
};
}  // namespace detail

#define SINTER_UNARY(name) SINTER_SAME(#name, name, 1)
#define SINTER_UNARY_NUMPY(name, numpy) \
  SINTER_UNARY(name);                   \
  SINTER_ALIAS(#name, "_npi_" numpy)
SINTER_UNARY_NUMPY(abs, "absolute");
SINTER_UNARY_NUMPY(negative, "negative");
SINTER_UNARY_NUMPY(reciprocal, "reciprocal");
SINTER_UNARY_NUMPY(square, "square");
SINTER_UNARY_NUMPY(sqrt, "sqrt");
SINTER_UNARY(rsqrt);
SINTER_UNARY_NUMPY(cbrt, "cbrt");
SINTER_UNARY_NUMPY(exp, "exp");
SINTER_UNARY_NUMPY(expm1, "expm1");
SINTER_UNARY_NUMPY(log, "log");
SINTER_UNARY_NUMPY(log2, "log2");
SINTER_UNARY_NUMPY(log10, "log10");
SINTER_UNARY_NUMPY(log1p, "log1p");
SINTER_UNARY_NUMPY(sin, "sin");
SINTER_UNARY_NUMPY(cos, "cos");
SINTER_UNARY_NUMPY(tan, "tan");
SINTER_UNARY_NUMPY(arcsin, "arcsin");
SINTER_UNARY_NUMPY(arccos, "arccos");
SINTER_UNARY_NUMPY(arctan, "arctan");
SINTER_UNARY_NUMPY(sinh, "sinh");
SINTER_UNARY_NUMPY(cosh, "cosh");
SINTER_UNARY_NUMPY(tanh, "tanh");
SINTER_UNARY_NUMPY(arcsinh, "arcsinh");
SINTER_UNARY_NUMPY(arccosh, "arccosh");
SINTER_UNARY_NUMPY(arctanh, "arctanh");
SINTER_UNARY_NUMPY(degrees, "degrees");
SINTER_UNARY_NUMPY(radians, "radians");
SINTER_UNARY(erf);
SINTER_UNARY(erfinv);
SINTER_UNARY(gamma);
SINTER_UNARY(gammaln);
SINTER_UNARY(sigmoid);
SINTER_ALIAS("sigmoid", "_npx_sigmoid");
SINTER_UNARY(relu);
SINTER_ALIAS("relu", "_npx_relu");
SINTER_UNARY(softsign);
SINTER_UNARY_NUMPY(floor, "floor");
SINTER_UNARY_NUMPY(ceil, "ceil");
SINTER_UNARY_NUMPY(trunc, "trunc");
SINTER_ALIAS("trunc", "fix");
SINTER_ALIAS("trunc", "_npi_fix");
SINTER_UNARY_NUMPY(sign, "sign");
SINTER_UNARY_NUMPY(zeros_like, "zeros_like");
SINTER_UNARY_NUMPY(ones_like, "ones_like");
#undef SINTER_UNARY_NUMPY
#undef SINTER_UNARY

// To the nearest whole number; halves away from 0, with rint to the number below, with around to the even one.
template <> struct row<"round"> : detail::without_attributes<1> {
  template <class N> static constexpr auto call(auto F, auto const& x) {
    auto const whole = F.trunc(x);
    auto const rest = F.abs(F.subtract(x, whole));
    return F.where(F.greater_equal(rest, 0.5), F.add(whole, F.sign(x)), whole);
  }
};
template <> struct row<"rint"> : detail::without_attributes<1> {
  template <class N> static constexpr auto call(auto F, auto const& x) {
    auto const low = F.floor(x), high = F.ceil(x);
    return F.where(F.lesser_equal(F.subtract(x, low), F.subtract(high, x)), low, high);
  }
};
SINTER_ALIAS("rint", "_npi_rint");
template <> struct row<"_npi_around"> {
  static constexpr operand_count operands = 1;
  static constexpr no_values read(attributes& a, node_facts const&) {
    if (a.whole("decimals", 0) != 0) a.refuse("decimals");
    return {};
  }
  template <class N> static constexpr auto call(auto F, auto const& x) { return F.rint(x); }
};

#define SINTER_BINARY(mxnet, first, second, third, op) \
  SINTER_SAME("broadcast_" mxnet, op, 2);              \
  SINTER_ALIAS("broadcast_" mxnet, first);             \
  SINTER_ALIAS("broadcast_" mxnet, second);            \
  SINTER_ALIAS("broadcast_" mxnet, "_npi_" third)
SINTER_BINARY("add", "elemwise_add", "_plus", "add", add);
SINTER_ALIAS("broadcast_add", "broadcast_plus");
SINTER_ALIAS("broadcast_add", "_add");
SINTER_ALIAS("broadcast_add", "_Plus");
SINTER_BINARY("sub", "elemwise_sub", "_minus", "subtract", subtract);
SINTER_ALIAS("broadcast_sub", "broadcast_minus");
SINTER_ALIAS("broadcast_sub", "_sub");
SINTER_ALIAS("broadcast_sub", "_Minus");
SINTER_BINARY("mul", "elemwise_mul", "_mul", "multiply", multiply);
SINTER_ALIAS("broadcast_mul", "_Mul");
SINTER_BINARY("div", "elemwise_div", "_div", "true_divide", divide);
SINTER_ALIAS("broadcast_div", "_Div");
SINTER_BINARY("maximum", "_maximum", "_Maximum", "maximum", maximum);
SINTER_BINARY("minimum", "_minimum", "_Minimum", "minimum", minimum);
SINTER_BINARY("power", "_power", "_Power", "power", power);
SINTER_ALIAS("broadcast_power", "pow");
SINTER_SAME("broadcast_hypot", hypot, 2);
SINTER_ALIAS("broadcast_hypot", "_hypot");
SINTER_ALIAS("broadcast_hypot", "_npi_hypot");
#undef SINTER_BINARY
template <> struct row<"broadcast_mod"> : detail::without_attributes<2> {
  template <class N, class A> static constexpr auto call(auto F, A const& a, auto const& b) {
    return detail::modulus<typename A::value_type>(F, a, b);
  }
};
SINTER_ALIAS("broadcast_mod", "_mod");
SINTER_ALIAS("broadcast_mod", "_Mod");
SINTER_ALIAS("broadcast_mod", "_npi_mod");

#define SINTER_COMPARISON(small, large, scalar, numpy, op)                              \
  template <> struct row<"broadcast" small> : detail::comparison<ops::op> {};           \
  SINTER_ALIAS("broadcast" small, small);                                               \
  SINTER_ALIAS("broadcast" small, large);                                               \
  SINTER_ALIAS("broadcast" small, "_npi_" numpy);                                       \
  template <> struct row<small "_scalar"> : detail::comparison_with_number<ops::op> {}; \
  SINTER_ALIAS(small "_scalar", scalar "Scalar");                                       \
  SINTER_ALIAS(small "_scalar", "_npi_" numpy "_scalar")
SINTER_COMPARISON("_equal", "_Equal", "_Equal", "equal", equal);
SINTER_COMPARISON("_not_equal", "_Not_Equal", "_NotEqual", "not_equal", not_equal);
SINTER_COMPARISON("_greater", "_Greater", "_Greater", "greater", greater);
SINTER_COMPARISON("_greater_equal", "_Greater_Equal", "_GreaterEqual", "greater_equal", greater_equal);
SINTER_COMPARISON("_lesser", "_Lesser", "_Lesser", "less", lesser);
SINTER_COMPARISON("_lesser_equal", "_Lesser_Equal", "_LesserEqual", "less_equal", lesser_equal);
#undef SINTER_COMPARISON
#define SINTER_LOGIC(small, large, scalar, op)                                     \
  template <> struct row<"broadcast" small> : detail::logic<ops::op, 2> {};        \
  SINTER_ALIAS("broadcast" small, small);                                          \
  SINTER_ALIAS("broadcast" small, large);                                          \
  SINTER_ALIAS("broadcast" small, "_npi" small);                                   \
  template <> struct row<small "_scalar"> : detail::logic_with_number<ops::op> {}; \
  SINTER_ALIAS(small "_scalar", scalar "Scalar")
SINTER_LOGIC("_logical_and", "_Logical_And", "_LogicalAnd", logical_and);
SINTER_LOGIC("_logical_or", "_Logical_Or", "_LogicalOr", logical_or);
SINTER_LOGIC("_logical_xor", "_Logical_Xor", "_LogicalXor", logical_xor);
#undef SINTER_LOGIC
template <> struct row<"logical_not"> : detail::logic<ops::logical_not, 1> {};
SINTER_ALIAS("logical_not", "_npi_logical_not");

#define SINTER_NUMBER(name, old, numpy, ...)                          \
  template <> struct row<name> : detail::with_number<__VA_ARGS__> {}; \
  SINTER_ALIAS(name, old);                                            \
  SINTER_ALIAS(name, "_npi_" numpy "_scalar")
SINTER_NUMBER("_plus_scalar", "_PlusScalar", "add", ops::add);
SINTER_NUMBER("_minus_scalar", "_MinusScalar", "subtract", ops::subtract);
SINTER_NUMBER("_rminus_scalar", "_RMinusScalar", "rsubtract", ops::subtract, true);
SINTER_NUMBER("_mul_scalar", "_MulScalar", "multiply", ops::multiply);
SINTER_NUMBER("_div_scalar", "_DivScalar", "true_divide", ops::divide);
SINTER_NUMBER("_rdiv_scalar", "_RDivScalar", "rtrue_divide", ops::divide, true);
SINTER_NUMBER("_mod_scalar", "_ModScalar", "mod", ops::mod);
SINTER_NUMBER("_rmod_scalar", "_RModScalar", "rmod", ops::mod, true);
SINTER_NUMBER("_power_scalar", "_PowerScalar", "power", ops::power);
SINTER_NUMBER("_rpower_scalar", "_RPowerScalar", "rpower", ops::power, true);
SINTER_NUMBER("_maximum_scalar", "_MaximumScalar", "maximum", ops::maximum);
SINTER_NUMBER("_minimum_scalar", "_MinimumScalar", "minimum", ops::minimum);
#undef SINTER_NUMBER
template <> struct row<"_hypot_scalar"> : detail::with_number<ops::hypot> {};
SINTER_ALIAS("_hypot_scalar", "_HypotScalar");

// Nothing happens in inference.
template <> struct row<"_copy"> {
  static constexpr operand_count operands = 1;
  static constexpr no_values read(attributes& a, node_facts const& n) {
    a.ignore({"p", "axes", "cudnn_off", "grad_scale", "normalization", "valid_thresh", "dtype"});
    if (n.op == "Dropout" || n.op == "_npx_dropout") a.only("mode", {"training"});
    else a.ignore({"mode"});
    return {};
  }
  template <class N> static constexpr auto call(auto F, auto const& x) { return F.identity(x); }
};
SINTER_ALIAS("_copy", "identity");
SINTER_ALIAS("_copy", "make_loss");
SINTER_ALIAS("_copy", "MakeLoss");
SINTER_ALIAS("_copy", "_npi_copy");
SINTER_ALIAS("_copy", "_np_copy");
SINTER_ALIAS("_copy", "Dropout");
SINTER_ALIAS("_copy", "_npx_dropout");
SINTER_SAME("BlockGrad", stop_gradient, 1);
SINTER_ALIAS("BlockGrad", "stop_gradient");
template <> struct row<"Cast"> {
  static constexpr operand_count operands = 1;
  struct values {
    dtype to = dtype::float32;
  };
  static constexpr values read(attributes& a, node_facts const&) { return {a.type("dtype")}; }
  template <class N> static constexpr auto call(auto F, auto const& x) { return cast_to<N::values.to>(F, x); }
};
SINTER_ALIAS("Cast", "cast");
SINTER_ALIAS("Cast", "amp_cast");
SINTER_ALIAS("Cast", "_npi_cast");
SINTER_ALIAS("Cast", "_npx_cast");
template <> struct row<"clip"> {
  static constexpr operand_count operands = 1;
  struct values {
    double low = 0, high = 0;
  };
  static constexpr values read(attributes& a, node_facts const&) {
    double const low = a.real("a_min");
    return {low, a.real("a_max")};
  }
  template <class N, class X> static constexpr auto call(auto F, X const& x) {
    constexpr dtype t = type_of_elements<X>;
    return F.clip(x, number_beside<t, N::values.low>(), number_beside<t, N::values.high>());
  }
};
SINTER_ALIAS("clip", "_npi_clip");
template <> struct row<"add_n"> {
  static constexpr operand_count operands{1, operand_count::any};
  static constexpr no_values read(attributes& a, node_facts const& n) {
    if (a.at_least(1, "num_args", n.inputs) != n.inputs) a.refuse("num_args");
    return {};
  }
  template <class N, class X> static constexpr auto call(auto, X const& x) { return x; }
  template <class N, class... More> static constexpr auto call(auto F, auto const& a, auto const& b, More const&... more) {
    return call<N>(F, F.add(a, b), more...);
  }
};
SINTER_ALIAS("add_n", "ElementWiseSum");
template <> struct row<"where"> : detail::without_attributes<3> {
  template <class N, class C, class A> static constexpr auto call(auto F, C const& c, A const& a, auto const& b) {
    constexpr dims rows = [] {
      dims r = shape_of<C>;
      while (r.rank < shape_of<A>.rank) r.push(1);
      return r;
    }();
    if constexpr (shape_of<C>.rank == 1 && shape_of<A>.rank > 1) return F.where(reshaped<rows>(F, as_truth(F, c)), a, b);
    else return F.where(as_truth(F, c), a, b);
  }
};
template <> struct row<"_npi_where"> : detail::without_attributes<3> {
  template <class N> static constexpr auto call(auto F, auto const& c, auto const& a, auto const& b) {
    return F.where(as_truth(F, c), a, b);
  }
};
}  // namespace sinter::literal::inline SINTER_ISA
