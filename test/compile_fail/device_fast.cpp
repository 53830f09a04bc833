// SPDX-License-Identifier: Apache-2.0
// The faster forms of functions are the processor's.
// expect: sinter: a network with math::fast runs on the processor alone
// lines-clang: 37
// lines-gcc: 9
#include <sinter/thrust.hpp>
using sinter::shape;

int main() {
  sinter::nn::dense<4> net;
  net.initialize();
  auto const fast = net.hybridize(sinter::math::fast);
  sinter::nd::tensor<float, shape<1, 8>> const x;
#ifdef SINTER_FAIL
  return fast(x.to(sinter::device::gpu)).size() == 0;
#else
  return fast(x).size() == 0;
#endif
}
