// SPDX-License-Identifier: Apache-2.0
// Nor can a member that has a default and is set afterwards.
// expect: sinter: a block has a member that is neither a parameter nor a block
// lines-gcc: 8
// lines-clang: 16
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
#ifdef SINTER_FAIL
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, hidden), (int, times));
#else
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, hidden));
  static constexpr int times = 3;
#endif
  constexpr auto hybrid_forward(auto F, auto x) const { return F.multiply(hidden(x), times); }
};

int main() {
  network net;
  net.initialize();
  auto fast = net.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
