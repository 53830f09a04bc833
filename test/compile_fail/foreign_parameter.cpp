// SPDX-License-Identifier: Apache-2.0
// A copy of a layer has parameters of its own, which nobody would find.
// expect: sinter: a parameter that this network uses is not one of its members
// lines-gcc: 7
// lines-clang: 13
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, hidden));
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    auto layer = hidden;
#else
    auto const& layer = hidden;
#endif
    return F.relu(layer(x));
  }
};

int main() {
  network net;
  net.initialize();
  auto fast = net.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
