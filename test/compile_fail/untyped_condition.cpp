// SPDX-License-Identifier: Apache-2.0
// A number as the condition of a symbol.
// lines-gcc: 8
// lines-clang: 19
// expect: sinter: a condition is a tensor of one bool: F.sum(x) < 1
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/symbol.hpp>

using namespace sinter;
using matrix = nd::tensor<float, shape<2, 3>>;

int main() {
  symbol const x = sym::var("x"), y = exp(x);
  matrix const a;
#ifdef SINTER_FAIL
  return sym::composing{}.cond(true, [&] { return x; }, [&] { return y; }).outputs();
#else
  return sym::composing{}.cond(sum(x) < 1, [&] { return x; }, [&] { return y; }).outputs();
#endif
}
