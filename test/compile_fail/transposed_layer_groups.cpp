// SPDX-License-Identifier: Apache-2.0
// expect: sinter: the groups of a transposed convolution divide its channels
// lines-gcc: 14
// lines-clang: 16
#include <sinter/compile/hybridized.hpp>
#include <sinter/nn/layers/transposed.hpp>
using namespace sinter;

int main() {
  nd::tensor<float, shape<1, 4, 4, 4>> const x;
#ifdef SINTER_FAIL
  nn::conv2d_transpose<5, 3, 1, 0, 0, 1, 2, nn::no_activation, float, false> net;
#else
  nn::conv2d_transpose<6, 3, 1, 0, 0, 1, 2, nn::no_activation, float, false> net;
#endif
  return (net.initialize(), net(x).size()) != 216;
}
