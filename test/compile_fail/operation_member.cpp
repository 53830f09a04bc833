// SPDX-License-Identifier: Apache-2.0
// NumPy and PyTorch have operations as members.
// expect: sinter: operations are no members of a tensor but functions, sinter::sum(x)
// lines-gcc: 10
// lines-clang: 13
#include <sinter/nn/space.hpp>

int main() {
  sinter::nd::tensor<float, sinter::shape<2, 3>> const x{{1, 2, 3}, {4, 5, 6}};
#ifdef SINTER_FAIL
  return x.sum() != 21;
#else
  return sinter::sum(x) != 21;
#endif
}
