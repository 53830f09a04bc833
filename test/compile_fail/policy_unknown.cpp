// SPDX-License-Identifier: Apache-2.0
// hybridize() takes policies, and a backend that knows them.
// expect: sinter: hybridize() takes these, each at most once: math::relaxed, math::fast, math::winograd, and one format of weights, weights::bf16 or weights::int8
// lines-gcc: 10
// lines-clang: 10
#include <sinter/compile/hybridized.hpp>

int main() {
  sinter::nn::dense<4> net;
  net.initialize();
#ifdef SINTER_FAIL
  auto fast = net.hybridize<sinter::reference::backend>(sinter::weights::bf16);
#else
  auto fast = net.hybridize(sinter::weights::bf16);
#endif
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
