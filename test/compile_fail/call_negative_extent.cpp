// SPDX-License-Identifier: Apache-2.0
// A negative extent.
// lines-gcc: 27
// lines-clang: 190
// after-gcc: 17
// after-clang: 170
// expect: sinter: an extent of a new shape is a number from 0 on, -1 for what is left over, sinter::dynamic or sinter::dim<"name">
#include <sinter/nn/space.hpp>

int main() {
  sinter::nd::tensor<float, sinter::shape<2, 3>> const x;
#ifdef SINTER_FAIL
  return sinter::reshape(x, sinter::into<-2, 3>).size() == 0;
#else
  return sinter::reshape(x, sinter::into<-1, 3>).size() == 0;
#endif
}
