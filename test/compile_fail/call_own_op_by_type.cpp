// SPDX-License-Identifier: Apache-2.0
// The same where it is called by its type.
// lines-clang: 19
// lines-gcc: 9
// expect: sinter: these operands do not fit: the operation takes another number of operands
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
  return sinter::nd::functions{}(my::twice_op{}, x, x).size() == 0;
#else
  return sinter::nd::functions{}(my::twice_op{}, x).size() == 0;
#endif
}
