// SPDX-License-Identifier: Apache-2.0
// lines-gcc: 8
// lines-clang: 19
// expect: sinter: an operand is neither a tensor nor a number; nd::tensor<float, shape<8>>::from(v) copies the elements of a std::vector into one
#include <sinter/nn/layers/basic.hpp>

#include <vector>

int main() {
  sinter::nd::tensor<float, sinter::shape<4>> const x;
  std::vector<float> const v(4);
#ifdef SINTER_FAIL
  return sinter::maximum(x, v).size() == 0;
#else
  return sinter::maximum(x, sinter::nd::tensor<float, sinter::shape<4>>::from(v)).size() == 0;
#endif
}
