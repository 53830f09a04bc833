// SPDX-License-Identifier: Apache-2.0
// The same where the second stands in a composite operation.
// lines-clang: 13
// lines-gcc: 8
// expect: sinter: two operations have the same name, by which graphs know them
#include <sinter/nn/space.hpp>

namespace my {
struct twice_op : sinter::ops::elementwise<twice_op, 1> {
  static constexpr std::string_view name = "my.twice";
  template <class V> static constexpr V eval(V x) { return sinter::element::add(x, x); }
};
struct thrice_op : sinter::ops::elementwise<thrice_op, 1> {
#ifdef SINTER_FAIL
  static constexpr std::string_view name = "my.twice";
#else
  static constexpr std::string_view name = "my.thrice";
#endif
  template <class V> static constexpr V eval(V x) { return sinter::element::add(x, sinter::element::add(x, x)); }
};
}  // namespace my
SINTER_USER_OP(my::twice_op);
#ifndef SINTER_FAIL
SINTER_USER_OP(my::thrice_op);
#endif

namespace my {
struct shrink_op : sinter::ops::row_op {
  static constexpr std::string_view name = "my.shrink";
  static constexpr int expand(sinter::graph& g, sinter::operand_nodes in, attributes const&) {
    return sinter::ops::make<thrice_op>(g, in[0]);
  }
};
}  // namespace my
SINTER_USER_OP(my::shrink_op);
inline constexpr sinter::ops::function<my::shrink_op> shrink{};

int main() { return shrink(sinter::nd::tensor<float, sinter::shape<2, 3>>{}).size() == 0; }
