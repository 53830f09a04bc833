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
  static constexpr unsigned accepts = 0;
#ifndef SINTER_FAIL
  static constexpr int arity = 1;
#endif
  static constexpr sinter::attributes arguments(sinter::ops::settings const&, sinter::array_type const*, int) { return {}; }
  static constexpr sinter::inferred infer(sinter::array_type const* in, int, sinter::attributes const&, sinter::dimension_table&) {
    return {in[0]};
  }
  static constexpr int expand(sinter::graph& g, int const* in, int, sinter::attributes const&) {
    return g.make(sinter::ops::info<sinter::ops::zeros_like>, {}, in[0]);
  }
};
}  // namespace my
SINTER_USER_OP(my::clear_op);
inline constexpr sinter::ops::function<my::clear_op> clear{};

int main() {
  sinter::nd::tensor<float, sinter::shape<2, 3>> const x;
  return clear(x).size() == 0;
}
