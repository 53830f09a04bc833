// SPDX-License-Identifier: Apache-2.0
// The layer itself where its result belongs.
// lines-gcc: 10
// lines-clang: 38
// expect: sinter: an operand is a layer, and no tensor; call the layer with one: F.relu(hidden(x))
#include <sinter/nn/layers/basic.hpp>

struct network : sinter::nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (sinter::nn::dense<4>, hidden), (sinter::nn::dense<4>, output));
  constexpr auto hybrid_forward(auto F, auto const& x) const {
#ifdef SINTER_FAIL
    return output(F.maximum(hidden, x));
#else
    return output(F.maximum(hidden(x), 0));
#endif
  }
};

int main() {
  network net;
  net.initialize();
  return net(sinter::nd::tensor<float, sinter::shape<2, 4>>{}).size() == 0;
}
