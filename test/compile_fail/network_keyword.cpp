// SPDX-License-Identifier: Apache-2.0
// expect: sinter: relu: the operation has no such keyword
// expect: key::axis, 1>
// lines-gcc: 31
// lines-clang: 44
#include <sinter/compile/hybridized.hpp>

int main() {
#ifdef SINTER_FAIL
  auto const fast = sinter::hybridize([](auto F, auto x) { return F.relu(x, sinter::axis<1>); });
#else
  auto const fast = sinter::hybridize([](auto F, auto x) { return F.softmax(x, sinter::axis<1>); });
#endif
  return fast(sinter::nd::tensor<float, sinter::shape<2, 3>>{}).size() == 0;
}
