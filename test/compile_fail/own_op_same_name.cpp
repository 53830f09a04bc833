// SPDX-License-Identifier: Apache-2.0
// Two operations of one name: in a network the second would run as the first.
// lines-clang: 40
// lines-gcc: 18
// expect: sinter: two operations have the same name, by which graphs know them
// expect: my::thrice_op
#include <sinter/compile/hybridized.hpp>

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
inline constexpr sinter::ops::function<my::thrice_op> thrice{};

int main() {
  auto const fast = sinter::hybridize([](auto, auto x) { return thrice(x); });
  return fast(sinter::nd::tensor<float, sinter::shape<2, 3>>{}).size() == 0;
}
