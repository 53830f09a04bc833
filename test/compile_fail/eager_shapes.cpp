// SPDX-License-Identifier: Apache-2.0
// The same in eager mode, on the line of the caller.
// expect: sinter: these operands do not fit: the shapes do not broadcast; make them equal, or 1 where one should stretch
// expect: eager_shapes.cpp:21:
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
  sinter::nd::tensor<float, shape<2, 1>> const b;
#endif
  auto const F = sinter::space_of(a);

  auto const c = F.add(a, b);

  return c.size() == 0;
}
