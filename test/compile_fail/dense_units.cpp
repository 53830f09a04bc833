// SPDX-License-Identifier: Apache-2.0
// A layer of nothing.
// expect: sinter: a dense layer has one unit or more: nn::dense<10>
// lines-gcc: 9
// lines-clang: 10
#include <sinter/sinter.hpp>
using sinter::shape;

int main() {
#ifdef SINTER_FAIL
  sinter::nn::dense<0> layer;
#else
  sinter::nn::dense<1> layer;
#endif
  layer.initialize();
  return layer(sinter::nd::tensor<float, shape<2, 3>>{}).size() == 0;
}
