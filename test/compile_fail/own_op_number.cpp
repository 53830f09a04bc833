// SPDX-License-Identifier: Apache-2.0
// A plain number in an element function.
// lines-clang: 49
// lines-gcc: 31
// after-gcc: 17
// expect: sinter: in an element function a number of the elements' type is written element::number<V>(2)
// expect: own_op_number.cpp:14:
#include <sinter/nn/space.hpp>

namespace my {
struct ramp_op : sinter::ops::elementwise<ramp_op, 1> {
  static constexpr std::string_view name = "my.ramp";
#ifdef SINTER_FAIL
  template <class V> static constexpr V eval(V x) { return x * 2; }
#else
  template <class V> static constexpr V eval(V x) { return x * sinter::element::number<V>(2); }
#endif
};
}  // namespace my
SINTER_USER_OP(my::ramp_op);
inline constexpr sinter::ops::function<my::ramp_op> ramp{};

int main() { return ramp(sinter::nd::tensor<float, sinter::shape<2, 3>>{}).size() == 0; }
