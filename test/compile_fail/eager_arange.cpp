// SPDX-License-Identifier: Apache-2.0
// A range of numbers that its dtype cannot hold.
// lines-clang: 22
// lines-gcc: 13
// expect: sinter: these operands do not fit: a keyword has a value that the operation cannot take
#include <sinter/nn/space.hpp>

int main() {
#ifdef SINTER_FAIL
  auto const r = sinter::arange(sinter::values<0.0, 1e10, 1e9>, sinter::as<int>);
#else
  auto const r = sinter::arange(sinter::values<0.0, 1e9, 1e8>, sinter::as<int>);
#endif
  (void)r;
}
