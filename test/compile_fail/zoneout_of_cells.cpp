// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a zoneout_cell is put around a recurrent cell, or a residual_cell of one; in other cells put it around those inside
// lines-gcc: 20
// lines-clang: 30
#include <sinter/nn/layers/cells.hpp>
using namespace sinter;

int main() {
#ifdef SINTER_FAIL
  nn::zoneout_cell<nn::sequential_rnn_cell<nn::rnn_cell<3>, nn::rnn_cell<3>>, 0.1> cell;
#else
  nn::sequential_rnn_cell<nn::rnn_cell<3>, nn::zoneout_cell<nn::rnn_cell<3>, 0.1>> cell;
#endif
  cell.initialize();
}
