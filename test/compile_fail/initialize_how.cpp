// SPDX-License-Identifier: Apache-2.0
// How a network is initialized has a type, and the seed is the second argument.
// expect: sinter: initialize() takes how the first values are made, and then the seed: net.initialize(init::xavier{}, 42)
// lines-gcc: 7
// lines-clang: 13
#include <sinter/nn/layers/basic.hpp>

int main() {
  sinter::nn::dense<10> layer;
#ifdef SINTER_FAIL
  layer.initialize("xavier");
#else
  layer.initialize(sinter::init::xavier{});
#endif
  return layer(sinter::nd::tensor<float, sinter::shape<1, 64>>{}).size() == 0;
}
