// SPDX-License-Identifier: Apache-2.0
// Arrays made from nothing, or from a shape: arange and linspace, zeros, ones and full with their forms that take a shape from an operand,
// eye, one_hot.
#pragma once
#include "elementwise.hpp"
#include "opaque.hpp"
#include "view.hpp"

namespace sinter::ops::inline SINTER_ISA {

inline constexpr std::int64_t longest_array = std::int64_t{1} << 48;

// arange(values<start, stop, step>, as<T>): start, start + step, ... below stop; by default float32. A single value is `stop`, and start is
// 0.
struct arange : opaque_op<arange> {
  static constexpr format_names formats{"_arange", "Range"};
  static constexpr int arity = 0;
  using keywords = list_of<must<key::values, 3>, may<key::as>>;
  struct attributes {
    number start, stop, step;
    dtype type = dtype::float32;
    static constexpr void each(auto& a, auto&& f) { f("start", a.start), f("stop", a.stop), f("step", a.step), f("type", a.type); }
    SINTER_HD constexpr bool whole() const { return start.is_whole && stop.is_whole && step.is_whole; }
  };
  static constexpr attributes arguments(auto const& k, operand_types) {
    number_list const& v = k[key::values{}].value;
    attributes a{number(0), v.at[0], number(1), k[key::as{}].or_else(dtype::float32)};
    if (v.n > 1) a.start = v.at[0], a.stop = v.at[1];
    if (v.n > 2) a.step = v.at[2];
    return a;
  }
  static constexpr inferred infer(operand_types, attributes const& a, dimension_table&) {
    return a.whole() ? whole_numbers(a.type, a.start.whole, a.stop.whole, a.step.whole)
                     : real_numbers(a.type, a.start.real, a.stop.real, a.step.real);
  }
  static constexpr std::int64_t items(attributes const&, dims const* shapes) { return shapes[0].d[0]; }
  template <class T> static SINTER_HD constexpr T at(attributes const& a, std::int64_t i) {
    if (a.whole()) return static_cast<T>(element::add(a.start.whole, element::multiply(a.step.whole, i)));
    return static_cast<T>(math::mul(a.step.real, static_cast<double>(i)) + a.start.real);
  }
  template <class T> static SINTER_HD constexpr void item(attributes const& a, share s, array_view<T> out) {
    out.data[s.item] = at<T>(a, s.item);
  }

 private:
  static constexpr inferred whole_numbers(dtype t, std::int64_t start, std::int64_t stop, std::int64_t by) {
    if (by == 0) return {{}, problem::slice_range, 0, 0};
    if (by > 0 ? start >= stop : start <= stop) return {{t, {0}}};
    auto const low = static_cast<std::uint64_t>(by > 0 ? start : stop), high = static_cast<std::uint64_t>(by > 0 ? stop : start);
    std::uint64_t const unit = by > 0 ? static_cast<std::uint64_t>(by) : 0 - static_cast<std::uint64_t>(by), n = (high - low - 1) / unit;
    std::int64_t const last = element::add(start, element::multiply(by, static_cast<std::int64_t>(n)));
    if (n >= longest_array || !holds(t, start) || !holds(t, last)) return {{}, problem::keyword_value, 0, 0};
    return {{t, {static_cast<extent>(n) + 1}}};
  }
  static constexpr inferred real_numbers(dtype t, double start, double stop, double by) {
    if (by == 0) return {{}, problem::slice_range, 0, 0};
    auto const between = [](double v, double low, double high) { return (v >= low && v <= high) || (-v >= low && -v <= high); };
    if (!between(start, 0, 0x1p99) || !between(stop, 0, 0x1p99) || !between(by, 0x1p-99, 0x1p99)) return {{}, problem::keyword_value, 0, 0};
    double const n = math::ceil((stop - start) / by);
    if (n <= 0) return {{t, {0}}};
    if (n >= longest_array || !truncates(t, start) || !truncates(t, math::mul(by, n - 1) + start))
      return {{}, problem::keyword_value, 0, 0};
    return {{t, {static_cast<extent>(n)}}};
  }
  // Whether `t` has the integer that is left of `v` without its fraction; a type of floats takes every number.
  static constexpr bool truncates(dtype t, double v) {
    if (is_floating(t) || t == dtype::boolean) return holds(t, v);
    if (!(v >= -0x1p63 && v < 0x1p63)) return false;
    auto const n = static_cast<std::int64_t>(v);
    return n == low_bits(t, n);
  }
};

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(arange, "(values<0, 10, 2>, as<float>)")

namespace sinter::ops::inline SINTER_ISA {

// linspace(values<start, stop, n>, as<T>): n floats at equal distances, the first is start and the last stop.
struct linspace : opaque_op<linspace> {
  static constexpr format_names formats{"_linspace", ""};
  static constexpr int arity = 0;
  using keywords = list_of<must<key::values, 3>, may<key::as>>;
  struct attributes {
    double start = 0, stop = 0;
    number n;
    dtype type = dtype::float32;
    static constexpr void each(auto& a, auto&& f) { f("start", a.start), f("stop", a.stop), f("n", a.n), f("type", a.type); }
  };
  static constexpr attributes arguments(auto const& k, operand_types) {
    number_list const& v = k[key::values{}].value;
    return {v.at[0].real, v.at[1].real, v.n == 3 ? v.at[2] : number(-1), k[key::as{}].or_else(dtype::float32)};
  }
  static constexpr inferred infer(operand_types, attributes const& a, dimension_table&) {
    bool const numbers = math::abs(a.start) <= 0x1p99 && math::abs(a.stop) <= 0x1p99 && holds(a.type, a.start) && holds(a.type, a.stop);
    if (!a.n.is_whole || a.n.whole < 0 || a.n.whole >= longest_array || !numbers || !is_floating(a.type))
      return {{}, problem::keyword_value, 0, 0};
    return {{a.type, {static_cast<extent>(a.n.whole)}}};
  }
  static constexpr std::int64_t items(attributes const&, dims const* shapes) { return shapes[0].d[0]; }
  template <class T> static SINTER_HD constexpr T at(attributes const& a, std::int64_t i) {
    if (i > 0 && i == a.n.whole - 1) return static_cast<T>(a.stop);
    double const step = a.n.whole > 1 ? (a.stop - a.start) / static_cast<double>(a.n.whole - 1) : 0;
    return static_cast<T>(math::mul(step, static_cast<double>(i)) + a.start);
  }
  template <class T> static SINTER_HD constexpr void item(attributes const& a, share s, array_view<T> out) {
    out.data[s.item] = at<T>(a, s.item);
  }
};

// ---- filled with one number

// The type of a new array. Its extents are numbers, or names of dimensions that the network's inputs have.
struct array_attribute {
  dtype type = dtype::float32;
  dims shape;
  static constexpr void each(auto& a, auto&& f) { f("type", a.type), f("shape", a.shape); }
  constexpr bool is_array() const {
    bool numbers = true;
    for (int i = 0; i < shape.rank; ++i) {
      if (shape.d[i] < 0 && (shape.d[i] > -named_base || shape.d[i] == unknown_extent)) return false;
      numbers = numbers && shape.d[i] >= 0;
    }
    return !numbers || is_countable(shape);
  }
};
struct filled {
  static constexpr family kind = family::composite;
  static constexpr int arity = 0;
  struct attributes {
    number value;
    array_attribute array;
    static constexpr void each(auto& a, auto&& f) { f("value", a.value), array_attribute::each(a.array, f); }
  };
  static constexpr attributes with(number value, auto const& k) {
    return {value, {k[key::as{}].or_else(dtype::float32), k[key::into{}].value}};
  }
  static constexpr inferred infer(operand_types, attributes const& a, dimension_table&) {
    if (!a.array.is_array() || !a.value.fits(a.array.type)) return {{}, problem::keyword_value, 0, 0};
    return {{a.array.type, a.array.shape}};
  }
  static constexpr int expand(auto& g, operand_nodes, attributes const& a) {
    return g.fill(a.array.type, a.array.shape, a.value.bits(a.array.type));
  }
};
// zeros(into<2, 3>, as<T>): 0 everywhere; by default float32
struct zeros : filled {
  static constexpr format_names formats{"_zeros", ""};
  using keywords = list_of<must<key::into>, may<key::as>>;
  static constexpr attributes arguments(auto const& k, operand_types) { return with(number(0), k); }
};
// ones(into<2, 3>, as<T>): 1 everywhere; by default float32
struct ones : filled {
  static constexpr format_names formats{"_ones", ""};
  using keywords = list_of<must<key::into>, may<key::as>>;
  static constexpr attributes arguments(auto const& k, operand_types) { return with(number(1), k); }
};
// full(into<2, 3>, values<v>, as<T>): v everywhere; by default float32
struct full : filled {
  static constexpr bool moves = true;  // its number is rounded to its dtype at once
  static constexpr format_names formats{"_full", "ConstantOfShape"};
  using keywords = list_of<must<key::into>, must<key::values, 1>, may<key::as>>;
  static constexpr attributes arguments(auto const& k, operand_types) { return with(k[key::values{}].value.at[0], k); }
};

template <int Value> struct filled_like {
  static constexpr family kind = family::composite;
  static constexpr int arity = 1;
  static constexpr inferred infer(operand_types in, dimension_table&) { return {in[0]}; }
  static constexpr int expand(auto& g, operand_nodes in) {
    array_type const t = g.nodes[in[0]].type;
    return g.fill(t.type, t.shape, bits_of(t.type, Value));
  }
};
// zeros_like(x): the shape and dtype of x, filled with 0
struct zeros_like : filled_like<0> {
  static constexpr format_names formats{"zeros_like", ""};
};
// ones_like(x): the shape and dtype of x, filled with 1
struct ones_like : filled_like<1> {
  static constexpr format_names formats{"ones_like", ""};
};
// full_like(x, values<v>): the shape and dtype of x, filled with v
struct full_like {
  static constexpr bool moves = true;  // its number is rounded to its dtype at once
  static constexpr format_names formats{"_full_like", ""};
  static constexpr family kind = family::composite;
  static constexpr int arity = 1;
  using keywords = list_of<must<key::values, 1>>;
  struct attributes {
    number value;
    static constexpr void each(auto& a, auto&& f) { f("value", a.value); }
  };
  static constexpr attributes arguments(auto const& k, operand_types) { return {k[key::values{}].value.at[0]}; }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    if (!a.value.fits(in[0].type)) return {{}, problem::keyword_value, 0, 0};
    return {in[0]};
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    array_type const t = g.nodes[in[0]].type;
    return g.fill(t.type, t.shape, a.value.bits(t.type));
  }
};

// eye(into<3, 4>, as<T>): ones on the diagonal, zeros elsewhere; eye(into<3>) is square. By default float32.
struct eye {
  static constexpr format_names formats{"_eye", ""};
  static constexpr family kind = family::composite;
  static constexpr int arity = 0;
  using keywords = list_of<must<key::into>, may<key::as>>;
  using attributes = array_attribute;
  static constexpr attributes arguments(auto const& k, operand_types) {
    attributes a{k[key::as{}].or_else(dtype::float32), k[key::into{}].value};
    if (a.shape.rank == 1) a.shape.push(a.shape.d[0]);
    return a;
  }
  static constexpr inferred infer(operand_types, attributes const& a, dimension_table&) {
    if (a.shape.rank != 2 || a.shape.d[0] < 0 || a.shape.d[1] < 0 || !a.is_array()) return {{}, problem::keyword_value, 0, 0};
    return {{a.type, a.shape}};
  }
  static constexpr int expand(auto& g, operand_nodes, attributes const& a) {
    auto const numbers = [&](extent n) { return make<arange>(g, {number(0), number(n), number(1), dtype::int64}); };
    int const row = make<expand_dims>(g, {1}, numbers(a.shape.d[0]));
    return make<cast>(g, {a.type}, make<equal>(g, row, numbers(a.shape.d[1])));
  }
};

// one_hot(i, depth<N>, values<on, off>, as<T>): a new last axis that holds `on` at the index; an index out of range gives a row of `off`.
struct one_hot {
  static constexpr format_names formats{"one_hot", "OneHot"};
  static constexpr family kind = family::composite;
  static constexpr int arity = 1;
  using keywords = list_of<must<key::depth>, may<key::values, 2>, may<key::as>>;
  struct attributes {
    int depth = 0;
    number on{1}, off{0};
    dtype type = dtype::float32;
    static constexpr void each(auto& a, auto&& f) { f("depth", a.depth), f("on", a.on), f("off", a.off), f("type", a.type); }
  };
  static constexpr attributes arguments(auto const& k, operand_types) {
    number_list const& v = k[key::values{}].value;
    return {k[key::depth{}].value, v.n > 0 ? v.at[0] : number(1), v.n > 1 ? v.at[1] : number(0), k[key::as{}].or_else(dtype::float32)};
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    if (in[0].type == dtype::boolean || is_floating(in[0].type)) return {{}, problem::wants_integer, 0, 0};
    if (in[0].shape.rank == max_rank) return {{}, problem::too_many_dimensions, 0, 0};
    if (!a.on.fits(a.type) || !a.off.fits(a.type)) return {{}, problem::keyword_value, 0, 0};
    inferred r{{a.type, in[0].shape}};
    r.type.shape.push(a.depth);
    return r;
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    array_type const t = g.nodes[in[0]].type;
    int const column = make<expand_dims>(g, {t.shape.rank}, in[0]);
    int const steps = make<arange>(g, {number(0), number(a.depth), number(1), t.type});
    int const hit = make<equal>(g, column, steps);
    int const on = g.fill(a.type, dims{}, a.on.bits(a.type)), off = g.fill(a.type, dims{}, a.off.bits(a.type));
    return make<where>(g, hit, on, off);
  }
};

using creation_ops = list_of<arange, linspace, zeros, ones, full, zeros_like, ones_like, full_like, eye, one_hot>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(linspace, "(values<0, 1, 11>, as<float>)")
SINTER_OP(zeros, "(into<2, 3>, as<float>)")
SINTER_OP(ones, "(into<2, 3>, as<float>)")
SINTER_OP(full, "(into<2, 3>, values<0.5>, as<float>)")
SINTER_OP(zeros_like, "(x)")
SINTER_OP(ones_like, "(x)")
SINTER_OP(full_like, "(x, values<0.5>)")
SINTER_OP(eye, "(into<3, 3>, as<float>)")
SINTER_OP(one_hot, "(indices, depth<10>, values<1, 0>, as<float>)")
