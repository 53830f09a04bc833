// SPDX-License-Identifier: Apache-2.0
// expect: sinter: these operands do not fit: the groups do not divide the channels of the operand
// lines-gcc: 16
// lines-clang: 46
#include <sinter/compile/hybridized.hpp>
#include <sinter/nn/layers/pooling.hpp>
using namespace sinter;

int main() {
  nd::tensor<float, shape<1, 3, 4, 4>> const x;
#ifdef SINTER_FAIL
  nn::conv2d<4, 3, 1, 0, 1, 2> net;
#else
  nn::conv2d<4, 3> net;
#endif
  return (net.initialize(), net.hybridize()(x).size()) != 16;
}
