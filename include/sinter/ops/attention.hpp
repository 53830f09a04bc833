// SPDX-License-Identifier: Apache-2.0
// Scaled dot-product attention, written with products and a softmax.
#pragma once
#include "blocks.hpp"
#include "product.hpp"
#include "row.hpp"
#include "sequence.hpp"

namespace sinter::ops::inline SINTER_ISA {

// scaled_dot_product_attention(q, k, v[, mask], num_heads<8>, alpha<0.125>, is_causal): q (batch, queries, channels), k (batch, keys, channels), v (batch, keys,
// outputs) give (batch, queries, outputs). Each of the heads has its part of the channels: softmax(alpha q k^T) v (Vaswani et al.,
// arXiv 1706.03762); alpha is by default 1 / sqrt(channels / heads). A query attends to the keys where the mask, which broadcasts to
// (batch, heads, queries, keys), is true, and with `is_causal` to those that are not behind it: query i to the keys up to i. A query
// that attends to no key gives NaN.
struct scaled_dot_product_attention {
  static constexpr format_names formats{"", "Attention"};
  static constexpr family kind = family::composite;
  static constexpr operand_count arity{3, 4};
  static constexpr bool wants_arrays = true, promotes = false;
  using keywords = list_of<may<key::num_heads>, may<key::alpha>, may<key::is_causal, 1>>;
  struct attributes {
    int num_heads = 1;
    double alpha = 0;
    bool has_alpha = false, is_causal = false;
    static constexpr void each(auto& a, auto&& f) {
      f("num_heads", a.num_heads), f("alpha", a.alpha), f("has_alpha", a.has_alpha), f("is_causal", a.is_causal);
    }
  };
  static constexpr attributes arguments(auto const& k, operand_types) {
    return {k[key::num_heads{}].or_else(1), k[key::alpha{}].or_else(0), k[key::alpha{}].is_given, k[key::is_causal{}].value};
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table& t) {
    dims const &q = in[0].shape, &k = in[1].shape, &v = in[2].shape;
    for (int i = 0; i < 3; ++i) {
      if (!is_floating(in[i].type)) return {{}, problem::wants_floating, i, i};
      if (in[i].type != in[0].type) return {{}, problem::mixed_dtypes, 0, i};
      if (in[i].shape.rank < 3) return {{}, problem::rank_too_small, i, i};
      if (in[i].shape.rank > 3) return {{}, problem::too_many_dimensions, i, i};
      if (!same_extent(q.d[0], in[i].shape.d[0], t)) return {{}, problem::attention_shapes, 0, i};
      if (in[i].shape.d[2] < 0) return {{}, problem::wants_number, i, i};
      if (a.num_heads < 1 || in[i].shape.d[2] % a.num_heads != 0) return {{}, problem::split_uneven, i, i};
    }
    if (q.d[2] != k.d[2] || q.d[2] == 0) return {{}, problem::attention_shapes, 0, 1};
    if (!same_extent(k.d[1], v.d[1], t)) return {{}, problem::attention_shapes, 1, 2};
    if (!holds(in[0].type, a.alpha)) return {{}, problem::keyword_value, 0, 0};
    if (in.n > 3) {
      if (in[3].type != dtype::boolean) return {{}, problem::wants_bool, 3, 3};
      if (broadcast_to::infer({&in[3], 1}, {{q.d[0], a.num_heads, q.d[1], k.d[1]}}, t).what != problem::none)
        return {{}, problem::attention_shapes, 0, 3};
    }
    return {{in[0].type, {q.d[0], q.d[1], v.d[2]}}};
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    array_type const q = g.nodes[in[0]].type;
    extent const width = q.shape.d[2] / a.num_heads;
    int const alpha_ = g.scalar(q.type, a.has_alpha ? a.alpha : 1 / math::sqrt(static_cast<double>(width)));
    int scores = make<matmul>(g, {false, true}, make<multiply>(g, parted(g, in[0], a.num_heads), alpha_), parted(g, in[1], a.num_heads));
    int const nothing = g.scalar(q.type, -math::infinity<double>);
    if (a.is_causal) {
      int const query = make<expand_dims>(g, {1}, positions(g, q.shape.d[1])), key = positions(g, g.nodes[in[1]].type.shape.d[1]);
      scores = make<where>(g, make<lesser_equal>(g, key, query), scores, nothing);
    }
    if (in.n > 3) scores = make<where>(g, in[3], scores, nothing);
    int const each = make<matmul>(g, {false, false}, make<softmax>(g, {3}, scores), parted(g, in[2], a.num_heads));
    return make<reshape>(g, {{q.shape.d[0], q.shape.d[1], g.nodes[in[2]].type.shape.d[2]}}, make<transpose>(g, between_heads(), each));
  }

 private:
  static constexpr transpose::attributes between_heads() {
    transpose::attributes a;
    for (int i : {0, 2, 1, 3}) a.axes.push(i);
    return a;
  }
  // (batch, length, channels) as (batch, heads, length, channels / heads)
  static constexpr int parted(auto& g, int x, int heads) {
    dims const s = g.nodes[x].type.shape;
    return make<transpose>(g, between_heads(), make<reshape>(g, {{s.d[0], s.d[1], heads, s.d[2] / heads}}, x));
  }
};

using attention_ops = list_of<scaled_dot_product_attention>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(scaled_dot_product_attention, "(q, k, v[, mask], num_heads<8>, alpha<0.125>, is_causal)")
