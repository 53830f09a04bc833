// SPDX-License-Identifier: Apache-2.0
// Writes .npz and reads it again; the headers of the other components find their libraries.
#include <cstdio>
#include <sinter/io/npz.hpp>
#include <sinter/io/safetensors.hpp>
#include <sinter/nd/xtensor.hpp>
#include <sinter/onnx/proto.hpp>
#include <sinter/sinter.hpp>

int main() {
#ifndef SINTER_COMPILED
#error "sinter::compiled does not define SINTER_COMPILED"
#endif
  using row = sinter::nd::tensor<float, sinter::shape<3>>;
  row const x{1, 2, 3};
  sinter::nd::save("parts.npz", {{"x", x}});
  auto const y = x + sinter::nd::load("parts.npz").get<row>("x");
  std::remove("parts.npz");
  return y[0] == 2 && y[1] == 4 && y[2] == 6 ? 0 : 1;
}
