// SPDX-License-Identifier: Apache-2.0
// A comma between two members is missing.
// expect: sinter: BOOST_HANA_DEFINE_STRUCT takes the name of the struct and its members, each in parentheses
// expect: struct_comma.cpp:12:
// lines-gcc: 6
// lines-clang: 19
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
#ifdef SINTER_FAIL
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, hidden)(nn::dense<2>, output));
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
