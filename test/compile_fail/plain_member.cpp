// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a hybrid block has a member that is a plain block or compiled already, which it cannot trace; make that member an nn::hybrid_block, or this block an nn::block, whose hybridize() compiles the hybrid blocks in it
// lines-gcc: 12
// lines-clang: 25
#include <sinter/compile/plain.hpp>
namespace nn = sinter::nn;
using sinter::shape;

struct branch : nn::block<branch> {
  auto forward(auto const& x) const { return x(0, 0) > 0 ? x : -x; }
};
#ifdef SINTER_FAIL
struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, hidden), (branch, choice));
  constexpr auto hybrid_forward(auto, auto const& x) const { return choice(hidden(x)); }
};
#else
struct network : nn::block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, hidden), (branch, choice));
  auto forward(auto const& x) const { return choice(hidden(x)); }
};
#endif

int main() {
  network net;
  net.initialize();
  return net(sinter::nd::tensor<float, shape<1, 3>>{1, 2, 3}).size() == 0;
}
