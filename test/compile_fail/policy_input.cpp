// SPDX-License-Identifier: Apache-2.0
// hybridize() takes policies; inputs belong to calls.
// expect: sinter: hybridize() takes policies and no inputs; it returns the compiled network, which takes them: auto fast = net.hybridize(); fast(x)
// lines-gcc: 12
// lines-clang: 12
#include <sinter/compile/hybridized.hpp>

int main() {
  sinter::nn::dense<4> net;
  net.initialize();
  sinter::nd::tensor<float, sinter::shape<1, 8>> const x;
#ifdef SINTER_FAIL
  auto fast = net.hybridize(x);
#else
  auto fast = net.hybridize();
#endif
  return fast(x).size() == 0;
}
