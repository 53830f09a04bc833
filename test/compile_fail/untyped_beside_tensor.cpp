// SPDX-License-Identifier: Apache-2.0
// A symbol of a running program beside a tensor.
// lines-clang: 20
// lines-gcc: 8
// expect: sinter: an operation has a symbol beside a tensor; put sym::var("x") in its place, and give eval or bind the tensor: y.eval({{"x", x}})
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/symbol.hpp>

int main() {
  sinter::symbol const h = sinter::sym::var("h");
  sinter::nd::tensor<float, sinter::shape<2, 3>> const x;
#ifdef SINTER_FAIL
  auto const y = h + x;
#else
  auto const y = h + sinter::sym::var("x", x.shape());
#endif
  return y.outputs();
}
