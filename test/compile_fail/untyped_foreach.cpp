// SPDX-License-Identifier: Apache-2.0
// A loop over a symbol of a running program.
// lines-clang: 20
// lines-gcc: 14
// expect: sinter: F.foreach takes tensors, and no symbols of a running program yet
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/symbol.hpp>

struct sums : sinter::nn::hybrid_block<sums> {
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    return F.foreach ([](auto row, auto state) { return std::tuple(row + state, row + state); }, x, x);
#else
    return F.sum(x, sinter::axis<0>);
#endif
  }
};

int main() { return sums{}(sinter::sym::var("x")).outputs(); }
