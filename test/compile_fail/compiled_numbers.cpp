// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a compiled network is called with tensors, or std::tuple of them
// lines-gcc: 6
// lines-clang: 7
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  constexpr auto hybrid_forward(auto F, auto x) const { return F.relu(x); }
};

int main() {
  auto fast = network{}.hybridize();
#ifdef SINTER_FAIL
  float v[8]{};
  return fast(v).size() == 0;
#else
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
#endif
}
