// SPDX-License-Identifier: Apache-2.0
// What changes in place is not const.
// expect: sinter: the place for a result must not be const, and this tensor is; declare it without const
// expect: const_in_place.cpp:15:
// lines-gcc: 9
// lines-clang: 16
#include <sinter/nn/space.hpp>

int main() {
#ifdef SINTER_FAIL
  sinter::nd::tensor<int, sinter::shape<2>> const x{1, 2};
#else
  sinter::nd::tensor<int, sinter::shape<2>> x{1, 2};
#endif
  x += 1;
  return x(0) - 2;
}
