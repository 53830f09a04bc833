// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a branch cannot depend on a symbol; use F.where
// expect: symbol_loop.cpp:12:
// lines-gcc: 13
// lines-clang: 41
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    while (F.sum(x) > 0) {
      x = x - 1;
      break;
    }
    return F.relu(x);
#else
    return F.relu(F.where(F.sum(x) > 0, x - 1, x));
#endif
  }
};

int main() {
  auto fast = network{}.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
