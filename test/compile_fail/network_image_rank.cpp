// SPDX-License-Identifier: Apache-2.0
// expect: sinter: these operands do not fit: a layer of one spatial axis (conv1d, max_pool1d) wants an operand of shape (batch, channels, width)
// lines-gcc: 25
// lines-clang: 52
#include <sinter/compile/hybridized.hpp>
#include <sinter/nn/layers/pooling.hpp>
using namespace sinter;

int main() {
  nn::hybrid_sequential<nn::max_pool2d<2>, nn::conv2d<4, 3>> net;
  net.initialize();
#ifdef SINTER_FAIL
  nd::tensor<float, shape<3, 8, 8>> const x;
#else
  nd::tensor<float, shape<1, 3, 8, 8>> const x;
#endif
  return net.hybridize()(x).size() != 16;
}
