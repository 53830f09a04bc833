// SPDX-License-Identifier: Apache-2.0
// What changes in place is said on the caller's line.
// lines-clang: 19
// lines-gcc: 8
// expect: sinter: these operands do not fit: the dtypes are of different kinds; cast one of them: F.cast(x, as<float>), in eager code sinter::cast
// expect: tensor_in_place.cpp:12:
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
