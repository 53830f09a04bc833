// SPDX-License-Identifier: Apache-2.0
// A tensor of indices is no index.
// expect: sinter: an index is an integer, nth<2>, all, range<1, 3>, range(i, j), ellipsis or newaxis; sinter::take(x, i) gives the parts that a tensor of indices names, and sinter::where(condition, x, y) chooses by truth values
// lines-gcc: 9
// lines-clang: 13
#include <sinter/nn/space.hpp>
using namespace sinter;

int main() {
  nd::tensor<float, shape<3>> const x{1, 2, 3};
  nd::tensor<int, shape<2>> const i{2, 0};
#ifdef SINTER_FAIL
  return x(i) != 3;
#else
  return take(x, i)(0) != 3;
#endif
}
