// SPDX-License-Identifier: Apache-2.0
// The same in a block inside the network.
// expect: sinter: a block has a member that BOOST_HANA_DEFINE_STRUCT does not name
// lines-gcc: 8
// lines-clang: 28
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct inner : nn::hybrid_block<inner> {
#ifdef SINTER_FAIL
  BOOST_HANA_DEFINE_STRUCT(inner, (nn::dense<4>, first));
  nn::dense<4> second;
#else
  BOOST_HANA_DEFINE_STRUCT(inner, (nn::dense<4>, first), (nn::dense<4>, second));
#endif
  constexpr auto hybrid_forward(auto, auto x) const { return second(first(x)); }
};

int main() {
  nn::hybrid_sequential<nn::dense<3>, inner> net;
  net.initialize();
  auto fast = net.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
