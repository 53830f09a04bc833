// SPDX-License-Identifier: Apache-2.0
// A wrong number of operands for an operation of one's own.
// lines-clang: 13
// lines-gcc: 13
// expect: sinter: this operation: too many or too few operands; call it as its arity
// expect: call_own_op.cpp:21:
#include <sinter/nn/space.hpp>

namespace my {
struct twice_op : sinter::ops::elementwise<twice_op, 1> {
  static constexpr std::string_view name = "my.twice";
  template <class V> static constexpr V eval(V x) { return sinter::element::add(x, x); }
};
}  // namespace my
SINTER_USER_OP(my::twice_op);
inline constexpr sinter::ops::function<my::twice_op> twice{};

int main() {
  sinter::nd::tensor<float, sinter::shape<2, 3>> const x;
#ifdef SINTER_FAIL
  return twice(x, x).size() == 0;
#else
  return twice(x).size() == 0;
#endif
}
