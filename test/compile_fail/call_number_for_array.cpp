// SPDX-License-Identifier: Apache-2.0
// A number among arrays, which can only mean an axis.
// lines-clang: 25
// lines-gcc: 19
// expect: sinter: concat: these operands do not fit
// expect: call it as concat(a, b, ..., axis<1>)
#include <sinter/nn/space.hpp>

int main() {
  sinter::nd::tensor<float, sinter::shape<2, 3>> const x;
#ifdef SINTER_FAIL
  return sinter::concat(x, 1).size() == 0;
#else
  return sinter::concat(x, x, sinter::axis<1>).size() == 0;
#endif
}
