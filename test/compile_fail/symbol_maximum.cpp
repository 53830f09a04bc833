// SPDX-License-Identifier: Apache-2.0
// The function of another library, which compares.
// expect: sinter: a branch cannot depend on a symbol; use F.where
// lines-gcc: 20
// lines-clang: 44
#include <algorithm>
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    return std::max(F.relu(x), F.exp(x));
#else
    return F.maximum(F.relu(x), F.exp(x));
#endif
  }
};

int main() {
  auto fast = network{}.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
