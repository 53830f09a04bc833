// SPDX-License-Identifier: Apache-2.0
// expect: sinter: these operands do not fit: the axis cannot be cut into that many equal parts
// lines-gcc: 18
// lines-clang: 43
#include <sinter/compile/hybridized.hpp>

int main() {
#ifdef SINTER_FAIL
  auto const fast = sinter::hybridize([](auto F, auto x) { return F.split(x, sinter::parts<4>); });
#else
  auto const fast = sinter::hybridize([](auto F, auto x) { return F.split(x, sinter::parts<3>); });
#endif
  auto const y = fast(sinter::nd::tensor<float, sinter::shape<2, 6>>{});
  (void)y;
}
