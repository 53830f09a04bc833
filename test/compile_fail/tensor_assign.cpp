// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a tensor of another shape, dtype or device cannot be assigned to this one
// expect: tensor_assign.cpp:12:
// lines-gcc: 7
// lines-clang: 13
#include <sinter/nn/space.hpp>
using sinter::shape;

int main() {
  sinter::nd::tensor<float, shape<2, 3>> x;
#ifdef SINTER_FAIL
  x = sinter::transpose(x);
  return x.size() == 0;
#else
  auto const y = sinter::transpose(x);
  return y.size() == 0;
#endif
}
