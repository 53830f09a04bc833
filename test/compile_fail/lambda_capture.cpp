// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a function in a network may not capture; what shapes the graph must be in its type
// lines-gcc: 6
// lines-clang: 7
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

int main(int argc, char**) {
#ifdef SINTER_FAIL
  auto const net = nn::hybrid_lambda{[argc](auto F, auto x) { return F.multiply(x, argc); }};
#else
  (void)argc;
  auto const net = nn::hybrid_lambda{[](auto F, auto x) { return F.multiply(x, 2); }};
#endif
  auto fast = net.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
