// SPDX-License-Identifier: Apache-2.0
// One argument, where a list of them is wanted.
// lines-gcc: 8
// lines-clang: 19
// expect: sinter: arguments are a list of pairs: y.bind({{"x", x}})
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/symbol.hpp>

using namespace sinter;
using matrix = nd::tensor<float, shape<2, 3>>;

int main() {
  symbol const x = sym::var("x"), y = exp(x);
  matrix const a;
#ifdef SINTER_FAIL
  return y.bind({"x", a}).outputs().empty();
#else
  return y.bind({{"x", a}}).outputs().empty();
#endif
}
