// SPDX-License-Identifier: Apache-2.0
// expect: sinter: hybrid_forward is private; write it in a public section of the block
// lines-gcc: 15
// lines-clang: 40
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
#ifdef SINTER_FAIL
 private:
  constexpr auto hybrid_forward(auto F, auto x) const { return F.relu(x); }
#else
  constexpr auto hybrid_forward(auto F, auto x) const { return F.relu(x); }
#endif
};

int main() {
  auto fast = network{}.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
