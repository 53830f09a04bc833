// SPDX-License-Identifier: Apache-2.0
// Two operations that are both registered under one name, here that of an operation of sinter.
// lines-clang: 71
// lines-gcc: 45
// after-gcc: 44
// after-clang: 71
// expect: sinter: two operations have the same name, by which graphs know them; give each its own
// expect: own_op_registered_twice.cpp:21:
#include <sinter/nn/space.hpp>

namespace my {
struct twice_op : sinter::ops::elementwise<twice_op, 1> {
#ifdef SINTER_FAIL
  static constexpr std::string_view name = "square";
#else
  static constexpr std::string_view name = "my.twice";
#endif
  template <class V> static constexpr V eval(V x) { return x + x; }
};
}  // namespace my
SINTER_USER_OP(my::twice_op);
inline constexpr sinter::ops::function<my::twice_op> twice{};

int main() { return twice(sinter::nd::tensor<float, sinter::shape<2, 3>>{}).size() == 0; }
