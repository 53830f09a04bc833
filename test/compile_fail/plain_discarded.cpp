// SPDX-License-Identifier: Apache-2.0
// expect: sinter: hybridize() changes nothing, it returns the compiled network: auto fast = net.hybridize();
// lines-gcc: 12
// lines-clang: 25
#include <sinter/compile/plain.hpp>
namespace nn = sinter::nn;
using sinter::shape;

int main() {
  nn::sequential net{nn::dense<4>{}, nn::lambda{[](auto x) { return x; }}};
  net.initialize();
#ifdef SINTER_FAIL
  net.hybridize();
#else
  net.summary();
#endif
  return net(sinter::nd::tensor<float, shape<1, 3>>{1, 2, 3}).size() == 0;
}
