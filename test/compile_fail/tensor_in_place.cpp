// SPDX-License-Identifier: Apache-2.0
// What changes in place is said on the caller's line.
// expect: sinter: operator +=: these operands do not fit
// expect: tensor_in_place.cpp:10:
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
