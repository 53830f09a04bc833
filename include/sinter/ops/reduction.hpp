// SPDX-License-Identifier: Apache-2.0
// Over axes: `F.sum(x, axis<1>, keepdims)`; without an axis over all of them.
#pragma once
#include <limits>

#include "arguments.hpp"
#include "elementwise.hpp"
#include "view.hpp"

namespace sinter::ops::inline SINTER_ISA {

struct reduction_attributes {
  std::int64_t axes = 0;  // as bits
  bool keepdims = false;  // they stay with extent 1
  static constexpr void each(auto& a, auto&& f) { f("axes", a.axes), f("keepdims", a.keepdims); }
};
template <class Self> struct reduction {
  static constexpr family kind = family::reduction;
  static constexpr bool indexed = false;
  static constexpr int cost = 4;
  using attributes = reduction_attributes;
  using keywords = list_of<may<key::axis>, may<key::keepdims>, may<key::exclude>>;
  static constexpr int arity = 1;
  static constexpr bool wants_arrays = true;

  static constexpr attributes arguments(auto const& k, operand_types in) { return axes_and_keepdims(k, k[key::exclude{}].value, in); }
  static constexpr reduction_attributes axes_and_keepdims(auto const& k, bool exclude, operand_types in) {
    auto const& axes = k[key::axis{}];
    std::int64_t const every = (std::int64_t{1} << in[0].shape.rank) - 1;
    std::int64_t bits = axes.is_given ? axis_bits(axes.value, in[0].shape.rank) : every;
    if (bits >= 0 && axes.is_given && exclude) bits = every & ~bits;
    return {bits, k[key::keepdims{}].value};
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    if (a.axes < 0) return {{}, wrong_axis(a.axes), 0, 0};
    if (problem const p = Self::check(in[0].type); p != problem::none) return {{}, p, 0, 0};
    inferred r{{Self::result_in(in[0].type), {}}};
    for (int i = 0; i < in[0].shape.rank; ++i)
      if (!((a.axes >> i) & 1)) r.type.shape.push(in[0].shape.d[i]);
      else if (a.keepdims) r.type.shape.push(1);
    return r;
  }
  static constexpr problem check(dtype t) { return t == dtype::boolean ? problem::takes_no_bool : problem::none; }
  static constexpr dtype result_in(dtype t) { return Self::indexed ? dtype::int64 : t; }
};

// The least and the greatest integer of a dtype of fewer than 32 bits.
struct narrow_range {
  std::int64_t least, greatest;
  constexpr explicit narrow_range(dtype t)
      : least(t == dtype::uint8  ? 0
              : t == dtype::int8 ? -0x80
                                 : -0x8000),
        greatest(t == dtype::uint8 ? 0xff : -least - 1) {}
};
// The number that is less than all others of a dtype: -infinity, or the least integer.
constexpr std::uint64_t bits_of_lowest(dtype t) {
  if (is_floating(t)) return bits_of(t, -math::infinity<double>);
  return bits_of(t, t == dtype::int64 ? math::lowest<std::int64_t>
                    : is_narrow(t)    ? narrow_range(t).least
                                      : std::int64_t{math::lowest<std::int32_t>});
}

// A kernel folds elements into `start` with `combine`, lanes into one with `across`, and ends with `finish(value, count)`.
struct sum : reduction<sum> {
  static constexpr format_names formats{"sum", "ReduceSum"};
  static constexpr dtype result_in(dtype t) { return summed_in(t); }
  static constexpr int gradient(auto& g, int y, operand_nodes d, int i);
  template <class T> static SINTER_HD constexpr T start() { return T(0); }
  template <class V> static SINTER_HD constexpr V combine(V a, V b) { return element::add(a, b); }
  template <class V> static SINTER_HD constexpr auto across(V const& v) { return reduce_add(v); }
  template <class V> static SINTER_HD constexpr V finish(V const& v, std::int64_t) { return v; }
};
// The sum divided by the count; of no elements it is NaN.
struct mean : sum {
  static constexpr format_names formats{"mean", "ReduceMean"};
  static constexpr int gradient(auto& g, int y, operand_nodes d, int);
  template <class V> static SINTER_HD constexpr V finish(V const& v, std::int64_t n) {
    using lanes = element::lanes<V>;
    using T = typename lanes::type;
    if constexpr (std::is_floating_point_v<T>)
      if (n == 0) return lanes::splat(math::nan<T>);
    return v / lanes::splat(static_cast<T>(n));
  }
  static constexpr problem check(dtype t) { return is_floating(t) ? problem::none : problem::wants_floating; }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table& t) {
    if (problem const p = check(in[0].type); p != problem::none) return {{}, p, 0, 0};
    return sum::infer(in, a, t);
  }
};
// A NaN is the maximum of its row; of no elements it is the lowest number (-infinity).
struct max : reduction<max> {
  static constexpr format_names formats{"max", "ReduceMax"};
  static constexpr int gradient(auto& g, int y, operand_nodes d, int);
  template <class T> static SINTER_HD constexpr T start() {
    if constexpr (std::is_floating_point_v<T>) return -math::infinity<T>;
    else return math::lowest<T>;
  }
  static constexpr int narrowed(auto& g, int done, dtype t) {
    if (is_floating(t)) return done;
    return make<maximum>(g, done, g.scalar(computed_in(t), static_cast<double>(narrow_range(t).least)));
  }
  template <class V> static SINTER_HD constexpr V combine(V a, V b) { return element::maximum(a, b); }
  template <class V> static SINTER_HD constexpr auto across(V const& v) { return reduce_max(v); }
  template <class V> static SINTER_HD constexpr V finish(V const& v, std::int64_t) { return v; }
};
// A NaN is the minimum of its row; of no elements it is the highest number (infinity).
struct min : reduction<min> {
  static constexpr format_names formats{"min", "ReduceMin"};
  static constexpr int gradient(auto& g, int y, operand_nodes d, int);
  template <class T> static SINTER_HD constexpr T start() {
    if constexpr (std::is_floating_point_v<T>) return math::infinity<T>;
    else return math::greatest<T>;
  }
  static constexpr int narrowed(auto& g, int done, dtype t) {
    if (is_floating(t)) return done;
    return make<minimum>(g, done, g.scalar(computed_in(t), static_cast<double>(narrow_range(t).greatest)));
  }
  template <class V> static SINTER_HD constexpr V combine(V a, V b) { return element::minimum(a, b); }
  template <class V> static SINTER_HD constexpr auto across(V const& v) { return reduce_min(v); }
  template <class V> static SINTER_HD constexpr V finish(V const& v, std::int64_t) { return v; }
};
// The product, of no elements 1. Integers wrap around.
struct prod : reduction<prod> {
  static constexpr format_names formats{"prod", "ReduceProd"};
  static constexpr int gradient(auto& g, int y, operand_nodes d, int);
  static constexpr dtype result_in(dtype t) { return summed_in(t); }
  template <class T> static SINTER_HD constexpr T start() { return T(1); }
  template <class V> static SINTER_HD constexpr V combine(V a, V b) { return element::multiply(a, b); }
  template <class V> static SINTER_HD constexpr auto across(V const& v) { return reduce_multiply(v); }
  template <class V> static SINTER_HD constexpr V finish(V const& v, std::int64_t) { return v; }
};
// The position of the first maximum, as int64; a NaN counts as a maximum. Over one axis, or over all of them in row-major order.
struct argmax : reduction<argmax> {
  static constexpr format_names formats{"argmax", "ArgMax"};
  static constexpr bool indexed = true;
  using keywords = list_of<may<key::axis, 1>, may<key::keepdims>>;
  static constexpr attributes arguments(auto const& k, operand_types in) { return axes_and_keepdims(k, false, in); }
  template <class T> static SINTER_HD constexpr T start() { return max::start<T>(); }
  // Whether `v` replaces the best so far.
  template <class V> static SINTER_HD constexpr auto better(V v, V best) { return (v > best) | ((v != v) & (best == best)); }
};
// The same of the first minimum; a NaN counts as one.
struct argmin : reduction<argmin> {
  static constexpr format_names formats{"argmin", "ArgMin"};
  static constexpr bool indexed = true;
  using keywords = argmax::keywords;
  static constexpr attributes arguments(auto const& k, operand_types in) { return argmax::arguments(k, in); }
  template <class T> static SINTER_HD constexpr T start() { return min::start<T>(); }
  template <class V> static SINTER_HD constexpr auto better(V v, V best) { return (v < best) | ((v != v) & (best == best)); }
};

using reduction_ops = list_of<sum, mean, max, min, prod, argmax, argmin>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(sum, "(x, axis<1>, keepdims, exclude)")
SINTER_OP(mean, "(x, axis<1>, keepdims, exclude)")
SINTER_MATH_OP(max, "(x, axis<1>, keepdims, exclude)")
SINTER_MATH_OP(min, "(x, axis<1>, keepdims, exclude)")
SINTER_OP(prod, "(x, axis<1>, keepdims, exclude)")
SINTER_OP(argmax, "(x, axis<1>, keepdims)")
SINTER_OP(argmin, "(x, axis<1>, keepdims)")

namespace sinter::ops::inline SINTER_ISA {

// What stands for a result of reduction y in the shape that it has with keepdims.
constexpr int with_axes_of(auto& g, int y, int node) {
  auto const a = unpack<reduction_attributes>(g.words_of(g.nodes[y]));
  dims s = g.nodes[operand_of(g, y, 0)].type.shape;
  for (int i = 0; i < s.rank; ++i)
    if ((a.axes >> i) & 1) s.d[i] = 1;
  return s == g.nodes[node].type.shape ? node : make<reshape>(g, {s}, node);
}
// Beside each element of the operand of reduction y, which may have another dtype, what stands for its result.
constexpr int beside_elements(auto& g, int y, int node) {
  return make<broadcast_to>(g, {g.nodes[operand_of(g, y, 0)].type.shape}, with_axes_of(g, y, node));
}
constexpr int sum::gradient(auto& g, int y, operand_nodes d, int) { return beside_elements(g, y, d[0]); }
// How many elements reduction y folds into one, less `fewer`: a number, or where an extent is dynamic as many ones, added.
constexpr int count_of(auto& g, int y, int fewer = 0) {
  int const x = operand_of(g, y, 0);
  auto const a = unpack<reduction_attributes>(g.words_of(g.nodes[y]));
  array_type const t = g.nodes[x].type;
  size n{1, 0};
  for (int i = 0; i < t.shape.rank; ++i)
    if ((a.axes >> i) & 1) n = n * g.dimensions.size_of(t.shape.d[i]);
  if (n.fixed()) return number_beside(g, x, static_cast<double>(n.k - fewer));
  return make<sum>(g, {a.axes, true}, g.fill(t.type, t.shape, bits_of(t.type, 1)));
}
constexpr int mean::gradient(auto& g, int y, operand_nodes d, int) {
  return beside_elements(g, y, make<divide>(g, with_axes_of(g, y, d[0]), count_of(g, y)));
}
// Elements that are all the greatest share the gradient, as in JAX and PyTorch's amax.
constexpr int of_chosen(auto& g, int y, int d) {
  int const x = operand_of(g, y, 0), chosen = make<equal>(g, x, with_axes_of(g, y, y));
  auto const a = unpack<reduction_attributes>(g.words_of(g.nodes[y]));
  int const ones = make<where>(g, chosen, number_beside(g, x, 1), number_beside(g, x, 0));
  int const part = make<divide>(g, with_axes_of(g, y, d), make<sum>(g, {a.axes, true}, ones));
  return make<multiply>(g, ones, part);
}
constexpr int max::gradient(auto& g, int y, operand_nodes d, int) { return of_chosen(g, y, d[0]); }
constexpr int min::gradient(auto& g, int y, operand_nodes d, int) { return of_chosen(g, y, d[0]); }
// The product of the others: the result over the element; where one element is zero only its own, the product of those that are not.
constexpr int prod::gradient(auto& g, int y, operand_nodes d, int) {
  int const x = operand_of(g, y, 0), zero = number_beside(g, x, 0), one = number_beside(g, x, 1);
  auto const a = unpack<reduction_attributes>(g.words_of(g.nodes[y]));
  int const is_zero = make<equal>(g, x, zero), whole = make<where>(g, is_zero, one, x);
  int const zeros = make<sum>(g, {a.axes, true}, make<where>(g, is_zero, one, zero)), others = make<prod>(g, {a.axes, true}, whole);
  int const none = make<equal>(g, zeros, zero), alone = make<logical_and>(g, is_zero, make<equal>(g, zeros, one));
  int const factor = make<where>(g, none, make<divide>(g, others, whole), make<where>(g, alone, others, zero));
  return make<multiply>(g, with_axes_of(g, y, d[0]), factor);
}

}  // namespace sinter::ops::inline SINTER_ISA
