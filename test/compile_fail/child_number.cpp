// SPDX-License-Identifier: Apache-2.0
// lines-clang: 13
// lines-gcc: 7
// expect: sinter: the children of a container have different types, so the compiler must know the number: net.at<0>()
#include <sinter/nn/layers/basic.hpp>
namespace nn = sinter::nn;

int main() {
  nn::hybrid_sequential<nn::dense<4>, nn::dense<2>> net;
#ifdef SINTER_FAIL
  auto const& first = net[0];
#else
  auto const& first = net.at<0>();
#endif
  return first.weight.has_values();
}
