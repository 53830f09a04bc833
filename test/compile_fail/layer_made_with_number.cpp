// SPDX-License-Identifier: Apache-2.0
// The number of inputs is no argument of a layer, as it is elsewhere.
// expect: sinter: a layer is made without numbers: what shapes it is in its type, nn::dense<10>, and the first call says how many inputs it has
// lines-gcc: 12
// lines-clang: 7
#include <sinter/nn/layers/basic.hpp>

int main() {
#ifdef SINTER_FAIL
  sinter::nn::dense<10> layer(64);
#else
  sinter::nn::dense<10> layer;
#endif
  layer.initialize();
  return layer(sinter::nd::tensor<float, sinter::shape<1, 64>>{}).size() == 0;
}
