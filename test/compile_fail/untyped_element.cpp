// SPDX-License-Identifier: Apache-2.0
// An element of a symbol.
// lines-gcc: 8
// lines-clang: 19
// expect: sinter: a symbol has no elements; y.eval({{"x", x}}) gives arrays, y(0, ellipsis) is a part of y, and y[1] its second output
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/symbol.hpp>

using namespace sinter;
using matrix = nd::tensor<float, shape<2, 3>>;

int main() {
  symbol const x = sym::var("x"), y = exp(x);
  matrix const a;
#ifdef SINTER_FAIL
  return y(0, 0) > 0;
#else
  return y.eval({{"x", a}})[0].as<matrix>()(0, 0) > 0;
#endif
}
