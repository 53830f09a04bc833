// SPDX-License-Identifier: Apache-2.0
// Eagerly nothing but the operands says what a named dimension is.
// lines-clang: 22
// lines-gcc: 8
// expect: sinter: the new shape names a dimension that no operand has
#include <sinter/nn/space.hpp>
using sinter::dim;
using sinter::shape;

int main() {
  sinter::nd::tensor<float, shape<6>> const bias;
#ifdef SINTER_FAIL
  auto const b = sinter::broadcast_to(bias, sinter::into<dim<"batch">, 6>);
#else
  auto const b = sinter::broadcast_to(bias, sinter::into<4, 6>);
#endif
  return b.size() == 0;
}
