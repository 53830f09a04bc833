// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a compiled network shares the parameters of the network it was made of; call net.initialize()
// expect: hybridize_initialize.cpp:18:
// lines-gcc: 7
// lines-clang: 13
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, hidden));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.relu(hidden(x)); }
};

int main() {
  network net;
  auto fast = net.hybridize();
#ifdef SINTER_FAIL
  fast.initialize();
#else
  net.initialize();
#endif
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
