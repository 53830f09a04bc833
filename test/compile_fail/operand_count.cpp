// SPDX-License-Identifier: Apache-2.0
// A network of one operand called with three, hybridized.
// expect: sinter: this block can be called with one operand, and not with as many as here
// lines-gcc: 18
// lines-clang: 28
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

int main() {
  nn::hybrid_sequential<nn::dense<4, nn::relu>, nn::dense<2>> net;
  net.initialize();
  auto fast = net.hybridize();
  sinter::nd::tensor<float, sinter::shape<1, 8>> x;
#ifdef SINTER_FAIL
  return fast(x, x, x).size() == 0;
#else
  return fast(x).size() == 0;
#endif
}
