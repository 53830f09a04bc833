// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sinter/sinter.hpp>

struct network : sinter::nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (sinter::nn::dense<32>, hidden), (sinter::nn::layer_norm<>, norm), (sinter::nn::dense<3>, output));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.softmax(output(F.relu(norm(hidden(x))))); }
};
// Whether the network gives probabilities, the same numbers compiled as operation by operation.
inline namespace SINTER_ISA {
inline bool works() {
  network net;
  net.initialize(sinter::init::xavier{}, 1);
  sinter::nd::tensor<float, sinter::shape<2, 64>> x;
  x.fill(0.5f);
  auto const fast = net.hybridize();
  auto const y = net(x), z = fast(x);
  float sum = 0;
  for (int i = 0; i < 3; ++i) {
    if (y(0, i) != z(0, i)) return false;
    sum += y(0, i);
  }
  return sum > 0.999f && sum < 1.001f;
}
}  // namespace SINTER_ISA
