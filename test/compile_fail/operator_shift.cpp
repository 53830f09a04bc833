// SPDX-License-Identifier: Apache-2.0
// The operator that shifts bits.
// lines-clang: 16
// lines-gcc: 14
// expect: sinter: tensors have no operator <<; write F.left_shift(a, n)
#include <sinter/nn/space.hpp>

int main() {
  sinter::nd::tensor<std::int32_t, sinter::shape<2>> const x;
#ifdef SINTER_FAIL
  auto const y = x << 3;
#else
  auto const y = x * 8;
#endif
  (void)y;
}
