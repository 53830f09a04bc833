// SPDX-License-Identifier: Apache-2.0
// A symbol as a tensor.
// lines-gcc: 8
// lines-clang: 19
// expect: sinter: a symbol has no values; y.eval({{"x", x}})[0].as<nd::tensor<float, shape<2, 3>>>() is a tensor of those that it gets
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/symbol.hpp>

using namespace sinter;
using matrix = nd::tensor<float, shape<2, 3>>;

int main() {
  symbol const x = sym::var("x"), y = exp(x);
  matrix const a;
#ifdef SINTER_FAIL
  matrix const b = y;
  return b.size() == 0;
#else
  matrix const b = y.eval({{"x", a}})[0].as<matrix>();
  return b.size() == 0;
#endif
}
