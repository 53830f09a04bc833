// SPDX-License-Identifier: Apache-2.0
// An operand that nobody would look at.
// lines-clang: 25
// lines-gcc: 19
// expect: sinter: matmul: too many or too few operands; call it as matmul(a, b, transpose_a, transpose_b)
#include <sinter/nn/space.hpp>

int main() {
  sinter::nd::tensor<float, sinter::shape<2, 3>> const x;
  sinter::nd::tensor<float, sinter::shape<3, 3>> const w;
#ifdef SINTER_FAIL
  return sinter::matmul(x, w, w).size() == 0;
#else
  return sinter::matmul(x, w).size() == 0;
#endif
}
