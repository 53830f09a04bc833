// SPDX-License-Identifier: Apache-2.0
// An eager tensor inside of a network.
// expect: sinter: an operation has a symbol beside an eager tensor
// expect: symbol_constant.cpp:13:
// lines-gcc: 14
// lines-clang: 47
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    return F.relu(x + sinter::nd::tensor<float, sinter::shape<1, 8>>{});
#else
    return F.relu(x + 1);
#endif
  }
};

int main() {
  auto fast = network{}.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
