// SPDX-License-Identifier: Apache-2.0
// The network that MXNet trained reads the handwritten digits on the device.
#include <sinter/thrust.hpp>

#include <fstream>

#include "../../catch.hpp"

namespace nn = sinter::nn;
namespace nd = sinter::nd;
using sinter::dim;
using sinter::shape;

TEST_CASE("digits") {
  std::string const data = SINTER_SOURCE_DIR "/examples/data";
  nn::hybrid_sequential<nn::dense<128, nn::relu>, nn::dense<64, nn::relu>, nn::dense<10>> net;
  nn::load_parameters(net, data + "/digits-mlp-0000.params");
  auto const pixels = nd::tensor<float, shape<dim<"batch">, 64>>::of(1797, 64);
  nd::tensor<std::int64_t, shape<dim<"batch">>> const labels(sinter::dims{1797});
  std::ifstream file(data + "/digits.csv");
  std::string field;
  std::getline(file, field);
  for (int row = 0; row < 1797; ++row)
    for (int column = 0; column < 65; ++column) {
      REQUIRE(std::getline(file, field, column < 64 ? ',' : '\n'));
      if (column < 64) pixels(row, column) = std::stof(field) / 16;
      else labels(row) = std::stoi(field);
    }

  auto const there = pixels.to(sinter::device::gpu);
  auto const fast = net.to(sinter::device::gpu).hybridize();
  auto const right = [&](auto const& scores) {
    return sinter::sum(sinter::cast(sinter::argmax(scores, sinter::axis<1>) == labels.to(sinter::device::gpu), sinter::as<int>))
        .to(sinter::device::cpu)
        .item();
  };
  CHECK(right(net(there)) == 1790);
  CHECK(right(fast(there)) == 1790);
  using plan = sinter::compiled_t<decltype(net), shape<dim<"batch">, 64>>;
  CHECK(sinter::device_kernels<plan> == 3);
}
