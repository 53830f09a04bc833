// SPDX-License-Identifier: Apache-2.0
// Shapes that do not fit an operator in eager mode: both stand in the message.
// expect: sinter: these operands do not fit: the shapes do not broadcast; make them equal, or 1 where one should stretch
// expect: eager_operator.cpp:19:
// expect: shape<2, 3>
// expect: shape<2, 4>
// lines-gcc: 9
// lines-clang: 22
#include <sinter/nn/space.hpp>
using sinter::shape;

int main() {
  sinter::nd::tensor<float, shape<2, 3>> const a;
#ifdef SINTER_FAIL
  sinter::nd::tensor<float, shape<2, 4>> const b;
#else
  sinter::nd::tensor<float, shape<2, 1>> const b;
#endif
  auto const c = a + b;
  return c.size() == 0;
}
