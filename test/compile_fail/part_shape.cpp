// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a tensor of this shape cannot be assigned to these elements, because it does not stretch to their shape
// lines-gcc: 13
// lines-clang: 14
#include <sinter/nn/space.hpp>
using namespace sinter;

int main() {
  nd::tensor<float, shape<2, 3>> const x;
#ifdef SINTER_FAIL
  x(all, range<0, 2>) = nd::tensor<float, shape<3>>{1, 2, 3};
#else
  x(all, range<0, 2>) = nd::tensor<float, shape<2>>{1, 2};
#endif
  return x(0, 0) != 1;
}
