// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a bidirectional_cell has no step, because it runs from both ends: nn::unroll(F, cell, x), or nn::unrolled<nn::bidirectional_cell<...>>
// lines-gcc: 20
// lines-clang: 30
#include <sinter/nn/layers/cells.hpp>
using namespace sinter;

int main() {
  using cell = nn::bidirectional_cell<nn::rnn_cell<3>, nn::rnn_cell<3>>;
#ifdef SINTER_FAIL
  cell net;
  net.initialize();
  return std::get<0>(net(nd::tensor<float, shape<2, 5>>{}))[0] != 0;
#else
  nn::unrolled<cell> net;
  net.initialize();
  return net(nd::tensor<float, shape<4, 2, 5>>{})[0] != 0;
#endif
}
