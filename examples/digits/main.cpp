// SPDX-License-Identifier: Apache-2.0
// A network that MXNet trained reads 1,797 handwritten digits, first eagerly, then compiled by the C++ compiler.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sinter/sinter.hpp>
#include <string>

#include "probe.hpp"

namespace nn = sinter::nn;
namespace nd = sinter::nd;
using sinter::shape;
using network = nn::hybrid_sequential<nn::dense<128, nn::relu>, nn::dense<64, nn::relu>, nn::dense<10>>;
using images = nd::tensor<float, shape<sinter::dim<"batch">, 64>>;

// What the compiler knows of the compiled network, before anything runs.
using plan = sinter::compiled_t<network, shape<1, 64>>;
static_assert(plan::kernels == 3);
static_assert(plan::arena_bytes == plan::arena_lower_bound);

static std::string const data = SINTER_EXAMPLE_DATA;

static void read_digits(images const& pixels, nd::tensor<int, shape<1797>> const& labels) {
  std::ifstream file(data + "/digits.csv");
  std::string field;
  std::getline(file, field);
  for (int row = 0; row < 1797; ++row)
    for (int column = 0; column < 65; ++column) {
      std::getline(file, field, column < 64 ? ',' : '\n');
      if (!file) throw sinter::file_error(data + "/digits.csv", 0, "row " + std::to_string(row) + " is missing");
      if (column < 64) pixels(row, column) = std::stof(field) / 16;
      else labels(row) = std::stoi(field);
    }
}

template <class Scores> static int correct(Scores const& scores, nd::tensor<int, shape<1797>> const& labels) {
  auto const guess = sinter::argmax(scores, sinter::axis<1>);
  int n = 0;
  for (int row = 0; row < 1797; ++row) n += guess(row) == labels(row);
  return n;
}

template <int Batch> static void compare_times(network const& net, images const& pixels, double read) {
  nd::tensor<float, shape<Batch, 64>> x;
  for (int i = 0; i < Batch * 64; ++i) x[i] = pixels[i];
  auto const fast = net.hybridize();
  nd::tensor<float, shape<Batch, 10>> out;
  double const eager = microseconds([&] { net(x); }), compiled = microseconds([&] { fast(x, out); });
  std::printf("batch %2d: eager %6.2f us, hybridized %6.2f us (%.2f times faster, %.2f times the reading of the weights)\n", Batch, eager,
              compiled, eager / compiled, compiled / read);
}

int main() {
  network net;
  nn::load_parameters(net, data + "/digits-mlp-0000.params");
  images const pixels = images::of(1797, 64);
  nd::tensor<int, shape<1797>> labels;
  read_digits(pixels, labels);

  auto const eager = net(pixels);
  std::printf("eager: %d of 1797 correct\n", correct(eager, labels));
  auto const fast = net.hybridize();
  auto const compiled = fast(pixels);
  std::printf("hybridized: %d of 1797 correct\n", correct(compiled, labels));

  std::printf("with bfloat16 weights: %d of 1797 correct, with int8 weights: %d\n",
              correct(net.hybridize(sinter::weights::bf16)(pixels), labels), correct(net.hybridize(sinter::weights::int8)(pixels), labels));

  auto const mxnet = sinter::io::load<nd::tensor<float, shape<1797, 10>>>(data + "/digits-mlp-output.npy");
  float largest = 0;
  for (int i = 0; i < 17970; ++i) largest = std::max({largest, std::abs(mxnet[i] - compiled[i]), std::abs(mxnet[i] - eager[i])});
  std::printf("largest difference to MXNet's own outputs: %.2g\n", static_cast<double>(largest));

  double const read = read_time(plan::parameter_bytes);
  std::printf("reading the weights (%lld bytes) from cache: %.2f us, %.0f GB/s\n", static_cast<long long>(plan::parameter_bytes), read,
              static_cast<double>(plan::parameter_bytes) / read * 1e-3);
  compare_times<1>(net, pixels, read);
  compare_times<64>(net, pixels, read);
  std::printf("\n%s", decltype(fast)::report<shape<1, 64>>().c_str());
}
