// SPDX-License-Identifier: Apache-2.0
// A declared variable of another shape, at its first value.
// expect: sinter: a tensor of another shape, dtype or device cannot be assigned to this one
// expect: tensor_initialize.cpp:13:
// lines-gcc: 7
// lines-clang: 7
#include <sinter/nn/space.hpp>
using sinter::shape;

int main() {
  sinter::nd::tensor<float, shape<2, 3>> x;
#ifdef SINTER_FAIL
  sinter::nd::tensor<float, shape<2, 3>> y = sinter::transpose(x);
#else
  sinter::nd::tensor<float, shape<3, 2>> y = sinter::transpose(x);
#endif
  return y.size() == 0;
}
