// SPDX-License-Identifier: Apache-2.0
// The node that asks for gradients; passes::differentiate writes them in its place.
#pragma once
#include "registry.hpp"

namespace sinter::ops::inline SINTER_ISA {

// gradient(head, x1, ..., xn): n results of the types of the x. `head` is a single number.
struct gradient {
  static constexpr std::string_view name = "gradient";
  static constexpr family kind = family::composite;
  static constexpr operand_count arity{2, operand_count::any};
  struct attributes {
    int n = 1;
    static constexpr void each(auto& a, auto&& f) { f("n", a.n); }
  };
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    if (in.n != a.n + 1) return {{}, problem::operand_count, 0, 0};
    for (int i = 0; i < in.n; ++i)
      if (!is_floating(in[i].type)) return {{}, problem::wants_floating, i, i};
    if (in[0].shape.rank != 0) return {{}, problem::head_shape, 0, 0};
    return {in[1]};
  }
  static constexpr int results(attributes const& a) { return a.n; }
  static constexpr array_type result(int i, operand_types in, attributes const&, array_type const&) { return in[i + 1]; }
  static constexpr int expand(auto&, operand_nodes in, attributes const&) {
    if (in.n > 0) throw error("sinter: a gradient is asked for behind passes::differentiate");
    return -1;
  }
};

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_USER_OP(sinter::ops::gradient);
