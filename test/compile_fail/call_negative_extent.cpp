// SPDX-License-Identifier: Apache-2.0
// A negative extent.
// expect: sinter: into<2, -1> takes extents, dim<"..."> and one -1 for what is left over, but no other negative number
#include <sinter/nn/space.hpp>

int main() {
  sinter::nd::tensor<float, sinter::shape<2, 3>> const x;
#ifdef SINTER_FAIL
  return sinter::reshape(x, sinter::into<-2, 3>).size() == 0;
#else
  return sinter::reshape(x, sinter::into<-1, 3>).size() == 0;
#endif
}
