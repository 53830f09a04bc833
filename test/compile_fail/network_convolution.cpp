// SPDX-License-Identifier: Apache-2.0
// expect: sinter: these operands do not fit: the kernel is empty, or larger than the operand with its padding
// expect: shape<1, 3, 4, 9>
// expect: shape<8, 3, 5, 3>
// lines-gcc: 18
// lines-clang: 43
#include <sinter/compile/hybridized.hpp>
using sinter::shape;

int main() {
#ifdef SINTER_FAIL
  auto const fast = sinter::hybridize([](auto F, auto x, auto w) { return F.convolution(x, w, sinter::stride<2>); });
#else
  auto const fast = sinter::hybridize([](auto F, auto x, auto w) { return F.convolution(x, w, sinter::stride<2>, sinter::pad<1>); });
#endif
  auto const y = fast(sinter::nd::tensor<float, shape<1, 3, 4, 9>>{}, sinter::nd::tensor<float, shape<8, 3, 5, 3>>{});
  (void)y;
}
