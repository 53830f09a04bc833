// SPDX-License-Identifier: Apache-2.0
// The operator of bits for the opposite.
// lines-clang: 10
// lines-gcc: 6
// expect: sinter: tensors have no operator ~; of bool write !a, of integers F.bitwise_not(a)
#include <sinter/nn/space.hpp>

int main() {
  sinter::nd::tensor<bool, sinter::shape<2>> const x;
#ifdef SINTER_FAIL
  auto const y = ~x;
#else
  auto const y = !x;
#endif
  (void)y;
}
