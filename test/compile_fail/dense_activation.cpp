// SPDX-License-Identifier: Apache-2.0
// A dtype in the place of the activation.
// expect: sinter: the activation of a layer is nn::relu, another one, or nn::no_activation; the dtype of its parameters comes behind it
// lines-gcc: 17
// lines-clang: 11
#include <sinter/sinter.hpp>
namespace nn = sinter::nn;
using sinter::shape;

int main() {
#ifdef SINTER_FAIL
  nn::dense<4, double> layer;
#else
  nn::dense<4, nn::no_activation, double> layer;
#endif
  layer.initialize();
  return layer(sinter::nd::tensor<double, shape<2, 3>>{}).size() == 0;
}
