// SPDX-License-Identifier: Apache-2.0
// An element function that decides for one element.
// lines-clang: 37
// lines-gcc: 19
// expect: sinter: an element function computes several elements at once: for `c ? a : b` and `if` write element::select(c, a, b)
// expect: own_op_branch.cpp:13:
#include <sinter/nn/space.hpp>

namespace my {
struct ramp_op : sinter::ops::elementwise<ramp_op, 1> {
  static constexpr std::string_view name = "my.ramp";
#ifdef SINTER_FAIL
  template <class V> static constexpr V eval(V x) { return x > V(0) ? x : V(0); }
#else
  template <class V> static constexpr V eval(V x) { return sinter::element::select(x > V(0), x, V(0)); }
#endif
};
}  // namespace my
SINTER_USER_OP(my::ramp_op);
inline constexpr sinter::ops::function<my::ramp_op> ramp{};

int main() { return ramp(sinter::nd::tensor<float, sinter::shape<2, 3>>{}).size() == 0; }
