// SPDX-License-Identifier: Apache-2.0
// Dynamic dimensions without names are different ones; three operands of rank 8 have more than can be told apart.
// lines-clang: 25
// lines-gcc: 8
// expect: sinter: the result would have more than eight dimensions, or the operands have more than sixteen dynamic ones
#include <sinter/nn/space.hpp>
using sinter::dynamic;
using sinter::shape;

int main() {
  using all = shape<dynamic, dynamic, dynamic, dynamic, dynamic, dynamic, dynamic, dynamic>;
  sinter::nd::tensor<float, all> const a, b, c;
#ifdef SINTER_FAIL
  auto const y = sinter::clip(a, b, c);
#else
  auto const y = sinter::maximum(a, b);
#endif
  return y.size() != 0;
}
