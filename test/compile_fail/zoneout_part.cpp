// SPDX-License-Identifier: Apache-2.0
// expect: sinter: zoneout_cell<lstm_cell<8>, 0.1, 0.2> has the parts of outputs and states that stay, at least 0 and less than 1
// lines-gcc: 20
// lines-clang: 30
#include <sinter/nn/layers/cells.hpp>
using namespace sinter;

int main() {
#ifdef SINTER_FAIL
  nn::zoneout_cell<nn::rnn_cell<3>, 10> cell;
#else
  nn::zoneout_cell<nn::rnn_cell<3>, 0.1> cell;
#endif
  cell.initialize();
}
