// SPDX-License-Identifier: Apache-2.0
// expect: sinter: the tensor given for the result has another dtype than the result
// expect: out_dtype.cpp:12:
// lines-gcc: 11
// lines-clang: 31
#include <sinter/nn/space.hpp>

int main() {
  sinter::nd::tensor<float, sinter::shape<2, 3>> const x;
#ifdef SINTER_FAIL
  sinter::nd::tensor<double, sinter::shape<2, 3>> y;
  sinter::nd::out(y).add(x, x);
#else
  sinter::nd::tensor<float, sinter::shape<2, 3>> y;
  sinter::nd::out(y).add(x, x);
#endif
  return y.size() == 0;
}
