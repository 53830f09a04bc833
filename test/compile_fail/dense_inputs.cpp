// SPDX-License-Identifier: Apache-2.0
// The inputs of a layer as in PyTorch's Linear. Nothing but the compiler speaks of a number where a template has a type; Clang prints the
// line of its declaration.
// expect-gcc: expected a type, got '16'
// expect-clang: sinter: dense<16> has 16 units and takes its inputs from the first call; then a type follows
// lines-gcc: 182
// lines-clang: 41
// after-gcc: 180
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
#ifdef SINTER_FAIL
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<8, 16>, hidden));
#else
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<16>, hidden));
#endif
  constexpr auto hybrid_forward(auto F, auto x) const { return F.relu(hidden(x)); }
};

int main() {
  network net;
  net.initialize();
  auto fast = net.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
