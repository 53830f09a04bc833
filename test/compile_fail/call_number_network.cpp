// SPDX-License-Identifier: Apache-2.0
// The same in a network.
// lines-clang: 44
// lines-gcc: 31
// expect: sinter: softmax: too many or too few operands; call it as softmax(x, axis<-1>)
// expect: call_number_network.cpp:12:
#include <sinter/compile/hybridized.hpp>

int main() {
  sinter::nd::tensor<float, sinter::shape<2, 3>> const x;
#ifdef SINTER_FAIL
  auto const fast = sinter::hybridize([](auto F, auto y) { return F.softmax(y, 0); });
#else
  auto const fast = sinter::hybridize([](auto F, auto y) { return F.softmax(y, sinter::axis<0>); });
#endif
  return fast(x).size() == 0;
}
