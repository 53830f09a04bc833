// SPDX-License-Identifier: Apache-2.0
// An operation of one's own that does not say how many operands it takes.
// lines-clang: 39
// lines-gcc: 8
// expect: sinter: an operation says how many operands it takes: static constexpr int arity = 2
#include <sinter/nn/space.hpp>

namespace my {
struct clear_op {
  static constexpr std::string_view name = "my.clear";
  static constexpr sinter::family kind = sinter::family::composite;
#ifndef SINTER_FAIL
  static constexpr int arity = 1;
#endif
  static constexpr sinter::inferred infer(sinter::operand_types in, sinter::dimension_table&) { return {in[0]}; }
  static constexpr int expand(sinter::graph& g, sinter::operand_nodes in) { return sinter::ops::make<sinter::ops::zeros_like>(g, in[0]); }
};
}  // namespace my
SINTER_USER_OP(my::clear_op);
inline constexpr sinter::ops::function<my::clear_op> clear{};

int main() {
  sinter::nd::tensor<float, sinter::shape<2, 3>> const x;
  return clear(x).size() == 0;
}
