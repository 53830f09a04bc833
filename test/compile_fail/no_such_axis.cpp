// SPDX-License-Identifier: Apache-2.0
// expect: sinter: these operands do not fit: the operand has no such axis
// expect: no_such_axis.cpp:12:
// lines-gcc: 8
// lines-clang: 22
#include <sinter/nn/space.hpp>

int main() {
  sinter::nd::tensor<float, sinter::shape<2, 3>> const x;
  auto const F = sinter::space_of(x);
#ifdef SINTER_FAIL
  return F.sum(x, sinter::axis<2>).size() == 0;
#else
  return F.sum(x, sinter::axis<1>).size() == 0;
#endif
}
