// SPDX-License-Identifier: Apache-2.0
// One member more than the macro takes.
// expect: sinter: BOOST_HANA_DEFINE_STRUCT takes at most 54 members
// lines-gcc: 6
// lines-clang: 16
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
#ifdef SINTER_FAIL
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, l0), (nn::dense<4>, l1), (nn::dense<4>, l2), (nn::dense<4>, l3), (nn::dense<4>, l4),
                           (nn::dense<4>, l5), (nn::dense<4>, l6), (nn::dense<4>, l7), (nn::dense<4>, l8), (nn::dense<4>, l9),
                           (nn::dense<4>, l10), (nn::dense<4>, l11), (nn::dense<4>, l12), (nn::dense<4>, l13), (nn::dense<4>, l14),
                           (nn::dense<4>, l15), (nn::dense<4>, l16), (nn::dense<4>, l17), (nn::dense<4>, l18), (nn::dense<4>, l19),
                           (nn::dense<4>, l20), (nn::dense<4>, l21), (nn::dense<4>, l22), (nn::dense<4>, l23), (nn::dense<4>, l24),
                           (nn::dense<4>, l25), (nn::dense<4>, l26), (nn::dense<4>, l27), (nn::dense<4>, l28), (nn::dense<4>, l29),
                           (nn::dense<4>, l30), (nn::dense<4>, l31), (nn::dense<4>, l32), (nn::dense<4>, l33), (nn::dense<4>, l34),
                           (nn::dense<4>, l35), (nn::dense<4>, l36), (nn::dense<4>, l37), (nn::dense<4>, l38), (nn::dense<4>, l39),
                           (nn::dense<4>, l40), (nn::dense<4>, l41), (nn::dense<4>, l42), (nn::dense<4>, l43), (nn::dense<4>, l44),
                           (nn::dense<4>, l45), (nn::dense<4>, l46), (nn::dense<4>, l47), (nn::dense<4>, l48), (nn::dense<4>, l49),
                           (nn::dense<4>, l50), (nn::dense<4>, l51), (nn::dense<4>, l52), (nn::dense<4>, l53), (nn::dense<4>, l54));
#else
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, l0), (nn::dense<4>, l1), (nn::dense<4>, l2), (nn::dense<4>, l3), (nn::dense<4>, l4),
                           (nn::dense<4>, l5), (nn::dense<4>, l6), (nn::dense<4>, l7), (nn::dense<4>, l8), (nn::dense<4>, l9),
                           (nn::dense<4>, l10), (nn::dense<4>, l11), (nn::dense<4>, l12), (nn::dense<4>, l13), (nn::dense<4>, l14),
                           (nn::dense<4>, l15), (nn::dense<4>, l16), (nn::dense<4>, l17), (nn::dense<4>, l18), (nn::dense<4>, l19),
                           (nn::dense<4>, l20), (nn::dense<4>, l21), (nn::dense<4>, l22), (nn::dense<4>, l23), (nn::dense<4>, l24),
                           (nn::dense<4>, l25), (nn::dense<4>, l26), (nn::dense<4>, l27), (nn::dense<4>, l28), (nn::dense<4>, l29),
                           (nn::dense<4>, l30), (nn::dense<4>, l31), (nn::dense<4>, l32), (nn::dense<4>, l33), (nn::dense<4>, l34),
                           (nn::dense<4>, l35), (nn::dense<4>, l36), (nn::dense<4>, l37), (nn::dense<4>, l38), (nn::dense<4>, l39),
                           (nn::dense<4>, l40), (nn::dense<4>, l41), (nn::dense<4>, l42), (nn::dense<4>, l43), (nn::dense<4>, l44),
                           (nn::dense<4>, l45), (nn::dense<4>, l46), (nn::dense<4>, l47), (nn::dense<4>, l48), (nn::dense<4>, l49),
                           (nn::dense<4>, l50), (nn::dense<4>, l51), (nn::dense<4>, l52), (nn::dense<4>, l53));
#endif
  constexpr auto hybrid_forward(auto F, auto x) const { return F.relu(l0(x)); }
};

int main() {
  network net;
  net.initialize();
  return net(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
