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
  sinter::nn::dense<2> net;
  net.initialize(sinter::init::uniform{1}, 1);
  sinter::nd::tensor<float, sinter::shape<1, 3>> const x{1, 2, 3};
  auto const y = net(x);
  net.save_parameters("parts.npz");
  net.initialize(sinter::init::zeros{});
  net.load_parameters("parts.npz");
  auto const z = net(x);
  std::remove("parts.npz");
  return z(0, 0) == y(0, 0) && y(0, 0) != 0 ? 0 : 1;
}
