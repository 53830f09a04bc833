// SPDX-License-Identifier: Apache-2.0
// States of another number than before.
// lines-gcc: 8
// lines-clang: 19
// expect: sinter: the function of a loop gives states of another shape, dtype or number than it is given; they are those of the next turn
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/symbol.hpp>

using namespace sinter;
using matrix = nd::tensor<float, shape<2, 3>>;

int main() {
  symbol const x = sym::var("x"), y = exp(x);
  matrix const a;
#ifdef SINTER_FAIL
  return std::get<0>(sym::composing{}.foreach ([](auto row, auto s) { return std::tuple(row, std::tuple(s, s)); }, x, y)).outputs();
#else
  return std::get<0>(sym::composing{}.foreach ([](auto row, auto s) { return std::tuple(row, s); }, x, y)).outputs();
#endif
}
