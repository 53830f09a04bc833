// SPDX-License-Identifier: Apache-2.0
// An operation of one's own without SINTER_USER_OP.
// lines-clang: 82
// lines-gcc: 18
// after-clang: 82
// expect: sinter: graphs do not know this operation; write SINTER_USER_OP(my::op); at global scope behind it
// expect: my::twice_op
#include <sinter/compile/hybridized.hpp>

namespace my {
struct twice_op : sinter::ops::elementwise<twice_op, 1> {
  static constexpr std::string_view name = "my.twice";
  template <class V> static constexpr V eval(V x) { return sinter::element::add(x, x); }
};
}  // namespace my
#ifndef SINTER_FAIL
SINTER_USER_OP(my::twice_op);
#endif
inline constexpr sinter::ops::function<my::twice_op> twice{};

int main() {
  auto const fast = sinter::hybridize([](auto, auto x) { return twice(x); });
  return fast(sinter::nd::tensor<float, sinter::shape<2, 3>>{}).size() == 0;
}
