// SPDX-License-Identifier: Apache-2.0
// expect: sinter: the place for a result must not be const, and this tensor is; declare it without const
// expect: const_out.cpp:12:
// lines-gcc: 8
// lines-clang: 12
#include <sinter/nn/space.hpp>

int main() {
  sinter::nd::tensor<float, sinter::shape<4>> x, y;
#ifdef SINTER_FAIL
  sinter::nd::tensor<float, sinter::shape<4>> const result;
  sinter::nd::out(result).add(x, y);
#else
  sinter::nd::out(y).add(x, y);
#endif
}
