// SPDX-License-Identifier: Apache-2.0
// A seed alone does not say how.
// expect: sinter: initialize() takes how the first values are made, and then the seed: net.initialize(init::xavier{}, 42)
// lines-gcc: 7
// lines-clang: 13
#include <sinter/nn/layers/basic.hpp>

int main() {
  sinter::nn::dense<10> layer;
#ifdef SINTER_FAIL
  layer.initialize(42);
#else
  layer.initialize(sinter::init::uniform{}, 42);
#endif
  return layer(sinter::nd::tensor<float, sinter::shape<1, 64>>{}).size() == 0;
}
