// SPDX-License-Identifier: Apache-2.0
// Operands in braces, as NumPy and PyTorch write a list of them.
// expect: sinter: concat: operands are written one by one, without braces around them; call it as concat(a, b, ..., axis<1>)
// lines-gcc: 13
// lines-clang: 19
#include <sinter/nn/space.hpp>

int main() {
  sinter::nd::tensor<float, sinter::shape<2, 3>> const x;
#ifdef SINTER_FAIL
  return sinter::concat({x, x}, sinter::axis<0>).size() == 0;
#else
  return sinter::concat(x, x, sinter::axis<0>).size() == 0;
#endif
}
