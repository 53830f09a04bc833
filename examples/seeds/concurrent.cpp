// SPDX-License-Identifier: Apache-2.0
// A block of four dense branches beside each other, as GoogLeNet has them of convolutions: each writes its part of the result in place.
#include <sinter/sinter.hpp>

#include <iostream>

namespace nn = sinter::nn;
using sinter::shape;

using branch = nn::hybrid_sequential<nn::dense<16, nn::relu>, nn::dense<8, nn::relu>>;
struct inception : nn::hybrid_block<inception> {
  using branches = nn::hybrid_concurrent<nn::dense<8, nn::relu>, branch, branch, nn::dense<4, nn::relu>>;
  BOOST_HANA_DEFINE_STRUCT(inception, (branches, all), (nn::dense<2>, output));
  constexpr auto hybrid_forward(auto, auto x) const { return output(all(x)); }
};

int main() {
  sinter::random::seed(1);
  auto const x = sinter::random::normal(sinter::into<5, 32>);
  inception net;
  net.initialize(sinter::init::xavier{}, 1);
  auto const fast = net.hybridize();
  std::cout << "the same numbers: " << (net(x).to_vector() == fast(x).to_vector()) << "\n";

  using plan = sinter::compiled_t<inception, shape<5, 32>>;
  static_assert(plan::kernels == 7);  // a product each, and no copy into the joined array
  std::cout << plan::kernels << " kernels for 7 dense layers, an arena of " << plan::arena_bytes << " bytes\n";
}
// prints: the same numbers: 1
// prints: 7 kernels for 7 dense layers, an arena of ... bytes
