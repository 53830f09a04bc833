// SPDX-License-Identifier: Apache-2.0
// What rows have in common: other names, and operations of F without attributes. SINTER_ALIAS and SINTER_SAME are undefined behind the last
// of them (file.hpp).
#pragma once
#include "../call.hpp"

// The row `name`, which files may also call by another name.
#define SINTER_ALIAS(name, other) \
  template <> struct row<other> : row<name> {}
#define SINTER_SAME(name, op, n) \
  template <> struct row<name> : detail::same<ops::op, n> {}

namespace sinter::literal::inline SINTER_ISA::detail {

template <int Operands> struct without_attributes {
  static constexpr operand_count operands = Operands;
  static constexpr no_values read(attributes&, node_facts const&) { return {}; }
};
// One operation of F; attributes that a file gives it say nothing.
template <class Op, int Operands> struct same : without_attributes<Operands> {
  static constexpr bool any_attributes = true;
  template <class N> static constexpr auto call(auto, auto const&... x) { return ops::function<Op>{}(x...); }
};

}  // namespace sinter::literal::inline SINTER_ISA::detail
