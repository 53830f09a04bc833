// SPDX-License-Identifier: Apache-2.0
// expect: sinter: the inputs of the network lie on different devices; x.to(device::gpu) copies one to the other
// expect: device_inputs.cpp:14:
// lines-clang: 16
// lines-gcc: 8
#include <sinter/thrust.hpp>
using sinter::shape;

int main() {
  auto const add = sinter::hybridize([](auto, auto a, auto b) { return a + b; });
  sinter::nd::tensor<float, shape<2>> const x;
  auto const y = x.to(sinter::device::gpu);
#ifdef SINTER_FAIL
  return add(x, y).size() == 0;
#else
  return add(x.to(sinter::device::gpu), y).size() == 0;
#endif
}
