// SPDX-License-Identifier: Apache-2.0
// Rounding to whole numbers, signs, predicates and division with remainder. NaN, infinities and zeros are treated as NumPy treats them.
#pragma once
#include "elementwise.hpp"

namespace sinter::ops::inline SINTER_ISA {

template <class V> inline constexpr bool of_integers = std::is_integral_v<typename element::lanes<V>::type>;

// An integer is its own result. Zeros keep their sign, and what is rounded to zero has that of x.
template <class Self> struct rounding : elementwise<Self, 1> {
  static constexpr bool exact = true, idempotent = true, flat = true;
  template <class V> static SINTER_HD constexpr V eval(V x) {
    if constexpr (of_integers<V>) return x;
    else return Self::rounded(x);
  }
};
struct floor : rounding<floor> {
  static constexpr format_names formats{"floor", "Floor"};
  template <class V> static SINTER_HD constexpr V rounded(V x) { return element::floor(x); }
};
struct ceil : rounding<ceil> {
  static constexpr format_names formats{"ceil", "Ceil"};
  template <class V> static SINTER_HD constexpr V rounded(V x) { return element::ceil(x); }
};
// Towards zero.
struct trunc : rounding<trunc> {
  static constexpr format_names formats{"trunc", ""};
  template <class V> static SINTER_HD constexpr V rounded(V x) { return element::trunc(x); }
};
// To the nearest integer, halves to the even one. MXNet's `rint` takes halves down, and its `round` away from zero.
struct rint : rounding<rint> {
  static constexpr format_names formats{"", ""};
  template <class V> static SINTER_HD constexpr V rounded(V x) { return element::rint(x); }
};
// The same: NumPy has both names.
struct round : rounding<round> {
  static constexpr format_names formats{"", "Round"};
  template <class V> static SINTER_HD constexpr V rounded(V x) { return element::rint(x); }
};

// -1, 0 or 1; NaN of NaN, and 0 of -0.
struct sign : elementwise<sign, 1> {
  static constexpr format_names formats{"sign", "Sign"};
  static constexpr bool exact = true, idempotent = true, flat = true;
  template <class V> static SINTER_HD constexpr V eval(V x) {
    V const zero = element::number<V>(0), rest = element::select(x == x, zero, x);
    return element::select(x < zero, element::number<V>(-1), element::select(x > zero, element::number<V>(1), rest));
  }
};
struct reciprocal : elementwise<reciprocal, 1, domain::floating> {
  static constexpr format_names formats{"reciprocal", "Reciprocal"};
  static constexpr int divisor = 0;
  static constexpr bool exact = true;
  static constexpr int cost = 6;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int) {
    return make<negative>(g, make<multiply>(g, d[0], make<square>(g, y)));
  }
  template <class V> static SINTER_HD constexpr V eval(V x) { return element::number<V>(1) / x; }
};

template <class Self> struct predicate : elementwise<Self, 1> {
  static constexpr bool truth = true, exact = true;
};
struct isnan : predicate<isnan> {
  static constexpr format_names formats{"isnan", "IsNaN"};
  template <class V> static SINTER_HD constexpr auto eval(V x) { return x != x; }
};
struct isinf : predicate<isinf> {
  static constexpr format_names formats{"isinf", "IsInf"};
  template <class V> static SINTER_HD constexpr auto eval(V x) {
    using T = typename element::lanes<V>::type;
    if constexpr (of_integers<V>) return x != x;
    else return element::abs(x) == element::lanes<V>::splat(math::infinity<T>);
  }
};
struct isfinite : predicate<isfinite> {
  static constexpr format_names formats{"isfinite", ""};
  template <class V> static SINTER_HD constexpr auto eval(V x) {
    using T = typename element::lanes<V>::type;
    if constexpr (of_integers<V>) return x == x;
    else return element::abs(x) < element::lanes<V>::splat(math::infinity<T>);
  }
};

// mod(a, b): what is left of a, with the sign of b; rounded where a has another. Of integers it is 0 where b is.
struct mod : elementwise<mod, 2> {
  static constexpr format_names formats{"broadcast_mod", "Mod"};
  static constexpr int divisor = 1;
  static constexpr bool exact = true;
  static constexpr int cost = 200;
  static constexpr int gradient(auto& g, int y, operand_nodes d, int i);
  template <class T> static SINTER_HD constexpr T one(T a, T b) { return math::mod(a, b); }
  template <class V> static SINTER_HD constexpr V eval(V a, V b) { return element::each<mod>(a, b); }
};
// floor_divide(a, b): the whole number below the quotient. Of integers it is 0 where b is.
struct floor_divide : elementwise<floor_divide, 2> {
  static constexpr format_names formats{"", ""};
  static constexpr int divisor = 1;
  static constexpr bool exact = true, flat = true;
  static constexpr int cost = 200;
  template <class T> static SINTER_HD constexpr T one(T a, T b) { return math::floor_divide(a, b); }
  template <class V> static SINTER_HD constexpr V eval(V a, V b) { return element::each<floor_divide>(a, b); }
};

using rounding_ops = list_of<floor, ceil, trunc, rint, round, sign, reciprocal, isnan, isinf, isfinite, mod, floor_divide>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_MATH_OP(floor, "(x)")
SINTER_MATH_OP(ceil, "(x)")
SINTER_MATH_OP(trunc, "(x)")
SINTER_MATH_OP(rint, "(x)")
SINTER_MATH_OP(round, "(x)")
SINTER_OP(sign, "(x)")
SINTER_OP(reciprocal, "(x)")
SINTER_MATH_OP(isnan, "(x)")
SINTER_MATH_OP(isinf, "(x)")
SINTER_MATH_OP(isfinite, "(x)")
SINTER_OP(mod, "(a, b)")
SINTER_OP(floor_divide, "(a, b)")

namespace sinter::ops::inline SINTER_ISA {

// a - b floor(a / b)
constexpr int mod::gradient(auto& g, int y, operand_nodes d, int i) {
  if (i == 0) return d[0];
  return make<negative>(g, make<multiply>(g, d[0], make<floor_divide>(g, operand_of(g, y, 0), operand_of(g, y, 1))));
}

}  // namespace sinter::ops::inline SINTER_ISA
