// SPDX-License-Identifier: Apache-2.0
// expect: sinter: these operands do not fit: there is one length for each sequence: of (time, batch, ...), and with axis<1> of (batch, time, ...), as many as the batch
// lines-gcc: 8
// lines-clang: 22
#include <sinter/nn/space.hpp>
using namespace sinter;

int main() {
  nd::tensor<float, shape<5, 2>> const x;
  nd::tensor<int, shape<5>> const lengths;
#ifdef SINTER_FAIL
  return sequence_mask(x, lengths)[0] != 0;
#else
  return sequence_mask(x, lengths, axis<1>)[0] != 0;
#endif
}
