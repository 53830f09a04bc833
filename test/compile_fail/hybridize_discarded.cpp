// SPDX-License-Identifier: Apache-2.0
// expect: sinter: hybridize() changes nothing, it returns the compiled network: auto fast = net.hybridize();
// expect: hybridize_discarded.cpp:12:
// lines-gcc: 8
// lines-clang: 4
#include <sinter/compile/hybridized.hpp>

int main() {
  sinter::nn::dense<4> net;
  net.initialize();
#ifdef SINTER_FAIL
  net.hybridize();
#else
  auto fast = net.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
#endif
}
