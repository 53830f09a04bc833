// SPDX-License-Identifier: Apache-2.0
// expect: sinter: these operands do not fit: the regions are (number, 5): the index of an image, then x and y of two opposite corners
// lines-gcc: 8
// lines-clang: 22
#include <sinter/nn/space.hpp>
using namespace sinter;

int main() {
  nd::tensor<float, shape<2, 3, 4, 4>> const x;
#ifdef SINTER_FAIL
  nd::tensor<float, shape<6, 4>> const rois;
#else
  nd::tensor<float, shape<6, 5>> const rois;
#endif
  return roi_pool(x, rois, into<2, 2>).size() != 72;
}
