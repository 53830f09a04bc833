// SPDX-License-Identifier: Apache-2.0
// One index in brackets is an element, not a row as it is in NumPy.
// expect: sinter: the type says the extents of this tensor; its elements are written in braces, x{1, 2, 3}, and fill(v) gives all one value; x.row(1) is a row, x[1] an element
// lines-gcc: 7
// lines-clang: 7
#include <sinter/nn/space.hpp>
using sinter::shape;

int main() {
  sinter::nd::tensor<float, shape<2, 3>> const x{{1, 2, 3}, {4, 5, 6}};
#ifdef SINTER_FAIL
  sinter::nd::tensor<float, shape<3>> const row = x[1];
#else
  sinter::nd::tensor<float, shape<3>> const row = x.row(1);
#endif
  return row(0) != 4;
}
