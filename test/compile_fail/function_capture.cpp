// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a function in a network may not capture; what shapes the graph must be in its type
// lines-gcc: 7
// lines-clang: 10
#include <sinter/compile/hybridized.hpp>

int main(int argc, char**) {
#ifdef SINTER_FAIL
  auto const fast = sinter::hybridize([argc](auto F, auto x) { return F.multiply(x, argc); });
#else
  (void)argc;
  auto const fast = sinter::hybridize([](auto F, auto x) { return F.multiply(x, 2); });
#endif
  return fast(3) == 7;
}
