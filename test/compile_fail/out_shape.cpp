// SPDX-License-Identifier: Apache-2.0
// expect: sinter: the tensor given for the result has another shape than the result
// expect: out_shape.cpp:12:
// lines-gcc: 11
// lines-clang: 31
#include <sinter/nn/space.hpp>

int main() {
  sinter::nd::tensor<float, sinter::shape<2, 3>> const x;
#ifdef SINTER_FAIL
  sinter::nd::tensor<float, sinter::shape<3, 2>> y;
  sinter::nd::out(y).add(x, x);
#else
  sinter::nd::tensor<float, sinter::shape<2, 3>> y;
  sinter::nd::out(y).add(x, x);
#endif
  return y.size() == 0;
}
