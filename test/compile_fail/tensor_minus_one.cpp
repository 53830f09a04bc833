// SPDX-License-Identifier: Apache-2.0
// -1 is no extent; `dynamic` is what other libraries write as -1.
// lines-gcc: 7
// lines-clang: 10
// expect: sinter: an extent of a shape is a number from 0 on, sinter::dynamic or sinter::dim<"name">
#include <sinter/nn/space.hpp>

int main() {
#ifdef SINTER_FAIL
  sinter::nd::tensor<float, sinter::shape<-1, 3>> const x;
#else
  sinter::nd::tensor<float, sinter::shape<sinter::dynamic, 3>> const x;
#endif
  return static_cast<int>(x.size());
}
