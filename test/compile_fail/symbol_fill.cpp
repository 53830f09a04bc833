// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a symbol cannot be changed in place
// expect: symbol_fill.cpp:12:
// lines-gcc: 13
// lines-clang: 47
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    x.fill(1);
    return F.relu(x);
#else
    return F.relu(F.zeros_like(x) + 1);
#endif
  }
};

int main() {
  auto fast = network{}.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
