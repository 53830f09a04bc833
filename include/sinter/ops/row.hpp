// SPDX-License-Identifier: Apache-2.0
// Softmax and layer norm: written with reductions and elementwise operations, which fusion makes one kernel over rows again.
#pragma once
#include "reduction.hpp"
#include "transcendental.hpp"
#include "view.hpp"

namespace sinter::ops::inline SINTER_ISA {

struct row_op {
  static constexpr family kind = family::composite;
  static constexpr int arity = 1;
  static constexpr bool wants_arrays = true;
  using keywords = list_of<may<key::axis, 1>>;
  using attributes = axis_attribute;
  static constexpr attributes arguments(auto const& k, operand_types in) { return {place(k[key::axis{}], -1, in[0].shape.rank)}; }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) { return infer_along(in, a.axis); }
  static constexpr inferred infer_along(operand_types in, int axis) {
    if (!is_floating(in[0].type)) return {{}, problem::wants_floating, 0, 0};
    if (axis < 0) return {{}, problem::no_such_axis, 0, 0};
    return {in[0]};
  }
  static constexpr reduction_attributes over(int axis) { return {std::int64_t{1} << axis, true}; }
};
// exp(x - max) / sum(exp(x - max)) along an axis, by default the last
struct softmax : row_op {
  static constexpr format_names formats{"softmax", "Softmax"};
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    int const shifted = make<subtract>(g, in[0], make<max>(g, over(a.axis), in[0]));
    int const e = make<exp>(g, shifted);
    int const one = g.scalar(g.nodes[in[0]].type.type, 1);
    return make<multiply>(g, e, make<divide>(g, one, make<sum>(g, over(a.axis), e)));
  }
  // y (d - sum(d y))
  static constexpr int gradient(auto& g, int y, operand_nodes d, int) {
    auto const along = over(unpack<attributes>(g.words_of(g.nodes[y])).axis);
    return make<multiply>(g, y, make<subtract>(g, d[0], make<sum>(g, along, make<multiply>(g, d[0], y))));
  }
};
// x - max - log(sum(exp(x - max)))
struct log_softmax : row_op {
  static constexpr format_names formats{"log_softmax", "LogSoftmax"};
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    int const shifted = make<subtract>(g, in[0], make<max>(g, over(a.axis), in[0]));
    int const total = make<sum>(g, over(a.axis), make<exp>(g, shifted));
    return make<subtract>(g, shifted, make<log>(g, total));
  }
  // d - exp(y) sum(d)
  static constexpr int gradient(auto& g, int y, operand_nodes d, int) {
    auto const along = over(unpack<attributes>(g.words_of(g.nodes[y])).axis);
    return make<subtract>(g, d[0], make<multiply>(g, make<exp>(g, y), make<sum>(g, along, d[0])));
  }
};
struct norm_attributes {
  int axis = 0;
  double eps = 1e-5;
  static constexpr void each(auto& a, auto&& f) { f("axis", a.axis), f("eps", a.eps); }
};
// (x - mean) / sqrt(variance + eps) over some axes: what layer_norm and others are made of.
struct standardised {
  static constexpr std::string_view name = "standardised";
  static constexpr family kind = family::composite;
  static constexpr int arity = 1;
  struct attributes {
    reduction_attributes over;
    double eps = 1e-5;
    static constexpr void each(auto& a, auto&& f) { reduction_attributes::each(a.over, f), f("eps", a.eps); }
  };
  static constexpr inferred infer(operand_types in, attributes const&, dimension_table&) { return {in[0]}; }
  static constexpr int centred(auto& g, int x, attributes const& a) { return make<subtract>(g, x, make<mean>(g, a.over, x)); }
  // 1 / sqrt(variance + eps)
  static constexpr int scale(auto& g, int centred_, attributes const& a) {
    int const variance = make<mean>(g, a.over, make<square>(g, centred_));
    return make<rsqrt>(g, make<add>(g, variance, g.scalar(g.nodes[centred_].type.type, a.eps)));
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    int const from_mean = centred(g, in[0], a);
    return make<multiply>(g, from_mean, scale(g, from_mean, a));
  }
  // (d - mean(d) - y mean(d y)) / sqrt(variance + eps)
  static constexpr int gradient(auto& g, int y, operand_nodes d, int) {
    auto const a = unpack<attributes>(g.words_of(g.nodes[y]));
    int const along = make<mean>(g, a.over, make<multiply>(g, d[0], y));
    int const apart = make<subtract>(g, make<subtract>(g, d[0], make<mean>(g, a.over, d[0])), make<multiply>(g, y, along));
    return make<multiply>(g, apart, scale(g, centred(g, operand_of(g, y, 0), a), a));
  }
};
// What normalisations share: x and vectors of the extent of one axis.
struct norm_op : row_op {
  using keywords = list_of<may<key::axis, 1>, may<key::eps>>;
  using attributes = norm_attributes;
  static constexpr attributes along_axis(auto const& k, operand_types in, int otherwise) {
    return {place(k[key::axis{}], otherwise, in[0].shape.rank), k[key::eps{}].or_else(1e-5)};
  }
  static constexpr inferred infer_with(operand_types in, int axis, double eps) {
    inferred const r = infer_along(in, axis);
    if (r.what != problem::none) return r;
    if (!holds(in[0].type, eps)) return {{}, problem::keyword_value, 0, 0};
    for (int i = 1; i < in.n; ++i) {
      if (in[i].type != in[0].type) return {{}, problem::mixed_dtypes, 0, i};
      if (in[i].shape.rank != 1 || in[i].shape.d[0] != in[0].shape.d[axis]) return {{}, problem::shapes_differ, 0, i};
    }
    return r;
  }
  static constexpr void complete_along(list<array_type>& in, int axis) {
    if (axis < 0 || axis >= in[0].shape.rank) return;
    for (int i = 1; i < in.size(); ++i)
      if (in[i].shape.rank < 0 || in[i].shape == dims{unknown_extent}) in[i].shape = {in[0].shape.d[axis]};
  }
  static constexpr int eps_beside(auto& g, int x, double eps) { return g.scalar(g.nodes[x].type.type, eps); }
  // The axes of an array from `first` on.
  static constexpr reduction_attributes from(int first, int rank) { return {(std::int64_t{1} << rank) - (std::int64_t{1} << first), true}; }
  // x * gamma + beta along an axis
  static constexpr int scaled(auto& g, int x, int gamma, int beta, int axis) {
    int const rank = g.nodes[x].type.shape.rank;
    return make<add>(g, make<multiply>(g, x, vector_along(g, gamma, axis, rank)), vector_along(g, beta, axis, rank));
  }
};
// layer_norm(x, gamma, beta, axis<-1>, eps<1e-5>): (x - mean) / sqrt(variance + eps) * gamma + beta (Ba et al., arXiv 1607.06450);
// gamma and beta have the extent of the axis.
struct layer_norm : norm_op {
  static constexpr format_names formats{"LayerNorm", "LayerNormalization"};
  static constexpr int arity = 3;
  static constexpr attributes arguments(auto const& k, operand_types in) { return along_axis(k, in, -1); }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) { return infer_with(in, a.axis, a.eps); }
  static constexpr void complete(list<array_type>& in, attributes const& a) { complete_along(in, a.axis); }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    return scaled(g, make<standardised>(g, {over(a.axis), a.eps}, in[0]), in[1], in[2], a.axis);
  }
};

using row_ops = list_of<softmax, log_softmax, layer_norm>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_USER_OP(sinter::ops::standardised);
SINTER_OP(softmax, "(x, axis<-1>)")
SINTER_OP(log_softmax, "(x, axis<-1>)")
SINTER_OP(layer_norm, "(x, gamma, beta, axis<-1>, eps<1e-5>)")
