// SPDX-License-Identifier: Apache-2.0
// expect: sinter: relu: the operation has no such keyword
// expect: keyword_unknown.cpp:13:
// expect: key::axis, 1>
// lines-gcc: 19
// lines-clang: 13
#include <sinter/nn/space.hpp>

int main() {
  sinter::nd::tensor<float, sinter::shape<2, 3>> const x;
  auto const F = sinter::space_of(x);
#ifdef SINTER_FAIL
  return F.relu(x, sinter::axis<1>).size() == 0;
#else
  return F.softmax(x, sinter::axis<1>).size() == 0;
#endif
}
