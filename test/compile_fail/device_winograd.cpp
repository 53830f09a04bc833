// SPDX-License-Identifier: Apache-2.0
// Winograd's form is the processor's.
// expect: sinter: a network with math::winograd runs on the processor alone
// lines-clang: 37
// lines-gcc: 9
#include <sinter/thrust.hpp>
using sinter::shape;

int main() {
  sinter::nn::dense<4> net;
  net.initialize();
  auto const fast = net.hybridize(sinter::math::winograd);
  sinter::nd::tensor<float, shape<1, 8>> const x;
#ifdef SINTER_FAIL
  return fast(x.to(sinter::device::gpu)).size() == 0;
#else
  return fast(x).size() == 0;
#endif
}
