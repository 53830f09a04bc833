// SPDX-License-Identifier: Apache-2.0
// expect: sinter: these operands do not fit: the index has the shape of the operand without the axis, or with 1 there
// lines-gcc: 8
// lines-clang: 22
#include <sinter/nn/space.hpp>
using namespace sinter;

int main() {
  nd::tensor<float, shape<2, 3>> const x;
#ifdef SINTER_FAIL
  nd::tensor<int, shape<3>> const index;
#else
  nd::tensor<int, shape<2>> const index;
#endif
  return pick(x, index)[0] != 0;
}
