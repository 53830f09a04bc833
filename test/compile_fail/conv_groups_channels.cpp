// SPDX-License-Identifier: Apache-2.0
// Groups that divide the channels of the operand, but not those of the layer.
// expect: sinter: the groups of a convolution divide its channels
// lines-gcc: 14
// lines-clang: 16
#include <sinter/compile/hybridized.hpp>
#include <sinter/nn/layers/pooling.hpp>
using namespace sinter;

int main() {
  nd::tensor<float, shape<1, 8, 4, 4>> const x;
#ifdef SINTER_FAIL
  nn::conv2d<6, 3, 1, 1, 1, 4> net;
#else
  nn::conv2d<8, 3, 1, 1, 1, 4> net;
#endif
  return (net.initialize(), net.hybridize()(x).size()) != 128;
}
