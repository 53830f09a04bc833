// SPDX-License-Identifier: Apache-2.0
// expect: sinter: the elements lie on the device; to(device::cpu) copies them to where they can be read
// expect: device_read.cpp:12:
// lines-clang: 13
// lines-gcc: 7
#include <sinter/thrust.hpp>
using sinter::shape;

int main() {
  auto const y = sinter::nd::tensor<float, shape<2>>().to(sinter::device::gpu);
#ifdef SINTER_FAIL
  return y[1] > 0;
#else
  return y.to(sinter::device::cpu)[1] > 0;
#endif
}
