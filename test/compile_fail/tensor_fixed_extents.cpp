// SPDX-License-Identifier: Apache-2.0
// expect: sinter: the type says the extents of this tensor; its elements are written in braces, x{1, 2, 3}
// expect: tensor_fixed_extents.cpp:11:
// lines-gcc: 16
// lines-clang: 7
#include <sinter/nd/tensor.hpp>
using sinter::shape;

int main() {
#ifdef SINTER_FAIL
  sinter::nd::tensor<float, shape<3, 2>> const x(3, 2);
#else
  sinter::nd::tensor<float, shape<3, 2>> const x;
#endif
  return x.size() == 6 ? 0 : 1;
}
