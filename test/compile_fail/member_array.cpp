// SPDX-License-Identifier: Apache-2.0
// Nobody finds the layers in an array: they would have no names and no values, and the call would ask for initialize().
// lines-clang: 19
// lines-gcc: 9
// expect: sinter: a block has a member that is neither a parameter nor a block, and may hold some that nobody would find
#include <array>
#include <sinter/nn/layers/basic.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
#ifdef SINTER_FAIL
  using layers_type = std::array<nn::dense<4>, 2>;
  BOOST_HANA_DEFINE_STRUCT(network, (layers_type, layers));
  constexpr auto hybrid_forward(auto, auto x) const { return layers[1](layers[0](x)); }
#else
  using layers_type = nn::hybrid_sequential<nn::dense<4>, nn::dense<4>>;
  BOOST_HANA_DEFINE_STRUCT(network, (layers_type, layers));
  constexpr auto hybrid_forward(auto, auto x) const { return layers(x); }
#endif
};

int main() {
  network net;
  net.initialize();
  return net(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
