// SPDX-License-Identifier: Apache-2.0
// A range of numbers that its dtype cannot hold, in a network.
// lines-clang: 43
// lines-gcc: 18
// expect: sinter: these operands do not fit: a keyword has a value that the operation cannot take
#include <sinter/compile/hybridized.hpp>

int main() {
#ifdef SINTER_FAIL
  auto const fast = sinter::hybridize([](auto F, auto x) { return x + F.arange(sinter::values<0.0, 1e10, 1e9>, sinter::as<int>); });
#else
  auto const fast = sinter::hybridize([](auto F, auto x) { return x + F.arange(sinter::values<0.0, 1e9, 1e8>, sinter::as<int>); });
#endif
  return fast(sinter::nd::tensor<int, sinter::shape<10>>{}).size() == 0;
}
