// SPDX-License-Identifier: Apache-2.0
// A symbol and a vector of numbers.
// lines-gcc: 9
// lines-clang: 19
// expect: sinter: an operand is neither a tensor nor a number; nd::tensor<float, shape<8>>::from(v) copies the elements of a std::vector into one
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/symbol.hpp>

#include <vector>

using namespace sinter;
using matrix = nd::tensor<float, shape<2, 3>>;

int main() {
  symbol const x = sym::var("x"), y = exp(x);
  matrix const a;
#ifdef SINTER_FAIL
  std::vector<float> const v(3);
  return (y + v).outputs();
#else
  return static_cast<int>(y.outputs() + a.size());
#endif
}
