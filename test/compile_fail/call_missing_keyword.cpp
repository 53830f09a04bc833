// SPDX-License-Identifier: Apache-2.0
// A reshape that does not say into what.
// lines-clang: 25
// lines-gcc: 19
// expect: sinter: reshape: a keyword is missing, given twice, or has too many or too few values; call it as reshape(x, into<2, -1>)
#include <sinter/nn/space.hpp>

int main() {
  sinter::nd::tensor<float, sinter::shape<2, 3>> const x;
#ifdef SINTER_FAIL
  return sinter::reshape(x).size() == 0;
#else
  return sinter::reshape(x, sinter::into<3, 2>).size() == 0;
#endif
}
