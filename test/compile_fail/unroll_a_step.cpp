// SPDX-License-Identifier: Apache-2.0
// expect: sinter: unroll runs along a sequence of steps, (time, batch, channels)
// lines-gcc: 20
// lines-clang: 30
#include <sinter/nn/layers/cells.hpp>
using namespace sinter;

int main() {
  nn::unrolled<nn::gru_cell<3>> net;
  net.initialize();
#ifdef SINTER_FAIL
  nd::tensor<float, shape<2, 5>> const x;
#else
  nd::tensor<float, shape<4, 2, 5>> const x;
#endif
  return net(x)[0] != 0;
}
