// SPDX-License-Identifier: Apache-2.0
// One element in, one element out: arithmetic and comparison. Each struct holds all that sinter knows about its operation.
#pragma once
#include "arguments.hpp"
#include "element.hpp"

namespace sinter::ops::inline SINTER_ISA {

// What elementwise operations have in common. `N` operands of one dtype; for `condition` the first is bool. Shapes broadcast.
// `integer`: of integers; `bits`: also of bool.
enum class domain { any, number, floating, truth, integer, bits };
template <class Self, int N, domain D = domain::number> struct elementwise {
  static constexpr family kind = family::elementwise;
  static constexpr int arity = N;
  static constexpr bool foldable = true, condition = false, truth = false, exact = false, commutative = false;
  static constexpr bool flat = D == domain::truth || D == domain::integer || D == domain::bits;
  static constexpr int cost = 1;
  template <class T>
  static constexpr bool takes =
      D == domain::any || (D == domain::number && !std::is_same_v<T, bool>) || (D == domain::floating && std::is_floating_point_v<T>) ||
      (D == domain::truth && std::is_same_v<T, bool>) || (D == domain::integer && std::is_integral_v<T> && !std::is_same_v<T, bool>) ||
      (D == domain::bits && std::is_integral_v<T>);

  static constexpr problem check(dtype t) {
    if (D == domain::floating && !is_floating(t)) return problem::wants_floating;
    if (D == domain::truth && t != dtype::boolean) return problem::wants_bool;
    if (D == domain::number && t == dtype::boolean) return problem::takes_no_bool;
    if ((D == domain::integer || D == domain::bits) && (is_floating(t) || (D == domain::integer && t == dtype::boolean)))
      return problem::wants_integer;
    return problem::none;
  }
  static constexpr inferred infer(operand_types in, dimension_table& t) {
    int const n = in.n;
    inferred r{in[n - 1]};
    int const first = Self::condition ? 1 : 0;
    if (Self::condition && in[0].type != dtype::boolean) return {{}, problem::wants_bool, 0, 0};
    for (int i = first; i < n; ++i)
      if (in[i].type != in[n - 1].type) return {{}, problem::mixed_dtypes, first, i};
    if (problem const p = check(in[first].type); p != problem::none) return {{}, p, first, n > first + 1 ? first + 1 : first};
    if (Self::truth) r.type.type = dtype::boolean;
    r.type.shape = in[0].shape;
    for (int i = 1; i < n; ++i) {
      if (in[i].shape == r.type.shape) continue;
      broadcasted const b = broadcast(r.type.shape, in[i].shape, t);
      if (!b.ok) return {{}, problem::shapes_differ, 0, i};
      r.type.shape = b.shape;
    }
    return r;
  }
};

struct add : elementwise<add, 2> {
  static constexpr format_names formats{"broadcast_add", "Add"};
  static constexpr bool exact = true, commutative = true;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int i);
  template <class V> static SINTER_HD constexpr V eval(V a, V b) { return element::add(a, b); }
};
struct subtract : elementwise<subtract, 2> {
  static constexpr format_names formats{"broadcast_sub", "Sub"};
  static constexpr bool exact = true;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int i);
  template <class V> static SINTER_HD constexpr V eval(V a, V b) { return element::subtract(a, b); }
};
struct multiply : elementwise<multiply, 2> {
  static constexpr format_names formats{"broadcast_mul", "Mul"};
  static constexpr bool exact = true, commutative = true;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int i);
  template <class V> static SINTER_HD constexpr V eval(V a, V b) { return element::multiply(a, b); }
};
// Floating only: NumPy gives floats for integers; in sinter one casts them first.
struct divide : elementwise<divide, 2, domain::floating> {
  static constexpr format_names formats{"broadcast_div", "Div"};
  static constexpr int divisor = 1;
  static constexpr bool exact = true;
  static constexpr int cost = 6;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int i);
  template <class V> static SINTER_HD constexpr V eval(V a, V b) { return a / b; }
};
struct power : elementwise<power, 2, domain::floating> {
  static constexpr format_names formats{"broadcast_power", "Pow"};
  static constexpr int cost = 40;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int i);
  template <class V> static SINTER_HD constexpr V eval(V a, V b) { return element::pow(a, b); }
};
// A NaN in either operand is the result, as in NumPy. Not commutative: of 0 and -0 the first is the result.
struct maximum : elementwise<maximum, 2> {
  static constexpr format_names formats{"broadcast_maximum", "Max"};
  static constexpr bool selects = true;
  static constexpr bool exact = true;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int i);
  template <class V> static SINTER_HD constexpr V eval(V a, V b) { return element::maximum(a, b); }
};
struct minimum : elementwise<minimum, 2> {
  static constexpr format_names formats{"broadcast_minimum", "Min"};
  static constexpr bool selects = true;
  static constexpr bool exact = true;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int i);
  template <class V> static SINTER_HD constexpr V eval(V a, V b) { return element::minimum(a, b); }
};
// clip(x, low, high)
struct clip : elementwise<clip, 3> {
  static constexpr format_names formats{"clip", "Clip"};
  static constexpr bool exact = true;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int i);
  template <class V> static SINTER_HD constexpr V eval(V x, V low, V high) { return element::minimum(element::maximum(x, low), high); }
};
struct negative : elementwise<negative, 1> {
  static constexpr format_names formats{"negative", "Neg"};
  static constexpr bool involution = true;
  static constexpr bool exact = true;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int i);
  template <class V> static SINTER_HD constexpr V eval(V x) {
    if constexpr (std::is_integral_v<V>) return element::subtract(V(0), x);
    else return -x;
  }
};
struct abs : elementwise<abs, 1> {
  static constexpr format_names formats{"abs", "Abs"};
  static constexpr bool idempotent = true;
  static constexpr bool exact = true;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int i);
  template <class V> static SINTER_HD constexpr V eval(V x) {
    if constexpr (std::is_integral_v<V>) return x < 0 ? element::subtract(V(0), x) : x;
    else return element::abs(x);
  }
};
struct square : elementwise<square, 1> {
  static constexpr format_names formats{"square", ""};
  static constexpr bool exact = true;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int i);
  template <class V> static SINTER_HD constexpr V eval(V x) { return element::multiply(x, x); }
};

template <class Self, domain D = domain::number> struct comparison : elementwise<Self, 2, D> {
  static constexpr bool truth = true, exact = true;
};
struct equal : comparison<equal, domain::any> {
  static constexpr format_names formats{"broadcast_equal", "Equal"};
  static constexpr bool commutative = true;
  template <class V> static SINTER_HD constexpr auto eval(V a, V b) { return a == b; }
};
struct not_equal : comparison<not_equal, domain::any> {
  static constexpr format_names formats{"broadcast_not_equal", ""};
  static constexpr bool commutative = true;
  template <class V> static SINTER_HD constexpr auto eval(V a, V b) { return a != b; }
};
struct lesser : comparison<lesser> {
  static constexpr format_names formats{"broadcast_lesser", "Less"};
  template <class V> static SINTER_HD constexpr auto eval(V a, V b) { return a < b; }
};
struct lesser_equal : comparison<lesser_equal> {
  static constexpr format_names formats{"broadcast_lesser_equal", "LessOrEqual"};
  template <class V> static SINTER_HD constexpr auto eval(V a, V b) { return a <= b; }
};
struct greater : comparison<greater> {
  static constexpr format_names formats{"broadcast_greater", "Greater"};
  template <class V> static SINTER_HD constexpr auto eval(V a, V b) { return a > b; }
};
struct greater_equal : comparison<greater_equal> {
  static constexpr format_names formats{"broadcast_greater_equal", "GreaterOrEqual"};
  template <class V> static SINTER_HD constexpr auto eval(V a, V b) { return a >= b; }
};

struct logical_and : elementwise<logical_and, 2, domain::truth> {
  static constexpr format_names formats{"broadcast_logical_and", "And"};
  static constexpr bool selects = true;
  static constexpr bool truth = true, exact = true, commutative = true;
  template <class V> static SINTER_HD constexpr V eval(V a, V b) { return a & b; }
};
struct logical_or : elementwise<logical_or, 2, domain::truth> {
  static constexpr format_names formats{"broadcast_logical_or", "Or"};
  static constexpr bool selects = true;
  static constexpr bool truth = true, exact = true, commutative = true;
  template <class V> static SINTER_HD constexpr V eval(V a, V b) { return a | b; }
};
struct logical_xor : elementwise<logical_xor, 2, domain::truth> {
  static constexpr format_names formats{"broadcast_logical_xor", "Xor"};
  static constexpr bool truth = true, exact = true, commutative = true;
  template <class V> static SINTER_HD constexpr V eval(V a, V b) { return a ^ b; }
};
struct logical_not : elementwise<logical_not, 1, domain::truth> {
  static constexpr format_names formats{"logical_not", "Not"};
  static constexpr bool involution = true;
  static constexpr bool truth = true, exact = true;
  template <class V> static SINTER_HD constexpr V eval(V a) { return !a; }
};
// where(condition, a, b)
struct where : elementwise<where, 3, domain::any> {
  static constexpr format_names formats{"where", "Where"};
  static constexpr bool condition = true, exact = true;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int i);
  template <class M, class V> static SINTER_HD constexpr V eval(M c, V a, V b) { return element::select(c, a, b); }
};

// Whether a kernel casts from one of these dtypes to the other; those of fewer than 32 bits stand between memory and what is computed.
constexpr bool is_one_step(dtype from, dtype to) {
  if (is_narrow(from)) return to == computed_in(from);
  return !is_narrow(to) || from == computed_in(to) || (from == dtype::float64 && is_floating(to));
}
// cast(x, as<T>): towards zero from a float to an integer; out of range is unspecified. To bool: whether it is not zero.
struct cast : elementwise<cast, 1, domain::any> {
  static constexpr format_names formats{"Cast", "Cast"};
  static constexpr bool exact = true, foldable = false;
  static constexpr int flops = 0;
  using keywords = list_of<must<key::as>>;
  struct attributes {
    dtype to = dtype::none;
    static constexpr void each(auto& a, auto&& f) { f("to", a.to); }
  };
  static constexpr attributes arguments(auto const& k, operand_types) { return {k[key::as{}].value}; }
  static constexpr int gradient(auto& g, int y, operand_nodes d, int);
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) { return {{a.to, in[0].shape}}; }
  template <class To, class V> static SINTER_HD constexpr auto convert(V v) { return element::lanes<V>::template cast<To>(v); }
};
// The operand itself: a copy to another place or another order.
struct identity : elementwise<identity, 1, domain::any> {
  static constexpr format_names formats{"_copy", "Identity"};
  static constexpr bool moves = true;
  static constexpr bool exact = true;
  static constexpr int flops = 0;
  static constexpr int gradient(auto&, int, operand_nodes d, int) { return d[0]; }
  template <class V> static SINTER_HD constexpr V eval(V v) { return v; }
};

using arithmetic_ops =
    list_of<add, subtract, multiply, divide, power, maximum, minimum, clip, negative, abs, square, equal, not_equal, lesser, lesser_equal,
            greater, greater_equal, logical_and, logical_or, logical_xor, logical_not, where, cast, identity>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(add, "(a, b)")
SINTER_OP(subtract, "(a, b)")
SINTER_OP(multiply, "(a, b)")
SINTER_OP(divide, "(a, b)")
SINTER_OP(power, "(a, b)")
SINTER_OP(maximum, "(a, b)")
SINTER_OP(minimum, "(a, b)")
SINTER_OP(clip, "(x, low, high)")
SINTER_OP(negative, "(x)")
SINTER_MATH_OP(abs, "(x)")
SINTER_OP(square, "(x)")
SINTER_MATH_OP(equal, "(a, b)")
SINTER_OP(not_equal, "(a, b)")
SINTER_OP(lesser, "(a, b)")
SINTER_OP(lesser_equal, "(a, b)")
SINTER_OP(greater, "(a, b)")
SINTER_OP(greater_equal, "(a, b)")
SINTER_OP(logical_and, "(a, b)")
SINTER_OP(logical_or, "(a, b)")
SINTER_OP(logical_xor, "(a, b)")
SINTER_OP(logical_not, "(x)")
SINTER_OP(where, "(condition, a, b)")
SINTER_OP(cast, "(x, as<float>)")
SINTER_OP(identity, "(x)")

// Gradients, behind the names of the operations that they are written with.
namespace sinter::ops::inline SINTER_ISA {

constexpr int add::gradient(auto&, int, operand_nodes d, int) { return d[0]; }
constexpr int subtract::gradient(auto& g, int, operand_nodes d, int i) { return i == 0 ? d[0] : make<negative>(g, d[0]); }
constexpr int multiply::gradient(auto& g, int y, operand_nodes d, int i) { return make<multiply>(g, d[0], operand_of(g, y, 1 - i)); }
constexpr int divide::gradient(auto& g, int y, operand_nodes d, int i) {
  int const part = make<divide>(g, d[0], operand_of(g, y, 1));
  return i == 0 ? part : make<negative>(g, make<multiply>(g, part, y));
}
constexpr int negative::gradient(auto& g, int, operand_nodes d, int) { return make<negative>(g, d[0]); }
constexpr int square::gradient(auto& g, int y, operand_nodes d, int) {
  return make<multiply>(g, d[0], make<multiply>(g, number_beside(g, y, 2), operand_of(g, y, 0)));
}
constexpr int cast::gradient(auto& g, int y, operand_nodes d, int) { return make<cast>(g, {g.nodes[operand_of(g, y, 0)].type.type}, d[0]); }
// Of the operand that is the result: of two equal ones the first.
constexpr int maximum::gradient(auto& g, int y, operand_nodes d, int i) {
  int const first = make<greater_equal>(g, operand_of(g, y, 0), operand_of(g, y, 1)), zero = number_beside(g, y, 0);
  return i == 0 ? make<where>(g, first, d[0], zero) : make<where>(g, first, zero, d[0]);
}
constexpr int minimum::gradient(auto& g, int y, operand_nodes d, int i) {
  int const first = make<lesser_equal>(g, operand_of(g, y, 0), operand_of(g, y, 1)), zero = number_beside(g, y, 0);
  return i == 0 ? make<where>(g, first, d[0], zero) : make<where>(g, first, zero, d[0]);
}
// At a bound it is that of x.
constexpr int clip::gradient(auto& g, int y, operand_nodes d, int i) {
  int const x = operand_of(g, y, 0), low = operand_of(g, y, 1), zero = number_beside(g, y, 0);
  int const above = make<greater>(g, make<maximum>(g, x, low), operand_of(g, y, 2));
  if (i == 2) return make<where>(g, above, d[0], zero);
  int const below = make<lesser>(g, x, low);
  return make<where>(g, above, zero, i == 0 ? make<where>(g, below, zero, d[0]) : make<where>(g, below, d[0], zero));
}
constexpr int abs::gradient(auto& g, int y, operand_nodes d, int) {  // 0 at 0
  int const x = operand_of(g, y, 0), zero = number_beside(g, y, 0);
  int const below = make<where>(g, make<lesser>(g, x, zero), make<negative>(g, d[0]), zero);
  return make<where>(g, make<greater>(g, x, zero), d[0], below);
}
constexpr int where::gradient(auto& g, int y, operand_nodes d, int i) {
  int const first = operand_of(g, y, 0), zero = number_beside(g, y, 0);
  if (i == 0) return -1;
  return i == 1 ? make<where>(g, first, d[0], zero) : make<where>(g, first, zero, d[0]);
}

}  // namespace sinter::ops::inline SINTER_ISA
