// SPDX-License-Identifier: Apache-2.0
// Kinds do not mix in eager mode.
// expect: sinter: these operands do not fit: the dtypes are of different kinds; cast one of them: F.cast(x, as<float>), in eager code sinter::cast
// expect: eager_dtypes.cpp:19:
// lines-gcc: 8
// lines-clang: 22
#include <sinter/nn/space.hpp>
using sinter::shape;

int main() {
  sinter::nd::tensor<float, shape<2, 3>> const a;
#ifdef SINTER_FAIL
  sinter::nd::tensor<std::int64_t, shape<2, 3>> const b;
#else
  sinter::nd::tensor<double, shape<2, 3>> const b;
#endif
  auto const F = sinter::space_of(a);

  auto const c = F.multiply(a, b);

  return c.size() == 0;
}
