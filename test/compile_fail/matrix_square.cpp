// SPDX-License-Identifier: Apache-2.0
// expect: sinter: these operands do not fit: the last two dimensions are those of a square matrix, and have the same extent
// lines-gcc: 8
// lines-clang: 22
#include <sinter/nn/space.hpp>
using namespace sinter;

int main() {
#ifdef SINTER_FAIL
  nd::tensor<float, shape<2, 3>> const a;
#else
  nd::tensor<float, shape<3, 3>> const a;
#endif
  return inverse(a)[0] != 0;
}
