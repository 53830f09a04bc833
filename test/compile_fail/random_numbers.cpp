// SPDX-License-Identifier: Apache-2.0
// Numbers where a shape and a range are keywords.
// expect: sinter: random::uniform is called as random::uniform(into<2, 3>, values<0, 1>, as<float>)
// lines-gcc: 10
// lines-clang: 19
#include <sinter/nn/space.hpp>

int main() {
#ifdef SINTER_FAIL
  auto const x = sinter::random::uniform(0, 1);
#else
  auto const x = sinter::random::uniform(sinter::into<3>, sinter::values<0, 1>);
#endif
  return x.size() == 0;
}
