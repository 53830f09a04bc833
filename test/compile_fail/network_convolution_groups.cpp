// SPDX-License-Identifier: Apache-2.0
// expect: sinter: these operands do not fit: the channels differ: weights are (outputs, inputs / groups, kernel...)
// lines-gcc: 18
// lines-clang: 43
#include <sinter/compile/hybridized.hpp>
using sinter::shape;

int main() {
#ifdef SINTER_FAIL
  auto const fast = sinter::hybridize([](auto F, auto x, auto w) { return F.convolution(x, w); });
#else
  auto const fast = sinter::hybridize([](auto F, auto x, auto w) { return F.convolution(x, w, sinter::groups<2>); });
#endif
  auto const y = fast(sinter::nd::tensor<float, shape<1, 6, 9>>{}, sinter::nd::tensor<float, shape<8, 3, 3>>{});
  (void)y;
}
