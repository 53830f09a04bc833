// SPDX-License-Identifier: Apache-2.0
// An array as a type of elements.
// lines-gcc: 8
// lines-clang: 19
// expect: sinter: an array becomes a tensor, whose type has a shape: a.as<nd::tensor<float, shape<2, 3>>>()
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/symbol.hpp>

using namespace sinter;
using matrix = nd::tensor<float, shape<2, 3>>;

int main() {
  symbol const x = sym::var("x"), y = exp(x);
  matrix const a;
#ifdef SINTER_FAIL
  return y.eval({{"x", a}})[0].as<float>() > 0;
#else
  return y.eval({{"x", a}})[0].as<matrix>().size() == 0;
#endif
}
