// SPDX-License-Identifier: Apache-2.0
// Random arrays. Each takes a key as an operand, so that a graph stays a function of its inputs.
#pragma once
#include "../core/random.hpp"
#include "movement.hpp"

namespace sinter::ops::inline SINTER_ISA {

// What dropout_mask becomes: the mask from the key alone, with its type among the attributes, so that nothing waits for x.
struct random_mask : opaque_op<random_mask> {
  static constexpr std::string_view name = "random_mask";
  static constexpr unsigned accepts = 0;
  static constexpr int arity = 1;
  static constexpr attributes of(std::int64_t p, array_type const& t) {
    attributes a{3 + t.shape.rank, {p, static_cast<std::int64_t>(t.type), t.shape.rank}};
    for (int i = 0; i < t.shape.rank; ++i) a.v[3 + i] = t.shape.d[i];
    return a;
  }
  static constexpr inferred infer(array_type const*, int, attributes const& a, dimension_table&) {
    inferred r{{static_cast<dtype>(a.v[1]), {}}};
    for (int i = 0; i < a.v[2]; ++i) r.type.shape.push(a.v[3 + i]);
    return r;
  }
  static constexpr std::int64_t items(attributes const&, dims const* shapes) { return shapes[0].size(); }
  template <class T, class I> static SINTER_HD constexpr void item(attributes const& a, share s, array_view<T> out,
                                                                   array_view<I const> key) {
    if (s.lane != 0) return;
    double const p = __builtin_bit_cast(double, a.v[0]);
    std::uint64_t const bits = static_cast<std::uint64_t>(key.data[0]);
    out.data[s.item] = random_uniform(bits, static_cast<std::uint64_t>(s.item)) < p ? T{} : static_cast<T>(1 / (1 - p));
  }
};

}  // namespace sinter::ops

SINTER_USER_OP(sinter::ops::random_mask);

namespace sinter::ops {

// dropout_mask(x, key, values<P>): of the shape and dtype of x; element i is 0 with probability P and 1 / (1 - P) otherwise. It is made of
// number i of `key` (int64, of rank 0) alone, whatever x holds. (Srivastava et al., JMLR 2014; scaled in training, as in Gluon.)
struct dropout_mask {
  static constexpr std::string_view name = "dropout_mask";
  static constexpr family kind = family::composite;
  static constexpr bool promotes = false;
  static constexpr unsigned accepts = keyword::values, needs = keyword::values;
  static constexpr int arity = 2, most_values = 1;
  static constexpr bool wants_arrays = true;
  static constexpr attributes arguments(settings const& s, array_type const*, int) {
    return {1, {std::bit_cast<std::int64_t>(s.values[0])}};
  }
  static constexpr inferred infer(array_type const* in, int, attributes const& a, dimension_table&) {
    double const p = std::bit_cast<double>(a.v[0]);
    if (!(p >= 0 && p < 1)) return {{}, problem::keyword_value, 0, 0};
    if (!is_floating(in[0].type)) return {{}, problem::wants_floating, 0, 0};
    if (in[1].type != dtype::int64) return {{}, problem::wants_integer, 1, 1};
    if (in[1].shape.rank != 0) return {{}, problem::shapes_differ, 0, 1};
    return {in[0]};
  }
  static constexpr int expand(graph& g, int const* in, int, attributes const& a) {
    return g.make(info<random_mask>, random_mask::of(a.v[0], g.nodes[in[0]].type), in[1]);
  }
};

using random_ops = list_of<dropout_mask>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(dropout_mask, "dropout_mask(x, key, values<0.5>)")
