// SPDX-License-Identifier: Apache-2.0
// expect: sinter: these operands do not fit: the channels differ: weights of a transposed convolution are (inputs, outputs / groups, kernel...)
// lines-gcc: 8
// lines-clang: 22
#include <sinter/nn/space.hpp>
using namespace sinter;

int main() {
  nd::tensor<float, shape<1, 6, 4>> const x;
#ifdef SINTER_FAIL
  nd::tensor<float, shape<3, 6, 2>> const w;
#else
  nd::tensor<float, shape<6, 3, 2>> const w;
#endif
  return convolution_transpose(x, w)[0] != 0;
}
