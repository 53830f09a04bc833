// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a call returns its result, unless it is given a place for it: fast(x, out)
// expect: result_discarded.cpp:14:
// lines-gcc: 8
// lines-clang: 6
#include <sinter/compile/hybridized.hpp>

int main() {
  sinter::nn::dense<4> net;
  net.initialize();
  auto const fast = net.hybridize();
  sinter::nd::tensor<float, sinter::shape<1, 8>> x;
#ifdef SINTER_FAIL
  fast(x);
#else
  (void)fast(x);
#endif
}
