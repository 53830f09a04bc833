// SPDX-License-Identifier: Apache-2.0
// expect: sinter: these operands do not fit: the border is larger than what the operand has to repeat there: a reflection is smaller than its axis
// lines-gcc: 10
// lines-clang: 41
#include <sinter/nn/layers/images.hpp>

int main() {
#ifdef SINTER_FAIL
  sinter::nn::reflection_pad2d<4> net;
#else
  sinter::nn::reflection_pad2d<3> net;
#endif
  return net(sinter::nd::tensor<float, sinter::shape<2, 3, 4, 4>>{})[0] != 0;
}
