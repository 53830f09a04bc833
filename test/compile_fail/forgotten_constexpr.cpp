// SPDX-License-Identifier: Apache-2.0
// expect: sinter: this network cannot be traced by the compiler; is hybrid_forward of each of its blocks written `constexpr auto hybrid_forward(auto F, auto x) const`
// lines-gcc: 7
// lines-clang: 10
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, hidden));
#ifndef SINTER_FAIL
  constexpr
#endif
      auto
      hybrid_forward(auto F, auto x) const {
    return F.relu(hidden(x));
  }
};

int main() {
  network net;
  net.initialize();
  auto fast = net.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
