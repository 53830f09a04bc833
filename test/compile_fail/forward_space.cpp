// SPDX-License-Identifier: Apache-2.0
// F is forgotten.
// expect: sinter: the first operand of hybrid_forward is F, and this one takes nothing after it
// lines-gcc: 11
// lines-clang: 28
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
#ifdef SINTER_FAIL
  constexpr auto hybrid_forward(auto x) const { return x + 1; }
#else
  constexpr auto hybrid_forward(auto F, auto x) const { return F.relu(x); }
#endif
};

int main() {
  auto fast = network{}.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
