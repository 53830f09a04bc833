// SPDX-License-Identifier: Apache-2.0
// The same in a network.
// lines-clang: 43
// lines-gcc: 18
// expect: sinter: these operands do not fit: a plain number stands where an array belongs; an axis is written axis<1>
#include <sinter/compile/hybridized.hpp>

int main() {
  sinter::nd::tensor<float, sinter::shape<2, 3>> const x;
#ifdef SINTER_FAIL
  auto const fast = sinter::hybridize([](auto F, auto y) { return F.concat(y, 1); });
#else
  auto const fast = sinter::hybridize([](auto F, auto y) { return F.concat(y, y); });
#endif
  return fast(x).size() == 0;
}
