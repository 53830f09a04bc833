// SPDX-License-Identifier: Apache-2.0
// expect: sinter: this network is compiled already
// expect: hybridize_twice.cpp:15:
// lines-gcc: 7
// lines-clang: 13
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  constexpr auto hybrid_forward(auto F, auto x) const { return F.relu(x); }
};

int main() {
#ifdef SINTER_FAIL
  auto fast = network{}.hybridize().hybridize();
#else
  auto fast = network{}.hybridize();
#endif
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
