// SPDX-License-Identifier: Apache-2.0
// Parts that are joined do not broadcast.
// expect: sinter: these operands do not fit: the parts have as many dimensions as the first, and its extents along all axes but the one they are joined along
// lines-gcc: 8
// lines-clang: 22
#include <sinter/nn/space.hpp>
using sinter::shape;

int main() {
#ifdef SINTER_FAIL
  sinter::nd::tensor<float, shape<3>> const row;
#else
  sinter::nd::tensor<float, shape<1, 3>> const row;
#endif
  return sinter::concat(sinter::nd::tensor<float, shape<2, 3>>{}, row, sinter::axis<0>).size() == 0;
}
