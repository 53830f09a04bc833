// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a dense layer wants an operand of shape (batch, inputs)
// lines-gcc: 8
// lines-clang: 29
#include <sinter/nn/layers/basic.hpp>

int main() {
  sinter::nn::dense<4> net;
  net.initialize();
#ifdef SINTER_FAIL
  return net(sinter::nd::tensor<float, sinter::shape<8>>{}).size() == 0;
#else
  return net(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
#endif
}
