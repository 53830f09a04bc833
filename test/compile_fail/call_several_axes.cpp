// SPDX-License-Identifier: Apache-2.0
// More axes than one for what works along one.
// lines-clang: 25
// lines-gcc: 19
// expect: sinter: argmax: a keyword is missing, given twice, or has too many or too few values; call it as argmax(x, axis<1>, keepdims)
#include <sinter/nn/space.hpp>

int main() {
  sinter::nd::tensor<float, sinter::shape<2, 3>> const x;
#ifdef SINTER_FAIL
  return sinter::argmax(x, sinter::axis<0, 1>).size() == 0;
#else
  return sinter::argmax(x, sinter::axis<1>).size() == 0;
#endif
}
