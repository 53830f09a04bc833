// SPDX-License-Identifier: Apache-2.0
// expect: sinter: these operands do not fit: the axis cannot be cut into that many equal parts
// expect: split_uneven.cpp:12:
// lines-gcc: 8
// lines-clang: 22
#include <sinter/nn/space.hpp>

int main() {
  sinter::nd::tensor<float, sinter::shape<2, 6>> const x;
  auto const F = sinter::space_of(x);
#ifdef SINTER_FAIL
  return std::get<0>(F.split(x, sinter::parts<4>)).size() == 0;
#else
  return std::get<0>(F.split(x, sinter::parts<3>)).size() == 0;
#endif
}
