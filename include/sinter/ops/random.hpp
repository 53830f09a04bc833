// SPDX-License-Identifier: Apache-2.0
// Random arrays. Each takes a key as an operand, so that a graph stays a function of its inputs.
#pragma once
#include <limits>

#include "../core/random.hpp"
#include "creation.hpp"
#include "movement.hpp"
#include "order.hpp"

namespace sinter::ops::inline SINTER_ISA {

// Element i of the result is at(attributes, key, i): it depends on random number i of the key alone.
template <class Self> struct from_key : opaque_op<Self> {
  static constexpr int arity = 1;
  static constexpr bool flat = true;
  template <class A> static constexpr std::int64_t items(A const&, dims const* shapes) { return shapes[0].size(); }
  template <class A, class T, class I> static SINTER_HD constexpr void item(A const& a, share s, array_view<T> out,
                                                                            array_view<I const> key) {
    out.data[s.item] = Self::template at<T>(a, static_cast<std::uint64_t>(key.data[0]), static_cast<std::uint64_t>(s.item));
  }
};

// What dropout_mask is expanded to: a mask that is made from the key alone. Its type is an attribute, so that it need not wait for x.
struct random_mask : from_key<random_mask> {
  static constexpr std::string_view name = "random_mask";
  struct attributes {
    double probability = 0;
    dtype type = dtype::float32;
    dims shape;
    static constexpr void each(auto& a, auto&& f) { f("probability", a.probability), f("type", a.type), f("shape", a.shape); }
  };
  static constexpr inferred infer(operand_types, attributes const& a, dimension_table&) { return {{a.type, a.shape}}; }
  template <class T> static SINTER_HD constexpr T at(attributes const& a, std::uint64_t key, std::uint64_t i) {
    return uniform_number(key, i) < a.probability ? T{} : static_cast<T>(1 / (1 - a.probability));
  }
};

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_USER_OP(sinter::ops::random_mask);

namespace sinter::ops::inline SINTER_ISA {

// dropout_mask(x, key, values<P>): of the shape and dtype of x; element i is 0 with probability P and 1 / (1 - P) otherwise. It depends on
// random number i of `key` (int64, of rank 0) alone, not on the values of x. (Srivastava et al., JMLR 2014; scaled in training, as in
// Gluon.)
struct dropout_mask {
  static constexpr family kind = family::composite;
  static constexpr bool promotes = false;
  static constexpr int arity = 2;
  static constexpr bool wants_arrays = true;
  using keywords = list_of<must<key::values, 1>>;
  struct attributes {
    double probability = 0;
    static constexpr void each(auto& a, auto&& f) { f("probability", a.probability); }
  };
  static constexpr attributes arguments(auto const& k, operand_types) { return {k[key::values{}].value.at[0].real}; }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    double const p = a.probability;
    if (!(p >= 0 && p < 1)) return {{}, problem::keyword_value, 0, 0};
    if (!is_floating(in[0].type)) return {{}, problem::wants_floating, 0, 0};
    if (in[1].type != dtype::int64 || in[1].shape.rank != 0) return {{}, problem::wants_key, 1, 1};
    return {in[0]};
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    array_type const t = g.nodes[in[0]].type;
    return make<random_mask>(g, {a.probability, t.type, t.shape}, in[1]);
  }
};

// ---- arrays of random numbers, from a key (int64, of rank 0)

template <class Self> struct random_numbers : from_key<Self> {
  static constexpr bool wants_arrays = true;
  using keywords = list_of<must<key::into>, may<key::values, 2>, may<key::as>>;
  struct attributes {
    number a, b;  // the two values, as the operation reads them
    array_attribute array;
    static constexpr void each(auto& s, auto&& f) { f("a", s.a), f("b", s.b), array_attribute::each(s.array, f); }
  };
  static constexpr attributes arguments(auto const& k, operand_types) {
    number_list const& v = k[key::values{}].value;
    attributes r{number(0), number(1), {k[key::as{}].or_else(Self::by_default), k[key::into{}].value}};
    if (v.n == 2) r.a = v.at[0], r.b = v.at[1];
    // One value alone is not said to be the first or the second: NaN, which no operation takes.
    if (v.n == 1) r.a = number(std::numeric_limits<double>::quiet_NaN());
    return r;
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    if (in[0].type != dtype::int64 || in[0].shape.rank != 0) return {{}, problem::wants_key, 0, 0};
    bool const is_none = math::isnan(a.a.real) || math::isnan(a.b.real);  // which nvcc compares with nothing in a constant expression
    if (is_none || !a.array.is_array() || !Self::takes(a)) return {{}, problem::keyword_value, 0, 0};
    return {{a.array.type, a.array.shape}};
  }
};
// random_uniform(key, into<2, 3>, values<low, high>, as<T>): floats between low and high, by default 0 and 1. High itself can only come from
// rounding.
struct random_uniform : random_numbers<random_uniform> {
  static constexpr format_names formats{"_random_uniform", ""};
  static constexpr dtype by_default = dtype::float32;
  static constexpr bool takes(attributes const& a) {
    return is_floating(a.array.type) && a.a.real > -0x1p99 && a.b.real < 0x1p99 && a.a.real <= a.b.real && holds(a.array.type, a.a.real) &&
           holds(a.array.type, a.b.real);
  }
  template <class T> static SINTER_HD constexpr T at(attributes const& a, std::uint64_t key, std::uint64_t i) {
    return static_cast<T>(a.a.real + math::mul(a.b.real - a.a.real, uniform_number(key, i)));
  }
};
// random_normal(key, into<2, 3>, values<mean, deviation>, as<T>): normally distributed floats, by default with mean 0 and deviation 1.
struct random_normal : random_numbers<random_normal> {
  static constexpr format_names formats{"_random_normal", ""};
  static constexpr dtype by_default = dtype::float32;
  static constexpr bool takes(attributes const& a) {
    // Normal numbers lie within 16 deviations.
    return is_floating(a.array.type) && math::abs(a.a.real) < 0x1p99 && a.b.real >= 0 && a.b.real < 0x1p99 &&
           holds(a.array.type, math::abs(a.a.real) + 16 * a.b.real);
  }
  template <class T> static SINTER_HD constexpr T at(attributes const& a, std::uint64_t key, std::uint64_t i) {
    return static_cast<T>(a.a.real + math::mul(a.b.real, normal_number(key, i)));
  }
};
// random_randint(key, into<2, 3>, values<low, high>, as<T>): integers from low on and below high; by default int64.
struct random_randint : random_numbers<random_randint> {
  static constexpr format_names formats{"_random_randint", ""};
  using keywords = list_of<must<key::into>, must<key::values, 2>, may<key::as>>;
  static constexpr dtype by_default = dtype::int64;
  static constexpr bool takes(attributes const& a) {
    dtype const t = a.array.type;
    return t != dtype::boolean && !is_floating(t) && a.a.is_whole && a.b.is_whole && a.a.whole < a.b.whole && holds(t, a.a.whole) &&
           holds(t, a.b.whole - 1);
  }
  template <class T> static SINTER_HD constexpr T at(attributes const& a, std::uint64_t key, std::uint64_t i) {
    std::uint64_t const low = static_cast<std::uint64_t>(a.a.whole), n = static_cast<std::uint64_t>(a.b.whole) - low;
    return static_cast<T>(static_cast<std::int64_t>(low + number_below(n, key, i)));
  }
};

// Keys that shuffle sorts by: the bits of random number i, all of which differ.
struct random_order : from_key<random_order> {
  static constexpr std::string_view name = "random_order";
  struct attributes {
    dims shape;
    static constexpr void each(auto& a, auto&& f) { f("shape", a.shape); }
  };
  static constexpr inferred infer(operand_types, attributes const& a, dimension_table&) { return {{dtype::int64, a.shape}}; }
  template <class T> static SINTER_HD constexpr T at(attributes const&, std::uint64_t key, std::uint64_t i) {
    return static_cast<T>(random_bits(key, i));
  }
};

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_USER_OP(sinter::ops::random_order);

namespace sinter::ops::inline SINTER_ISA {

// shuffle(x, key): the parts of x along its first axis in another order, each order as likely as any other: that of as many random numbers.
struct shuffle {
  static constexpr format_names formats{"_shuffle", ""};
  static constexpr family kind = family::composite;
  static constexpr bool moves = true;
  static constexpr bool promotes = false;
  static constexpr int arity = 2;
  static constexpr bool wants_arrays = true;
  static constexpr inferred infer(operand_types in, dimension_table&) {
    if (in[0].shape.rank == 0) return {{}, problem::no_such_axis, 0, 0};
    if (in[1].type != dtype::int64 || in[1].shape.rank != 0) return {{}, problem::wants_key, 1, 1};
    return {in[0]};
  }
  static constexpr int expand(auto& g, operand_nodes in) {
    int const numbers = make<random_order>(g, {{g.nodes[in[0]].type.shape.d[0]}}, in[1]);
    return make<take>(g, {0}, in[0], make<argsort>(g, {0, true}, numbers));
  }
};

using random_ops = list_of<dropout_mask, random_uniform, random_normal, random_randint, shuffle>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(dropout_mask, "(x, key, values<0.5>)")
SINTER_OP(random_uniform, "(key, into<2, 3>, values<0, 1>, as<float>)")
SINTER_OP(random_normal, "(key, into<2, 3>, values<0, 1>, as<float>)")
SINTER_OP(random_randint, "(key, into<2, 3>, values<0, 10>, as<int>)")
SINTER_OP(shuffle, "(x, key)")
