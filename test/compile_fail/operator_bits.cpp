// SPDX-License-Identifier: Apache-2.0
// The operator of bits for truth values.
// lines-clang: 16
// lines-gcc: 14
// expect: sinter: tensors have no operator &; of bool write a && b, of integers F.bitwise_and(a, b)
#include <sinter/nn/space.hpp>

int main() {
  sinter::nd::tensor<bool, sinter::shape<2>> const x;
#ifdef SINTER_FAIL
  auto const y = x & x;
#else
  auto const y = x && x;
#endif
  (void)y;
}
