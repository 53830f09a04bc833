// SPDX-License-Identifier: Apache-2.0
// A number among arrays, which can only mean an axis.
// lines-clang: 22
// lines-gcc: 8
// expect: sinter: these operands do not fit: a plain number stands where an array belongs; an axis is written axis<1>
#include <sinter/nn/space.hpp>

int main() {
  sinter::nd::tensor<float, sinter::shape<2, 3>> const x;
#ifdef SINTER_FAIL
  return sinter::concat(x, 1).size() == 0;
#else
  return sinter::concat(x, x, sinter::axis<1>).size() == 0;
#endif
}
