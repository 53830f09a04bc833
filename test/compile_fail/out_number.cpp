// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a number is no place for a result, and nd::out takes a tensor: nd::out(y)
// expect: out_number.cpp:12:
// lines-gcc: 12
// lines-clang: 20
#include <sinter/nn/space.hpp>

int main() {
  sinter::nd::tensor<float, sinter::shape<4>> x, y;
#ifdef SINTER_FAIL
  float sum = 0;
  sinter::nd::out(sum).sum(x);
#else
  sinter::nd::out(y).negative(x);
#endif
}
