// SPDX-License-Identifier: Apache-2.0
// expect: sinter: nd::out says of a tensor that it is for the result, and is written once: nd::out(y)
// expect: out_twice.cpp:11:
// lines-gcc: 8
// lines-clang: 12
#include <sinter/nn/space.hpp>

int main() {
  sinter::nd::tensor<float, sinter::shape<4>> x, y;
#ifdef SINTER_FAIL
  sinter::nd::out(sinter::nd::out(y)).negative(x);
#else
  sinter::nd::out(y).negative(x);
#endif
}
