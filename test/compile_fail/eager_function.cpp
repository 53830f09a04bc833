// SPDX-License-Identifier: Apache-2.0
// Shapes that do not fit a free function in eager mode.
// expect: sinter: these operands do not fit: the inner dimensions differ; the last of the first operand is summed with the matching one of the second
// expect: eager_function.cpp:19:
// expect: shape<2, 3>
// expect: shape<2, 4>
// lines-gcc: 8
// lines-clang: 22
#include <sinter/nn/space.hpp>
using sinter::shape;

int main() {
  sinter::nd::tensor<float, shape<2, 3>> const a;
#ifdef SINTER_FAIL
  sinter::nd::tensor<float, shape<2, 4>> const b;
#else
  sinter::nd::tensor<float, shape<3, 4>> const b;
#endif
  auto const c = sinter::matmul(a, b);
  return c.size() == 0;
}
