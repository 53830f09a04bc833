// SPDX-License-Identifier: Apache-2.0
// A tensor whose extents the compiler knows does not become one of dynamic extents by itself: going back may throw.
// expect: sinter: a tensor of another shape, dtype or device cannot be assigned to this one
// expect: tensor<T, S> h(s) where one of both shapes is dynamic
// expect: tensor_dynamic.cpp:14:
// lines-gcc: 7
// lines-clang: 7
#include <sinter/nn/space.hpp>
using sinter::shape;

int main() {
  sinter::nd::tensor<float, shape<2, 3>> const x;
#ifdef SINTER_FAIL
  sinter::nd::tensor<float, shape<sinter::dynamic, 3>> const y = x;
#else
  sinter::nd::tensor<float, shape<sinter::dynamic, 3>> const y(x);
#endif
  return y.size() == 0;
}
