// SPDX-License-Identifier: Apache-2.0
// Parts and an axis as plain numbers.
// lines-clang: 13
// lines-gcc: 13
// expect: sinter: split: too many or too few operands; call it as split(x, parts<3>, axis<1>)
// expect: split_number.cpp:13:
#include <sinter/nn/space.hpp>

int main() {
  sinter::nd::tensor<float, sinter::shape<2, 6>> const x;
  auto const F = sinter::space_of(x);
#ifdef SINTER_FAIL
  auto const parts = F.split(x, 3, 1);
#else
  auto const parts = F.split(x, sinter::parts<3>, sinter::axis<1>);
#endif
  return sizeof(parts) == 0;
}
