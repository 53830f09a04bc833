// SPDX-License-Identifier: Apache-2.0
// A layer called with F.
// expect: sinter: a layer is called with its operands alone, it finds F by them: hidden(x)
// lines-gcc: 12
// lines-clang: 41
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, hidden));
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    return F.relu(hidden(F, x));
#else
    return F.relu(hidden(x));
#endif
  }
};

int main() {
  network net;
  net.initialize();
  auto fast = net.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
