// SPDX-License-Identifier: Apache-2.0
// expect: sinter: these operands do not fit: top is from 1 to the extent of the axis
// lines-gcc: 16
// lines-clang: 30
#include <sinter/nn/space.hpp>
using namespace sinter;

int main() {
  nd::tensor<float, shape<4>> const x;
#ifdef SINTER_FAIL
  auto const y = topk(x, top<5>);
#else
  auto const y = topk(x, top<4>);
#endif
  return std::get<0>(y).size() != 4;
}
