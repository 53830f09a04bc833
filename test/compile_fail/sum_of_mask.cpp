// SPDX-License-Identifier: Apache-2.0
// What is true is not counted by a sum: bool is no number here.
// expect: sinter: these operands do not fit: the operation takes numbers, and an operand is bool; write F.cast(mask, as<std::int32_t>), in eager code sinter::cast
// lines-gcc: 8
// lines-clang: 22
#include <sinter/nn/space.hpp>
using sinter::shape;

int main() {
  sinter::nd::tensor<float, shape<4>> const x{1, 2, 3, 4};
#ifdef SINTER_FAIL
  return sinter::sum(x > 2).size() == 0;
#else
  return sinter::sum(sinter::cast(x > 2, sinter::as<std::int32_t>)).size() == 0;
#endif
}
