// SPDX-License-Identifier: Apache-2.0
// A call without a plan says it, too: nobody gives the forgotten member values, and initialize() does not reach it.
// lines-clang: 19
// lines-gcc: 10
// expect: sinter: a block has a member that BOOST_HANA_DEFINE_STRUCT does not name
#include <sinter/nn/layers/basic.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
#ifdef SINTER_FAIL
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, hidden));
  nn::dense<2> output;
#else
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, hidden), (nn::dense<2>, output));
#endif
  constexpr auto hybrid_forward(auto F, auto x) const { return output(F.relu(hidden(x))); }
};

int main() {
  network const net;
  return net(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
