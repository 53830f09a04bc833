// SPDX-License-Identifier: Apache-2.0
// A member that the macro does not name would be left out of files and initialization.
// expect: sinter: a block has a member that BOOST_HANA_DEFINE_STRUCT does not name
// lines-gcc: 8
// lines-clang: 19
#include <sinter/compile/hybridized.hpp>
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
  network net;
  net.initialize();
  auto fast = net.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
