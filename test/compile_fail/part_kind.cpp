// SPDX-License-Identifier: Apache-2.0
// expect: sinter: this number is of a higher kind than the elements that it is assigned to
// lines-gcc: 13
// lines-clang: 14
#include <sinter/nn/space.hpp>
using namespace sinter;

int main() {
  nd::tensor<int, shape<2, 3>> const x;
#ifdef SINTER_FAIL
  x(nth<0>) = 0.5;
#else
  x(nth<0>) = 5;
#endif
  return x(0, 0) != 5;
}
