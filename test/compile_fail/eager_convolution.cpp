// SPDX-License-Identifier: Apache-2.0
// Groups that do not fit the channels, on the line of the caller.
// expect: sinter: convolution: these operands do not fit
// expect: call it as convolution(x, weight[, bias], stride<2>, pad<1>, dilate<1>, groups<1>)
// expect: eager_convolution.cpp:16:
// lines-gcc: 19
// lines-clang: 13
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
