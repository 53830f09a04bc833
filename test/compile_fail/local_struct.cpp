// SPDX-License-Identifier: Apache-2.0
// A struct inside of a function can have no templates, and so no hybrid_forward with auto. The compilers say the first half.
// expect: sinter: the hybrid_forward of this block takes another number of operands, or operands of other types; a block inside of a function
// expect: declare it at namespace scope
// lines-gcc: 28
// lines-clang: 29
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

#ifdef SINTER_FAIL
int main() {
  struct network : nn::hybrid_block<network> {
    BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, hidden));
    constexpr auto hybrid_forward(auto F, auto x) const { return F.relu(hidden(x)); }
  };
#else
struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, hidden));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.relu(hidden(x)); }
};
int main() {
#endif
  network net;
  net.initialize();
  auto fast = net.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
