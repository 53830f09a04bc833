// SPDX-License-Identifier: Apache-2.0
// expect: sinter: the channels, the kernel or the window, the strides, the dilation and the groups of a layer are from 1 on, the padding from 0 on
// lines-gcc: 20
// lines-clang: 34
#include <sinter/nn/layers/pooling.hpp>
using namespace sinter;

int main() {
#ifdef SINTER_FAIL
  nn::max_pool1d<2, 0> const net;
#else
  nn::max_pool1d<2, 1> const net;
#endif
  return net(nd::tensor<float, shape<1, 1, 4>>{})[0] != 0;
}
