// SPDX-License-Identifier: Apache-2.0
// Who wants to know how a symbol becomes a graph, as what writes it as C++ does.
#pragma once
#include "control_flow.hpp"

namespace sinter::sym::inline SINTER_ISA {

// Told of the operations of a symbol in the order in which they get their types. What a definition or a body is made of comes between the two
// calls about it.
struct typing_observer {
  virtual void operation(composed const& k, operand_types in) = 0;
  // `in` stands for the operands of k, and `out` for its results.
  virtual void enter_definition(composed const& k, std::vector<symbol> const& in) = 0;
  virtual void leave_definition(composed const& k, symbol const& out) = 0;
  virtual void enter_body(composed const& k, body const& b) = 0;
  virtual void leave_body(composed const& k, body const& b) = 0;
  virtual void control_flow(composed const& k) = 0;

 protected:
  ~typing_observer() = default;
};

}  // namespace sinter::sym::inline SINTER_ISA
