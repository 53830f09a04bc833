// SPDX-License-Identifier: Apache-2.0
// What a container is told instead of an activation.
// expect: sinter: a hybrid_sequential holds hybrid blocks; an activation is one as nn::activation<nn::relu>{}, a function as nn::hybrid_lambda{f}
// lines-gcc: 6
// lines-clang: 7
#include <sinter/nn/layers/basic.hpp>
namespace nn = sinter::nn;

int main() {
#ifdef SINTER_FAIL
  nn::hybrid_sequential net{nn::dense<4>{}, nn::relu{}};
#else
  nn::hybrid_sequential net{nn::dense<4>{}, nn::activation<nn::relu>{}};
#endif
  net.initialize();
  return net(sinter::nd::tensor<float, sinter::shape<1, 3>>{1, 2, 3}).size() == 0;
}
