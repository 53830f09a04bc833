// SPDX-License-Identifier: Apache-2.0
// A block with several results in front of a layer.
// lines-gcc: 16
// lines-clang: 45
// expect: sinter: a layer is called with one tensor, hidden(x), and this is none; a number has no shape, and several results are taken apart: std::get<0>(y)
#include <sinter/compile/hybridized.hpp>

struct halves : sinter::nn::hybrid_block<halves> {
  constexpr auto hybrid_forward(auto F, auto const& x) const {
#ifdef SINTER_FAIL
    return F.split(x, sinter::parts<2>, sinter::axis<1>);
#else
    return std::get<0>(F.split(x, sinter::parts<2>, sinter::axis<1>));
#endif
  }
};

int main() {
  sinter::nn::hybrid_sequential<halves, sinter::nn::dense<4>> net;
  net.initialize();
  return net.hybridize()(sinter::nd::tensor<float, sinter::shape<2, 4>>{}).size() == 0;
}
