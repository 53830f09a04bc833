// SPDX-License-Identifier: Apache-2.0
// The first line of another block was copied: all calls would go to that block, with members of another type. Any struct may have Hana's macro.
// expect: sinter: a block derives from hybrid_block of its own type, struct net : nn::hybrid_block<net>; this one names another block
// lines-gcc: 6
// lines-clang: 16
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct first : nn::hybrid_block<first> {
  BOOST_HANA_DEFINE_STRUCT(first, (nn::dense<4>, hidden));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.relu(hidden(x)); }
};
#ifdef SINTER_FAIL
struct second : nn::hybrid_block<first> {
#else
struct second : nn::hybrid_block<second> {
#endif
  BOOST_HANA_DEFINE_STRUCT(second, (nn::dense<4>, hidden));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.exp(hidden(x)); }
};
struct person {
  BOOST_HANA_DEFINE_STRUCT(person, (int, age));
};

int main() {
  second net;
  net.initialize();
  return net(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0 && person{}.age == 0;
}
