// SPDX-License-Identifier: Apache-2.0
// What changes in place is said on the caller's line.
// lines-clang: 19
// lines-gcc: 19
// after-gcc: 17
// expect: sinter: operator +=: these operands do not fit
// expect: tensor_in_place.cpp:13:
#include <sinter/nn/space.hpp>

int main() {
  sinter::nd::tensor<int, sinter::shape<2>> x{1, 2};
#ifdef SINTER_FAIL
  x += 1.5;
#else
  x += 1;
#endif
  return x(0) - 2;
}
