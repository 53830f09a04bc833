// SPDX-License-Identifier: Apache-2.0
// Labels for another number of examples.
// expect: sinter: these operands do not fit: the shapes are (time, batch, classes), (batch, labels) and, for each of the lengths, (batch); there is at least one class
// lines-gcc: 8
// lines-clang: 22
#include <sinter/nn/space.hpp>
using namespace sinter;

int main() {
  nd::tensor<float, shape<5, 2, 4>> const x;
#ifdef SINTER_FAIL
  nd::tensor<int, shape<5, 3>> const label;
#else
  nd::tensor<int, shape<2, 3>> const label;
#endif
  return ctc_loss(x, label)[0] != 0;
}
