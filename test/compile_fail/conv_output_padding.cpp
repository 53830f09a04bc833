// SPDX-License-Identifier: Apache-2.0
// expect: sinter: the output padding of a transposed convolution is less than its stride, or than its dilation
// lines-gcc: 14
// lines-clang: 16
#include <sinter/compile/hybridized.hpp>
#include <sinter/nn/layers/transposed.hpp>
using namespace sinter;

int main() {
  nd::tensor<float, shape<1, 3, 4, 4>> const x;
#ifdef SINTER_FAIL
  nn::conv2d_transpose<4, 3, 2, 1, 2> net;
#else
  nn::conv2d_transpose<4, 3, 2, 1, 1> net;
#endif
  return (net.initialize(), net.hybridize()(x).size()) != 256;
}
