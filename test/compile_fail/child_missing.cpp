// SPDX-License-Identifier: Apache-2.0
// lines-clang: 10
// lines-gcc: 6
// expect: sinter: a container has no child of this number; the first is at<0>()
#include <sinter/nn/layers/basic.hpp>
namespace nn = sinter::nn;

int main() {
  nn::hybrid_sequential<nn::dense<4>, nn::dense<2>> net;
#ifdef SINTER_FAIL
  return net.at<2>().weight.has_values();
#else
  return net.at<1>().weight.has_values();
#endif
}
