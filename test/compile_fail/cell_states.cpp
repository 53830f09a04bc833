// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a recurrent cell is called with a step, (batch, channels), unrolled with (time, batch, channels), and its states have the shape (batch, Hidden); lstm_cell<16> called with (8, 5) wants two states (8, 16)
// lines-gcc: 20
// lines-clang: 30
#include <sinter/nn/layers/cells.hpp>
using namespace sinter;

int main() {
  nn::lstm_cell<3> cell;
  cell.initialize();
  nd::tensor<float, shape<2, 5>> const x;
#ifdef SINTER_FAIL
  nd::tensor<float, shape<1, 2, 3>> const h;
#else
  nd::tensor<float, shape<2, 3>> const h;
#endif
  return std::get<0>(cell(x, h, h))[0] != 0;
}
