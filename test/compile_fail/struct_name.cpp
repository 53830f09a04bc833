// SPDX-License-Identifier: Apache-2.0
// Names alone, as BOOST_HANA_ADAPT_STRUCT takes them.
// expect: sinter: BOOST_HANA_DEFINE_STRUCT takes the name of the struct and its members, each in parentheses
// lines-gcc: 14
// lines-clang: 37
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
#ifdef SINTER_FAIL
  BOOST_HANA_DEFINE_STRUCT(network, hidden, output);
  nn::dense<4> hidden;
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
