// SPDX-License-Identifier: Apache-2.0
// What a network gives is refused eagerly as it is where the network is compiled: a layer, a std::pair.
// expect: sinter: the hybrid_forward of a network returns a tensor or a std::tuple of tensors; this one returns something else
// lines-gcc: 6
// lines-clang: 7
#include <sinter/nn/layers/basic.hpp>

struct network : sinter::nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (sinter::nn::dense<4>, hidden));
  constexpr auto hybrid_forward(auto, auto const& x) const {
#ifdef SINTER_FAIL
    return std::pair(hidden(x), x);
#else
    return std::tuple(hidden(x), x);
#endif
  }
};

int main() {
  network net;
  net.initialize();
  return sizeof(net(sinter::nd::tensor<float, sinter::shape<1, 3>>{1, 2, 3})) == 0;
}
