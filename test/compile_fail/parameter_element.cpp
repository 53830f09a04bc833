// SPDX-License-Identifier: Apache-2.0
// A parameter has no elements to index; a tensor of its values has.
// expect: sinter: a parameter is no tensor; net.weight.data<shape<10, 8>>() is one, a copy of its values, and in a block F.get(weight, shape<10, 8>{})
// lines-gcc: 7
// lines-clang: 31
#include <sinter/nn/layers/basic.hpp>

int main() {
  sinter::nn::dense<4> layer;
  layer.initialize();
#ifdef SINTER_FAIL
  return layer.weight(0, 0) == 0;
#else
  return layer.weight.data<sinter::shape<4, 3>>()(0, 0) == 0;
#endif
}
