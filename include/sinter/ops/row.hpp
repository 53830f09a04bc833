// SPDX-License-Identifier: Apache-2.0
// Softmax and layer norm: written with reductions and elementwise operations, which fusion puts back into one kernel a row.
#pragma once
#include "reduction.hpp"
#include "transcendental.hpp"
#include "view.hpp"

namespace sinter::ops::inline SINTER_ISA {

// attributes: the axis
struct row_op {
  static constexpr family kind = family::composite;
  static constexpr unsigned accepts = keyword::axis;
  static constexpr int arity = 1, most_axes = 1;
  static constexpr bool wants_arrays = true;
  static constexpr attributes arguments(settings const& s, array_type const* in, int) {
    return {1, {place(s.n_axes ? s.axes[0] : -1, in[0].shape.rank)}};
  }
  static constexpr inferred infer(array_type const* in, int, attributes const& a, dimension_table&) {
    if (!is_floating(in[0].type)) return {{}, problem::wants_floating, 0, 0};
    if (a.v[0] < 0) return {{}, problem::no_such_axis, 0, 0};
    return {in[0]};
  }
  static constexpr attributes over(attributes const& a) { return {2, {std::int64_t{1} << a.v[0], 1}}; }
};
// exp(x - max) / sum(exp(x - max)) along an axis, the last one unless said otherwise
struct softmax : row_op {
  static constexpr std::string_view name = "softmax";
  static constexpr format_names formats{"softmax", "Softmax"};
  static constexpr int expand(graph& g, int const* in, int, attributes const& a) {
    int const shifted = g.make(info<subtract>, {}, in[0], g.make(info<max>, over(a), in[0]));
    int const e = g.make(info<exp>, {}, shifted);
    int const one = g.scalar(g.nodes[in[0]].type.type, 1);
    return g.make(info<multiply>, {}, e, g.make(info<divide>, {}, one, g.make(info<sum>, over(a), e)));
  }
};
// x - max - log(sum(exp(x - max)))
struct log_softmax : row_op {
  static constexpr std::string_view name = "log_softmax";
  static constexpr format_names formats{"log_softmax", "LogSoftmax"};
  static constexpr int expand(graph& g, int const* in, int, attributes const& a) {
    int const shifted = g.make(info<subtract>, {}, in[0], g.make(info<max>, over(a), in[0]));
    int const total = g.make(info<sum>, over(a), g.make(info<exp>, {}, shifted));
    return g.make(info<subtract>, {}, shifted, g.make(info<log>, {}, total));
  }
};
// layer_norm(x, gamma, beta, axis<-1>, eps<1e-5>): (x - mean) / sqrt(variance + eps) * gamma + beta (Ba et al., arXiv 1607.06450);
// gamma and beta have the extent of the axis.
struct layer_norm : row_op {
  static constexpr std::string_view name = "layer_norm";
  static constexpr format_names formats{"LayerNorm", "LayerNormalization"};
  static constexpr unsigned accepts = keyword::axis | keyword::eps;
  static constexpr int arity = 3;
  static constexpr attributes arguments(settings const& s, array_type const* in, int) {
    return {2, {place(s.n_axes ? s.axes[0] : -1, in[0].shape.rank), std::bit_cast<std::int64_t>(s.eps)}};
  }
  static constexpr inferred infer(array_type const* in, int n, attributes const& a, dimension_table& t) {
    inferred const r = row_op::infer(in, n, a, t);
    if (r.what != problem::none) return r;
    for (int i = 1; i < n; ++i) {
      if (in[i].type != in[0].type) return {{}, problem::mixed_dtypes, 0, i};
      if (in[i].shape.rank != 1 || in[i].shape.d[0] != in[0].shape.d[a.v[0]]) return {{}, problem::shapes_differ, 0, i};
    }
    return r;
  }
  static constexpr int expand(graph& g, int const* in, int, attributes const& a) {
    dims const x = g.nodes[in[0]].type.shape;
    int const centred = g.make(info<subtract>, {}, in[0], g.make(info<mean>, over(a), in[0]));
    int const variance = g.make(info<mean>, over(a), g.make(info<square>, {}, centred));
    int const eps_ = g.scalar(g.nodes[in[0]].type.type, std::bit_cast<double>(a.v[1]));
    int const scale = g.make(info<rsqrt>, {}, g.make(info<add>, {}, variance, eps_));
    int const normal = g.make(info<multiply>, {}, centred, scale);
    int weights[2]{in[1], in[2]};
    if (a.v[0] != x.rank - 1) {
      dims along;
      along.push(x.d[a.v[0]]);
      for (std::int64_t i = a.v[0] + 1; i < x.rank; ++i) along.push(1);
      for (int& w : weights) w = g.make(info<reshape>, reshape::to_shape(along), w);
    }
    return g.make(info<add>, {}, g.make(info<multiply>, {}, normal, weights[0]), weights[1]);
  }
};

using row_ops = list_of<softmax, log_softmax, layer_norm>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(softmax, "softmax(x, axis<-1>)")
SINTER_OP(log_softmax, "log_softmax(x, axis<-1>)")
SINTER_OP(layer_norm, "layer_norm(x, gamma, beta, axis<-1>, eps<1e-5>)")
