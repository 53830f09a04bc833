// SPDX-License-Identifier: Apache-2.0
// The name of the block was copied with its first line: every call would go to the other block, with members that are not there.
// lines-clang: 28
// lines-gcc: 12
// expect: sinter: a block derives from hybrid_block of its own type, struct net : nn::hybrid_block<net>
#include <sinter/nn/layers.hpp>
namespace nn = sinter::nn;

struct first : nn::hybrid_block<first> {
  BOOST_HANA_DEFINE_STRUCT(first, (nn::dense<4>, hidden), (nn::dense<4>, more));
  constexpr auto hybrid_forward(auto, auto x) const { return more(hidden(x)); }
};
#ifdef SINTER_FAIL
struct second : nn::hybrid_block<first> {
#else
struct second : nn::hybrid_block<second> {
#endif
  BOOST_HANA_DEFINE_STRUCT(second, (nn::dense<2>, output));
  constexpr auto hybrid_forward(auto, auto x) const { return output(x); }
};

int main() {
  nn::hybrid_sequential<first, second> net;
  net.initialize();
  return net(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
