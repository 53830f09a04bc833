// SPDX-License-Identifier: Apache-2.0
// A number that does not fit beside int32, in a network.
// lines-clang: 19
// lines-gcc: 9
// expect: sinter: in this layer a number is out of the range of the arrays beside it; F.cast them to a wider dtype
#include <sinter/compile/hybridized.hpp>

int main() {
#ifdef SINTER_FAIL
  auto const fast = sinter::hybridize([](auto, auto x) { return x + 2147483648; });
#else
  auto const fast = sinter::hybridize([](auto, auto x) { return x + 2147483647; });
#endif
  return fast(sinter::nd::tensor<int, sinter::shape<2, 3>>{}).size() == 0;
}
