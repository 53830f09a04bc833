// SPDX-License-Identifier: Apache-2.0
// F.print wants a label, and no other sentence follows.
// expect: sinter: a label comes first: F.print("h", h)
// reject: the network itself
// lines-gcc: 13
// lines-clang: 47
#include <sinter/compile/hybridized.hpp>
using sinter::shape;

struct network : sinter::nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (sinter::nn::dense<4>, hidden));
  constexpr auto hybrid_forward(auto F, auto const& x) const {
    auto const h = hidden(x);
#ifdef SINTER_FAIL
    F.print(h);
#else
    F.print("h", h);
#endif
    return h;
  }
};

int main() {
  network net;
  net.initialize();
  return net.hybridize()(sinter::nd::tensor<float, shape<1, 3>>{1, 2, 3}).size() == 0;
}
