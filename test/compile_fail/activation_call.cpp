// SPDX-License-Identifier: Apache-2.0
// nn::relu is a type that layers take, no layer itself.
// expect: sinter: an activation is a type, dense<4, nn::relu>; a layer of it is nn::activation<nn::relu>, and the operation F.relu(x)
// lines-gcc: 9
// lines-clang: 32
#include <sinter/nn/layers/basic.hpp>
namespace nn = sinter::nn;

#ifdef SINTER_FAIL
using relu = nn::relu;
#else
using relu = nn::activation<nn::relu>;
#endif

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, hidden), (relu, act));
  constexpr auto hybrid_forward(auto, auto const& x) const { return act(hidden(x)); }
};

int main() {
  network net;
  net.initialize();
  return net(sinter::nd::tensor<float, sinter::shape<1, 3>>{1, 2, 3}).size() == 0;
}
