// SPDX-License-Identifier: Apache-2.0
// The node that asks for gradients; passes::differentiate writes them in its place. It brings the rules of all operations of F.
#pragma once
#include <algorithm>
#include <array>

#include "all.hpp"
#include "gradient_path.hpp"

namespace sinter::ops::inline SINTER_ISA {

struct rule_row {
  std::uint64_t id = 0;
  gradient_rule rule = nullptr;
};
template <class Op> constexpr rule_row row_of_rule() {
  if constexpr (has_rule<Op>) return {hash_of(op_name<Op>), &from_words<Op>::gradient};
  else return {hash_of(op_name<Op>), nullptr};
}
template <class... Op> constexpr auto rules_of(list_of<Op...>) {
  std::array<rule_row, sizeof...(Op)> r{row_of_rule<Op>()...};
  std::sort(r.begin(), r.end(), [](rule_row const& a, rule_row const& b) { return a.id < b.id; });
  return r;
}
inline constexpr auto all_rules = rules_of(all_ops{});

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
  static constexpr gradient_rule rule_of(op_info const& op) {
    auto const at =
        std::lower_bound(all_rules.begin(), all_rules.end(), op.id, [](rule_row const& r, std::uint64_t id) { return r.id < id; });
    return at == all_rules.end() || at->id != op.id ? nullptr : at->rule;
  }
};

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_USER_OP(sinter::ops::gradient);
