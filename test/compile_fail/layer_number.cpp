// SPDX-License-Identifier: Apache-2.0
// A number where a tensor belongs, found in the first layer.
// lines-gcc: 11
// lines-clang: 45
// expect: sinter: a layer is called with one tensor, hidden(x), and this is none; a number has no shape, and several results are taken apart: std::get<0>(y)
#include <sinter/nn/layers/basic.hpp>

struct network : sinter::nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (sinter::nn::dense<4>, hidden), (sinter::nn::layer_norm<>, norm), (sinter::nn::dense<4>, output));
  constexpr auto hybrid_forward(auto F, auto const& x) const { return F.relu(output(norm(hidden(x)))); }
};

int main() {
  network net;
  net.initialize();
#ifdef SINTER_FAIL
  return net(1.5f).size() == 0;
#else
  return net(sinter::nd::tensor<float, sinter::shape<1, 1>>{1.5f}).size() == 0;
#endif
}
