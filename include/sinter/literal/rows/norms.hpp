// SPDX-License-Identifier: Apache-2.0
// MXNet's norms.
#pragma once
#include "common.hpp"

namespace sinter::literal::inline SINTER_ISA {

namespace detail {
struct norm_values {
  int axis = 1;
  double eps = 1e-5;
  bool fixed = false;
  int groups = 1;
};
// Parameters along an axis.
struct norm_along_axis {
  using values = norm_values;
  static constexpr dims wanted(values const& v, int, dims const& x) {
    int const axis = v.axis < 0 ? v.axis + x.rank : v.axis;
    return axis < 0 || axis >= x.rank ? unknown_dims : dims{x.d[axis] < 0 ? unknown_extent : x.d[axis]};
  }
};
}  // namespace detail
template <> struct row<"BatchNorm"> : detail::norm_along_axis {
  static constexpr operand_count operands = 5;
  static constexpr values read(attributes& a, node_facts const&) {
    double const eps = a.real("eps", 1e-3);
    int const axis = a.whole("axis", 1);
    bool const fixed = a.flag("fix_gamma", true);
    if (a.flag("output_mean_var", false)) a.refuse("output_mean_var");
    a.ignore({"momentum", "use_global_stats", "cudnn_off", "min_calib_range", "max_calib_range"});
    return {axis, eps, fixed};
  }
  template <class N> static constexpr auto call(auto F, auto const& x, auto const& gamma, auto const&... more) {
    constexpr ops::keyword<ops::key::axis, N::values.axis> along;
    constexpr ops::keyword<ops::key::eps, N::values.eps> eps;
    if constexpr (N::values.fixed) return F.batch_norm(x, F.ones_like(gamma), more..., along, eps);
    else return F.batch_norm(x, gamma, more..., along, eps);
  }
};
SINTER_ALIAS("BatchNorm", "BatchNorm_v1");
SINTER_ALIAS("BatchNorm", "CuDNNBatchNorm");
SINTER_ALIAS("BatchNorm", "_npx_batch_norm");
template <> struct row<"LayerNorm"> : detail::norm_along_axis {
  static constexpr operand_count operands = 3;
  static constexpr values read(attributes& a, node_facts const&) {
    if (a.flag("output_mean_var", false)) a.refuse("output_mean_var");
    int const axis = a.whole("axis", -1);
    return {axis, a.real("eps", 1e-5)};
  }
  template <class N> static constexpr auto call(auto F, auto const&... x) {
    return F.layer_norm(x..., ops::keyword<ops::key::axis, N::values.axis>{}, ops::keyword<ops::key::eps, N::values.eps>{});
  }
};
SINTER_ALIAS("LayerNorm", "_npx_layer_norm");
template <> struct row<"InstanceNorm"> : detail::norm_along_axis {
  static constexpr operand_count operands = 3;
  static constexpr values read(attributes& a, node_facts const&) { return {1, a.real("eps", 1e-3)}; }
  template <class N> static constexpr auto call(auto F, auto const&... x) {
    return F.instance_norm(x..., ops::keyword<ops::key::eps, N::values.eps>{});
  }
};
SINTER_ALIAS("InstanceNorm", "_npx_instance_norm");
template <> struct row<"L2Normalization"> {
  static constexpr operand_count operands = 1;
  struct values {
    parts_of over{};
    double eps = 1e-10;
  };
  static constexpr values read(attributes& a, node_facts const&) {
    constexpr parts_of all[]{parts_of::instance, parts_of::channel, parts_of::spatial};
    parts_of const over = all[a.choice("mode", {"instance", "channel", "spatial"}, "instance")];
    return {over, a.real("eps", 1e-10)};
  }
  template <class N> static constexpr auto call(auto F, auto const& x) {
    return F.l2_normalize(x, ops::keyword<ops::key::over, N::values.over>{}, ops::keyword<ops::key::eps, N::values.eps>{});
  }
};
template <> struct row<"LRN"> {
  static constexpr operand_count operands = 1;
  struct values {
    int nsize = 1;
    double alpha = 1e-4, beta = 0.75, knorm = 2;
  };
  static constexpr values read(attributes& a, node_facts const&) {
    values v{a.at_least(1, "nsize")};
    v.alpha = a.real("alpha", 1e-4);
    v.beta = a.real("beta", 0.75);
    v.knorm = a.real("knorm", 2);
    return v;
  }
  template <class N> static constexpr auto call(auto F, auto const& x) {
    return F.lrn(x, ops::keyword<ops::key::nsize, N::values.nsize>{}, ops::keyword<ops::key::alpha, N::values.alpha>{},
                 ops::keyword<ops::key::beta, N::values.beta>{}, ops::keyword<ops::key::knorm, N::values.knorm>{});
  }
};

}  // namespace sinter::literal::inline SINTER_ISA
