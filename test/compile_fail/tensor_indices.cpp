// SPDX-License-Identifier: Apache-2.0
// One index does not say which element of a matrix is meant.
// lines-clang: 13
// lines-gcc: 7
// expect: sinter: an element has one index for each dimension
#include <sinter/nn/space.hpp>

int main() {
  sinter::nd::tensor<float, sinter::shape<2, 2>> const x{{1, 2}, {3, 4}};
#ifdef SINTER_FAIL
  return x(1) == 3;
#else
  return x.row(1)(0) != 3;
#endif
}
