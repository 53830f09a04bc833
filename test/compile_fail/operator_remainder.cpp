// SPDX-License-Identifier: Apache-2.0
// A remainder, which no operation gives.
// lines-clang: 16
// lines-gcc: 14
// expect: sinter: tensors have no operator %; write F.mod(a, b)
#include <sinter/nn/space.hpp>

int main() {
  sinter::nd::tensor<int, sinter::shape<2>> const x;
#ifdef SINTER_FAIL
  auto const y = x % 2;
#else
  auto const y = x * 2;
#endif
  (void)y;
}
