// SPDX-License-Identifier: Apache-2.0
// expect: sinter: these operands do not fit: the operand has no such axis
// expect: ops::sum
// expect: shape<2, 3>
// lines-gcc: 18
// lines-clang: 43
#include <sinter/compile/hybridized.hpp>

int main() {
#ifdef SINTER_FAIL
  auto const fast = sinter::hybridize([](auto F, auto x) { return F.sum(x, sinter::axis<2>); });
#else
  auto const fast = sinter::hybridize([](auto F, auto x) { return F.sum(x, sinter::axis<1>); });
#endif
  return fast(sinter::nd::tensor<float, sinter::shape<2, 3>>{}).size() == 0;
}
