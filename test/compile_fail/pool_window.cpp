// SPDX-License-Identifier: Apache-2.0
// expect: sinter: these operands do not fit: the window is larger than the operand with its padding
// lines-gcc: 8
// lines-clang: 22
#include <sinter/nn/space.hpp>
using namespace sinter;

int main() {
  nd::tensor<float, shape<1, 2, 4, 4>> const x;
#ifdef SINTER_FAIL
  auto const y = max_pool(x, pool_size<5>);
#else
  auto const y = max_pool(x, pool_size<5>, pad<1>);
#endif
  return y[0] != 0;
}
