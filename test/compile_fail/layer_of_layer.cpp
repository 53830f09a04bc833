// SPDX-License-Identifier: Apache-2.0
// lines-gcc: 6
// lines-clang: 10
// expect: sinter: a network is called with tensors, net(x), and none of these operands is one; a layer is called itself: net(hidden(x))
#include <sinter/nn/layers/basic.hpp>

int main() {
  sinter::nn::dense<4> hidden, output;
  sinter::nd::tensor<float, sinter::shape<2, 4>> const x;
  hidden.initialize();
  output.initialize();
#ifdef SINTER_FAIL
  return output(hidden).size() == 0;
#else
  return output(hidden(x)).size() == 0;
#endif
}
