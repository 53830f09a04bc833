// SPDX-License-Identifier: Apache-2.0
// expect: sinter: these operands do not fit: the grid is (batch, height, width, 2): a place, x and y, in an image of its batch for each element of the result
// lines-gcc: 8
// lines-clang: 22
#include <sinter/nn/space.hpp>
using namespace sinter;

int main() {
  nd::tensor<float, shape<2, 3, 4, 4>> const x;
  nd::tensor<float, shape<2, 2, 5, 5>> const grid;
#ifdef SINTER_FAIL
  return grid_sample(x, grid).size() != 150;
#else
  return grid_sample(x, transpose(grid, axes<0, 2, 3, 1>)).size() != 150;
#endif
}
