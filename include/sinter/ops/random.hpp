// SPDX-License-Identifier: Apache-2.0
// Random arrays. Each takes a key as an operand, so that a graph stays a function of its inputs.
#pragma once
#include "../core/random.hpp"
#include "opaque.hpp"

namespace sinter::ops::inline SINTER_ISA {

// What dropout_mask is expanded to: a mask that is made from the key alone. Its type is an attribute, so that it need not wait for x.
struct random_mask : opaque_op<random_mask> {
  static constexpr std::string_view name = "random_mask";
  static constexpr int arity = 1;
  struct attributes {
    double probability = 0;
    dtype type = dtype::float32;
    dims shape;
    static constexpr void each(auto& a, auto&& f) { f("probability", a.probability), f("type", a.type), f("shape", a.shape); }
  };
  static constexpr inferred infer(operand_types, attributes const& a, dimension_table&) { return {{a.type, a.shape}}; }
  static constexpr std::int64_t items(attributes const&, dims const* shapes) { return shapes[0].size(); }
  template <class T, class I> static SINTER_HD constexpr void item(attributes const& a, share s, array_view<T> out,
                                                                   array_view<I const> key) {
    if (s.lane != 0) return;
    double const p = a.probability;
    std::uint64_t const bits = static_cast<std::uint64_t>(key.data[0]);
    out.data[s.item] = random_uniform(bits, static_cast<std::uint64_t>(s.item)) < p ? T{} : static_cast<T>(1 / (1 - p));
  }
};

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_USER_OP(sinter::ops::random_mask);

namespace sinter::ops::inline SINTER_ISA {

// dropout_mask(x, key, values<P>): of the shape and dtype of x; element i is 0 with probability P and 1 / (1 - P) otherwise. It depends on
// random number i of `key` (int64, of rank 0) alone, not on the values of x. (Srivastava et al., JMLR 2014; scaled in training, as in
// Gluon.)
struct dropout_mask {
  static constexpr std::string_view name = "dropout_mask";
  static constexpr family kind = family::composite;
  static constexpr bool promotes = false;
  static constexpr int arity = 2;
  static constexpr bool wants_arrays = true;
  using keywords = list_of<must<key::values, 1>>;
  struct attributes {
    double probability = 0;
    static constexpr void each(auto& a, auto&& f) { f("probability", a.probability); }
  };
  static constexpr attributes arguments(given<keywords> const& k, operand_types) { return {k[key::values{}].value.at[0].real}; }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    double const p = a.probability;
    if (!(p >= 0 && p < 1)) return {{}, problem::keyword_value, 0, 0};
    if (!is_floating(in[0].type)) return {{}, problem::wants_floating, 0, 0};
    if (in[1].type != dtype::int64) return {{}, problem::wants_integer, 1, 1};
    if (in[1].shape.rank != 0) return {{}, problem::shapes_differ, 0, 1};
    return {in[0]};
  }
  static constexpr int expand(graph& g, operand_nodes in, attributes const& a) {
    array_type const t = g.nodes[in[0]].type;
    return make<random_mask>(g, {a.probability, t.type, t.shape}, in[1]);
  }
};

using random_ops = list_of<dropout_mask>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(dropout_mask, "dropout_mask(x, key, values<0.5>)")
