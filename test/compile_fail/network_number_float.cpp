// SPDX-License-Identifier: Apache-2.0
// A number that float32 would round to infinity, in a network.
// lines-clang: 19
// lines-gcc: 9
// expect: sinter: in this layer a number is out of the range of the arrays beside it; F.cast them to a wider dtype
#include <sinter/compile/hybridized.hpp>

int main() {
#ifdef SINTER_FAIL
  auto const fast = sinter::hybridize([](auto F, auto x) { return F.where(x > 0, 0.1, 1e300); });
#else
  auto const fast = sinter::hybridize([](auto F, auto x) { return F.where(x > 0, 0.1, 1e30); });
#endif
  return fast(sinter::nd::tensor<float, sinter::shape<2, 3>>{}).size() == 0;
}
