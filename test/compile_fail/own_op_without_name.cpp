// SPDX-License-Identifier: Apache-2.0
// An operation of one's own that has no name, written like those of sinter, which SINTER_OP names.
// lines-clang: 22
// lines-gcc: 9
// expect: sinter: an operation says its name: static constexpr std::string_view name = "my.op"
#include <sinter/nn/space.hpp>

namespace my {
struct twice_op : sinter::ops::elementwise<twice_op, 1> {
#ifndef SINTER_FAIL
  static constexpr std::string_view name = "my.twice";
#endif
  template <class V> static constexpr V eval(V x) { return sinter::element::add(x, x); }
};
}  // namespace my
SINTER_USER_OP(my::twice_op);
inline constexpr sinter::ops::function<my::twice_op> twice{};

int main() {
  sinter::nd::tensor<float, sinter::shape<2, 3>> const x;
  return twice(x).size() == 0;
}
