// SPDX-License-Identifier: Apache-2.0
// expect: sinter: the operands lie on different devices; x.to(device::gpu) copies one to the other
// expect: device_mixed.cpp:13:
// lines-clang: 25
// lines-gcc: 9
#include <sinter/thrust.hpp>
using sinter::shape;

int main() {
  sinter::nd::tensor<float, shape<2>> const x;
  auto const y = x.to(sinter::device::gpu);
#ifdef SINTER_FAIL
  auto const z = x + y;
#else
  auto const z = x.to(sinter::device::gpu) + y;
#endif
  return z.size() == 0;
}
