// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a concurrent holds blocks; an activation is one as nn::activation<nn::relu>{}, a function as nn::lambda{f}
// lines-gcc: 12
// lines-clang: 25
#include <sinter/compile/plain.hpp>
namespace nn = sinter::nn;
using sinter::shape;

int main() {
#ifdef SINTER_FAIL
  nn::concurrent net{nn::dense<4>{}, nn::relu{}};
#else
  nn::concurrent net{nn::dense<4>{}, nn::activation<nn::relu>{}};
#endif
  net.initialize();
  return net(sinter::nd::tensor<float, shape<1, 3>>{1, 2, 3}).size() == 0;
}
