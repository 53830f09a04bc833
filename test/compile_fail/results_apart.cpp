// SPDX-License-Identifier: Apache-2.0
// The results of a network with several, one behind the other.
// lines-gcc: 7
// lines-clang: 13
// expect: sinter: this network has several results, and they are given as one tuple behind the inputs: fast(x, std::tie(y, z))
#include <sinter/compile/hybridized.hpp>

int main() {
  auto const fast = sinter::hybridize([](auto F, auto x) { return std::tuple(F.exp(x), F.sum(x)); });
  sinter::nd::tensor<float, sinter::shape<3>> x, y;
  sinter::nd::tensor<float, sinter::shape<>> z;
#ifdef SINTER_FAIL
  fast(x, y, z);
#else
  fast(x, std::tie(y, z));
#endif
}
