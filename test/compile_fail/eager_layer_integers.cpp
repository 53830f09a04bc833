// SPDX-License-Identifier: Apache-2.0
// lines-gcc: 13
// lines-clang: 48
// expect: sinter: cast what this layer is called with, hidden(F.cast(x, as<float>)): its parameters are floats, and no tensor of integers becomes one of floats by itself
#include <sinter/nn/layers/basic.hpp>

int main() {
  sinter::nn::hybrid_sequential<sinter::nn::dense<4>, sinter::nn::dense<4>> net;
  net.initialize();
#ifdef SINTER_FAIL
  return net(sinter::nd::tensor<int, sinter::shape<1, 8>>{}).size() == 0;
#else
  return net(sinter::nd::tensor<double, sinter::shape<1, 8>>{}).size() == 0;
#endif
}
