// SPDX-License-Identifier: Apache-2.0
// The name in PyTorch.
// expect: sinter: this block has no `constexpr auto hybrid_forward(auto F, auto x) const`
// lines-gcc: 11
// lines-clang: 28
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
#ifdef SINTER_FAIL
  constexpr auto forward(auto F, auto x) const { return F.relu(x); }
#else
  constexpr auto hybrid_forward(auto F, auto x) const { return F.relu(x); }
#endif
};

int main() {
  auto fast = network{}.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
