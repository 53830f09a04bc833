// SPDX-License-Identifier: Apache-2.0
// Kinds do not mix in eager mode.
// expect: sinter: multiply: these operands do not fit
// expect: dtypes be of one kind (F.cast)
// expect: eager_dtypes.cpp:20:
// lines-gcc: 19
// lines-clang: 13
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
