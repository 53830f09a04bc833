// SPDX-License-Identifier: Apache-2.0
// A class derives privately where nothing else is written.
// expect: sinter: a block derives publicly from hybrid_block, and this one privately
// lines-gcc: 49
// lines-clang: 70
// after-gcc: 60
// after-clang: 80
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

#ifdef SINTER_FAIL
class network : nn::hybrid_block<network> {
#else
class network : public nn::hybrid_block<network> {
#endif
 public:
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, hidden));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.relu(hidden(x)); }
};

int main() {
  network net;
  net.initialize();
  auto fast = net.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
