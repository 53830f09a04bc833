// SPDX-License-Identifier: Apache-2.0
// Normalisations beside layer_norm, and softmin: written with means, sums and elementwise operations.
#pragma once
#include "row.hpp"

namespace sinter::ops::inline SINTER_ISA {

// exp(-x), divided by its sum along an axis, by default the last
struct softmin : row_op {
  static constexpr format_names formats{"softmin", ""};
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    int const opposite = make<negative>(g, in[0]);
    return softmax::expand(g, {&opposite, 1}, a);
  }
};

// l2_normalize(x, over<parts_of::instance>, eps<1e-10>): x / sqrt(sum(x^2) + eps). The sum is over all axes but the first (instance), over
// the second (channel) or over those behind it (spatial).
struct l2_normalize : norm_op {
  static constexpr format_names formats{"L2Normalization", ""};
  using keywords = list_of<may<key::over>, may<key::eps>>;
  struct attributes {
    int over = 0;
    double eps = 1e-10;
    static constexpr void each(auto& a, auto&& f) { f("over", a.over), f("eps", a.eps); }
  };
  static constexpr attributes arguments(auto const& k, operand_types) { return {k[key::over{}].value, k[key::eps{}].or_else(1e-10)}; }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    if (in[0].shape.rank < (parts_of(a.over) == parts_of::spatial ? 3 : 2)) return {{}, problem::rank_too_small, 0, 0};
    return infer_with(in, 0, a.eps);
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    int const rank = g.nodes[in[0]].type.shape.rank;
    reduction_attributes const folded =
        parts_of(a.over) == parts_of::channel ? row_op::over(1) : from(parts_of(a.over) == parts_of::instance ? 1 : 2, rank);
    int const squares = make<sum>(g, folded, make<square>(g, in[0]));
    return make<multiply>(g, in[0], make<rsqrt>(g, make<add>(g, squares, eps_beside(g, in[0], a.eps))));
  }
};
// rms_norm(x, gamma, axis<-1>, eps<1e-5>): x / sqrt(mean(x^2) + eps) * gamma (Zhang and Sennrich, arXiv 1910.07467)
struct rms_norm : norm_op {
  static constexpr format_names formats{"", "RMSNormalization"};
  static constexpr int arity = 2;
  static constexpr attributes arguments(auto const& k, operand_types in) { return along_axis(k, in, -1); }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) { return infer_with(in, a.axis, a.eps); }
  static constexpr void complete(list<array_type>& in, attributes const& a) { complete_along(in, a.axis); }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    int const squares = make<mean>(g, over(a.axis), make<square>(g, in[0]));
    int const normal = make<multiply>(g, in[0], make<rsqrt>(g, make<add>(g, squares, eps_beside(g, in[0], a.eps))));
    return make<multiply>(g, normal, vector_along(g, in[1], a.axis, g.nodes[in[0]].type.shape.rank));
  }
};
// batch_norm(x, gamma, beta, mean, variance, axis<1>, eps<1e-5>): (x - mean) / sqrt(variance + eps) * gamma + beta, as in inference
struct batch_norm : norm_op {
  static constexpr format_names formats{"BatchNorm", "BatchNormalization"};
  static constexpr int arity = 5;
  static constexpr attributes arguments(auto const& k, operand_types in) { return along_axis(k, in, 1); }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) { return infer_with(in, a.axis, a.eps); }
  static constexpr void complete(list<array_type>& in, attributes const& a) { complete_along(in, a.axis); }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    int const rank = g.nodes[in[0]].type.shape.rank;
    auto const vector = [&](int v) { return vector_along(g, v, a.axis, rank); };
    int const scale = make<multiply>(g, make<rsqrt>(g, make<add>(g, in[4], eps_beside(g, in[0], a.eps))), in[1]);
    int const centred = make<subtract>(g, in[0], vector(in[3]));
    return make<add>(g, make<multiply>(g, centred, vector(scale)), vector(in[2]));
  }
};
// instance_norm(x, gamma, beta, eps<1e-5>): of (N, C, ...) each channel of each image on its own (Ulyanov et al., arXiv 1607.08022)
struct instance_norm : norm_op {
  static constexpr format_names formats{"InstanceNorm", "InstanceNormalization"};
  static constexpr int arity = 3;
  using keywords = list_of<may<key::eps>>;
  struct attributes {
    double eps = 1e-5;
    static constexpr void each(auto& a, auto&& f) { f("eps", a.eps); }
  };
  static constexpr attributes arguments(auto const& k, operand_types) { return {k[key::eps{}].or_else(1e-5)}; }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    if (in[0].shape.rank < 3) return {{}, problem::rank_too_small, 0, 0};
    return infer_with(in, 1, a.eps);
  }
  static constexpr void complete(list<array_type>& in, attributes const&) { complete_along(in, 1); }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    return scaled(g, make<standardised>(g, {from(2, g.nodes[in[0]].type.shape.rank), a.eps}, in[0]), in[1], in[2], 1);
  }
};
// group_norm(x, gamma, beta, groups<4>, eps<1e-5>): of (N, C, ...) each group of channels of each image (Wu and He, arXiv 1803.08494)
struct group_norm : norm_op {
  static constexpr format_names formats{"GroupNorm", "GroupNormalization"};
  static constexpr int arity = 3;
  using keywords = list_of<may<key::groups>, may<key::eps>>;
  struct attributes {
    int groups = 1;
    double eps = 1e-5;
    static constexpr void each(auto& a, auto&& f) { f("groups", a.groups), f("eps", a.eps); }
  };
  static constexpr attributes arguments(auto const& k, operand_types) { return {k[key::groups{}].or_else(1), k[key::eps{}].or_else(1e-5)}; }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    dims const& x = in[0].shape;
    if (x.rank < 2) return {{}, problem::rank_too_small, 0, 0};
    if (x.d[1] < 0) return {{}, problem::wants_number, 0, 0};
    if (a.groups < 1 || x.d[1] % a.groups != 0) return {{}, problem::split_uneven, 0, 0};
    return infer_with(in, 1, a.eps);
  }
  static constexpr void complete(list<array_type>& in, attributes const&) { complete_along(in, 1); }
  // The channels of a group, and what is behind them, become one axis.
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    dims const x = g.nodes[in[0]].type.shape;
    size inner{x.d[1] / a.groups, 0};
    for (int i = 2; i < x.rank; ++i) inner = inner * g.dimensions.size_of(x.d[i]);
    int const apart = make<reshape>(g, {{x.d[0], a.groups, g.dimensions.extent_of(inner)}}, in[0]);
    return scaled(g, make<reshape>(g, {x}, make<standardised>(g, {from(2, 3), a.eps}, apart)), in[1], in[2], 1);
  }
};

using norm_ops = list_of<softmin, l2_normalize, rms_norm, batch_norm, instance_norm, group_norm>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(softmin, "(x, axis<-1>)")
SINTER_OP(l2_normalize, "(x, over<parts_of::channel>, eps<1e-10>)")
SINTER_OP(rms_norm, "(x, gamma, axis<-1>, eps<1e-5>)")
SINTER_OP(batch_norm, "(x, gamma, beta, mean, variance, axis<1>, eps<1e-5>)")
SINTER_OP(instance_norm, "(x, gamma, beta, eps<1e-5>)")
SINTER_OP(group_norm, "(x, gamma, beta, groups<4>, eps<1e-5>)")
