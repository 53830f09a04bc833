// SPDX-License-Identifier: Apache-2.0
// A perceptron of three layers, one thousand passes in both modes.
#include <sinter/sinter.hpp>

#include <iostream>

namespace nn = sinter::nn;
using sinter::into;

using mlp = nn::hybrid_sequential<nn::dense<256, nn::relu>, nn::dense<128, nn::relu>, nn::dense<2>>;

int main() {
  sinter::random::seed(1);
  auto const x = sinter::random::normal(into<1, 512>);
  mlp net;
  net.initialize();
  auto const fast = net.hybridize();
  std::cout << "eager:      " << net(x) << "\nhybridized: " << fast(x) << "\n";
  sinter::benchmark("before hybridizing", [&] { return net(x); }, 1000);
  sinter::benchmark("after hybridizing", [&] { return fast(x); }, 1000);
  std::cout << "the same numbers: " << (net(x).to_vector() == fast(x).to_vector()) << "\n";
}
// prints: eager:      [[...]]
// prints: hybridized: [[...]]
// prints: before hybridizing: ... us, the mean of 1000 calls
// prints: after hybridizing: ... us, the mean of 1000 calls
// prints: the same numbers: 1
