// SPDX-License-Identifier: Apache-2.0
// The macro is missing altogether.
// expect: sinter: the members of a hybrid block are declared with BOOST_HANA_DEFINE_STRUCT, in a public section
// lines-gcc: 8
// lines-clang: 19
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
#ifdef SINTER_FAIL
  nn::dense<4> hidden;
#else
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, hidden));
#endif
  constexpr auto hybrid_forward(auto F, auto x) const { return F.relu(hidden(x)); }
};

int main() {
  network net;
  net.initialize();
  auto fast = net.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
