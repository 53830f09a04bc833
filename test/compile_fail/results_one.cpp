// SPDX-License-Identifier: Apache-2.0
// The results of a network with several, and a place for one of them alone.
// lines-gcc: 10
// lines-clang: 19
// expect: sinter: this network has several results, and they are given as one tuple behind the inputs: fast(x, std::tie(y, z))
#include <sinter/compile/hybridized.hpp>

int main() {
  auto const fast = sinter::hybridize([](auto F, auto x) { return std::tuple(F.exp(x), F.sum(x)); });
  sinter::nd::tensor<float, sinter::shape<3>> x, y;
  sinter::nd::tensor<float, sinter::shape<>> z;
#ifdef SINTER_FAIL
  fast(x, y);
#else
  fast(x, std::tie(y, z));
#endif
}
