// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a hybrid_sequential holds hybrid blocks; an activation is one as nn::activation<nn::relu>{}, a function as nn::hybrid_lambda{f}
// lines-gcc: 6
// lines-clang: 7
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct doubled {
  constexpr auto hybrid_forward(auto F, auto x) const { return F.multiply(x, 2); }
};

int main() {
#ifdef SINTER_FAIL
  auto const net = nn::hybrid_sequential{nn::dense<4>{}, doubled{}};
#else
  auto const net = nn::hybrid_sequential{nn::dense<4>{}, nn::hybrid_lambda{[](auto F, auto x) { return F.multiply(x, 2); }}};
#endif
  auto fast = net.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
