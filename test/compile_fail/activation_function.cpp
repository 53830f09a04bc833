// SPDX-License-Identifier: Apache-2.0
// Nor is it a function.
// expect: sinter: an activation is a type, dense<4, nn::relu>; a layer of it is nn::activation<nn::relu>, and the operation F.relu(x)
// lines-gcc: 7
// lines-clang: 10
#include <sinter/nn/layers/basic.hpp>

int main() {
  sinter::nd::tensor<float, sinter::shape<1, 3>> const x{1, -2, 3};
#ifdef SINTER_FAIL
  auto const y = sinter::nn::relu(x);
#else
  auto const y = sinter::relu(x);
#endif
  return sizeof(y) == 0;
}
