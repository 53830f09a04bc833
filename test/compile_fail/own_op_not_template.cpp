// SPDX-License-Identifier: Apache-2.0
// An element function of one type alone.
// lines-clang: 34
// lines-gcc: 17
// expect: sinter: an element function is called with several elements at once: template <class V> static constexpr V eval(V x)
#include <sinter/nn/space.hpp>

namespace my {
struct ramp_op : sinter::ops::elementwise<ramp_op, 1> {
  static constexpr std::string_view name = "my.ramp";
#ifdef SINTER_FAIL
  static constexpr float eval(float x) { return x + x; }
#else
  template <class V> static constexpr V eval(V x) { return x + x; }
#endif
};
}  // namespace my
SINTER_USER_OP(my::ramp_op);
inline constexpr sinter::ops::function<my::ramp_op> ramp{};

int main() { return ramp(sinter::nd::tensor<float, sinter::shape<2, 3>>{}).size() == 0; }
