// SPDX-License-Identifier: Apache-2.0
// Every return gives one type.
// expect: sinter: a symbol of another shape or dtype cannot be converted to this one
// lines-gcc: 19
// lines-clang: 28
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
#ifdef SINTER_FAIL
  constexpr auto hybrid_forward(auto F, auto x) const -> decltype(x) { return F.sum(x); }
#else
  constexpr auto hybrid_forward(auto F, auto x) const { return F.where(F.sum(x) > 0, x, F.relu(x)); }
#endif
};

int main() {
  auto fast = network{}.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
