// SPDX-License-Identifier: Apache-2.0
// The same in eager mode, on the line of the caller.
// expect: sinter: add: these operands do not fit
// expect: eager_shapes.cpp:21:
// expect: shape<2, 3>
// expect: shape<2, 4>
// lines-gcc: 19
// lines-clang: 13
#include <sinter/nn/space.hpp>
using sinter::shape;

int main() {
  sinter::nd::tensor<float, shape<2, 3>> const a;
#ifdef SINTER_FAIL
  sinter::nd::tensor<float, shape<2, 4>> const b;
#else
  sinter::nd::tensor<float, shape<2, 1>> const b;
#endif
  auto const F = sinter::space_of(a);

  auto const c = F.add(a, b);

  return c.size() == 0;
}
