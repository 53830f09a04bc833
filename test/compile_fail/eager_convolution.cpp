// SPDX-License-Identifier: Apache-2.0
// Groups that do not fit the channels, on the line of the caller.
// expect: sinter: these operands do not fit: the channels differ: weights are (outputs, inputs / groups, kernel...), and the groups divide the channels of both operands
// expect: eager_convolution.cpp:15:
// lines-gcc: 8
// lines-clang: 22
#include <sinter/nn/space.hpp>
using sinter::shape;

int main() {
  sinter::nd::tensor<float, shape<1, 6, 4, 9>> const x;
  sinter::nd::tensor<float, shape<8, 3, 3, 3>> const w;
  auto const F = sinter::space_of(x);
#ifdef SINTER_FAIL
  auto const y = F.convolution(x, w, sinter::groups<3>);
#else
  auto const y = F.convolution(x, w, sinter::groups<2>);
#endif
  return y.size() == 0;
}
