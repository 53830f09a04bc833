// SPDX-License-Identifier: Apache-2.0
// expect: sinter: these operands do not fit: indices are (k, places...), with coordinates for the array
// lines-gcc: 8
// lines-clang: 22
#include <sinter/nn/space.hpp>
using namespace sinter;

int main() {
  nd::tensor<float, shape<4, 3>> const x;
#ifdef SINTER_FAIL
  nd::tensor<int, shape<5, 2>> const places;
#else
  nd::tensor<int, shape<2, 5>> const places;
#endif
  return gather_nd(x, places)[0] != 0;
}
