// SPDX-License-Identifier: Apache-2.0
// An axis as NumPy writes it.
// lines-clang: 13
// lines-gcc: 19
// expect: sinter: sum: too many or too few operands; call it as sum(x, axis<1>, keepdims, exclude)
// expect: call_number.cpp:12:
#include <sinter/nn/space.hpp>

int main() {
  sinter::nd::tensor<float, sinter::shape<2, 3>> const x;
#ifdef SINTER_FAIL
  return sinter::space_of(x).sum(x, 1).size() == 0;
#else
  return sinter::space_of(x).sum(x, sinter::axis<1>).size() == 0;
#endif
}
