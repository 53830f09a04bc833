// SPDX-License-Identifier: Apache-2.0
// lines-gcc: 9
// lines-clang: 19
// expect: sinter: an operand is neither a tensor nor a number; nd::tensor<float, shape<8>>::from(v) copies the elements of a std::vector into one
#include <sinter/nn/layers/basic.hpp>

#include <vector>

int main() {
  sinter::nd::tensor<float, sinter::shape<4>> x;
  std::vector<float> const v(4);
#ifdef SINTER_FAIL
  auto const y = x + v;
#else
  auto const y = x + sinter::nd::tensor<float, sinter::shape<4>>::from(v);
#endif
  return y.size() == 0;
}
