// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a hybrid block has a member that is a plain block or compiled already, which it cannot trace; make that member an nn::hybrid_block, or this block an nn::block, whose hybridize() compiles the hybrid blocks in it
// lines-gcc: 12
// lines-clang: 25
#include <sinter/compile/plain.hpp>
namespace nn = sinter::nn;
using sinter::shape;

struct network : nn::hybrid_block<network> {
#ifdef SINTER_FAIL
  BOOST_HANA_DEFINE_STRUCT(network, (sinter::hybridized<nn::dense<4>>, hidden));
#else
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, hidden));
#endif
  constexpr auto hybrid_forward(auto, auto const& x) const { return hidden(x); }
};

int main() {
  auto const fast = network{}.hybridize();
  return fast(sinter::nd::tensor<float, shape<1, 3>>{1, 2, 3}).size() == 0;
}
