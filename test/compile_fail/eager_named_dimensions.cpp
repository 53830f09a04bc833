// SPDX-License-Identifier: Apache-2.0
// Two names that meet are an error in eager mode too.
// expect: sinter: these operands do not fit: the shapes do not broadcast; make them equal, or 1 where one should stretch
// expect: eager_named_dimensions.cpp:20:
// expect: batch
// expect: time
// lines-gcc: 9
// lines-clang: 22
#include <sinter/nn/space.hpp>
using sinter::dim;
using sinter::shape;

int main() {
  auto const x = sinter::nd::tensor<float, shape<dim<"batch">, 4>>::of(2, 4);
#ifdef SINTER_FAIL
  auto const y = sinter::nd::tensor<float, shape<dim<"time">, 4>>::of(2, 4);
#else
  auto const y = sinter::nd::tensor<float, shape<dim<"batch">, 4>>::of(2, 4);
#endif
  return (x + y).size() == 0;
}
