// SPDX-License-Identifier: Apache-2.0
// A loop over a symbol and a tensor.
// lines-gcc: 10
// lines-clang: 32
// expect: sinter: a loop runs over tensors: sequences and states are each a tensor or a std::tuple of tensors
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/symbol.hpp>

using namespace sinter;
using matrix = nd::tensor<float, shape<2, 3>>;

struct sums : nn::hybrid_block<sums> {
  constexpr auto hybrid_forward(auto F, auto rows, auto state) const {
    return F.foreach ([](auto row, auto s) { return std::tuple(row + s, s); }, rows, state);
  }
};

int main() {
  symbol const x = sym::var("x"), y = exp(x);
  matrix const a;
#ifdef SINTER_FAIL
  return std::get<0>(sums{}(x, a)).outputs();
#else
  return std::get<0>(sums{}(x, y)).outputs();
#endif
}
