// SPDX-License-Identifier: Apache-2.0
// Weights in fewer bits are the processor's.
// expect: sinter: a network with weights::bf16 or weights::int8 runs on the processor alone
// lines-clang: 37
// lines-gcc: 9
#include <sinter/thrust.hpp>
using sinter::shape;

int main() {
  sinter::nn::dense<4> net;
  net.initialize();
  auto const fast = net.hybridize(sinter::weights::int8);
  sinter::nd::tensor<float, shape<1, 8>> const x;
#ifdef SINTER_FAIL
  return fast(x.to(sinter::device::gpu)).size() == 0;
#else
  return fast(x).size() == 0;
#endif
}
