// SPDX-License-Identifier: Apache-2.0
// expect: sinter: x[i] is the element that is number i in row-major order; parts stand in parentheses: x(range<0, 2>, all)
// lines-gcc: 16
// lines-clang: 16
#include <sinter/nn/space.hpp>
using namespace sinter;

int main() {
  nd::tensor<float, shape<2>> const x{1, 2};
#ifdef SINTER_FAIL
  return x[range<0, 1>][0] != 1;
#else
  return x(range<0, 1>)[0] != 1;
#endif
  return 0;
}
