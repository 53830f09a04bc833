// SPDX-License-Identifier: Apache-2.0
// expect: sinter: the hybrid_forward of a network returns a tensor or a std::tuple of tensors; this one returns something else
// expect: pair
// lines-gcc: 8
// lines-clang: 13
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    return std::pair(F.relu(x), F.exp(x));
#else
    return std::tuple(F.relu(x), F.exp(x));
#endif
  }
};

int main() {
  auto fast = network{}.hybridize();
  auto const y = fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{});
  (void)y;
}
