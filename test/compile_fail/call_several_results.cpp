// SPDX-License-Identifier: Apache-2.0
// lines-gcc: 9
// lines-clang: 22
// expect: sinter: an operand is several results in a std::tuple; an operation takes one of them: std::get<0>(y)
#include <sinter/nn/layers/basic.hpp>

int main() {
  sinter::nd::tensor<float, sinter::shape<2, 4>> const x;
  auto const y = sinter::split(x, sinter::parts<2>, sinter::axis<1>);
#ifdef SINTER_FAIL
  return sinter::exp(y).size() == 0;
#else
  return sinter::exp(std::get<0>(y)).size() == 0;
#endif
}
