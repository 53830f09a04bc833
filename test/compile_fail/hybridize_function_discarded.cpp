// SPDX-License-Identifier: Apache-2.0
// expect: sinter: hybridize() changes nothing, it returns the compiled function: auto fast = sinter::hybridize(f);
// expect: hybridize_function_discarded.cpp:11:
// lines-gcc: 8
// lines-clang: 4
#include <sinter/compile/hybridized.hpp>

int main() {
  auto const add = [](auto F, auto a, auto b) { return F.add(a, b); };
#ifdef SINTER_FAIL
  sinter::hybridize(add);
#else
  auto fast = sinter::hybridize(add);
  return fast(1, 2) == 4;
#endif
}
