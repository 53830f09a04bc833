// SPDX-License-Identifier: Apache-2.0
// A single channel would stretch.
// expect: sinter: a residual_cell adds what its cell gives to what it is given, so both have the same number of channels
// lines-gcc: 20
// lines-clang: 40
#include <sinter/nn/layers/cells.hpp>
using namespace sinter;

int main() {
  nn::residual_cell<nn::rnn_cell<3>> cell;
  cell.initialize();
#ifdef SINTER_FAIL
  nd::tensor<float, shape<2, 1>> const x;
#else
  nd::tensor<float, shape<2, 3>> const x;
#endif
  return std::get<0>(cell(x))[0] != 0;
}
