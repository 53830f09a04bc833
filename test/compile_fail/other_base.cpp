// SPDX-License-Identifier: Apache-2.0
// A block without members, whose first line was copied, as a member of another: every call would go to the block that it names.
// lines-clang: 28
// lines-gcc: 12
// expect: sinter: a block derives from hybrid_block of its own type, struct net : nn::hybrid_block<net>
#include <sinter/nn/layers/basic.hpp>
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
  constexpr auto hybrid_forward(auto F, auto x) const { return F.exp(x); }
};

int main() {
  nn::hybrid_sequential<first, second> net;
  net.initialize();
  return net(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
