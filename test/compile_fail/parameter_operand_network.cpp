// SPDX-License-Identifier: Apache-2.0
// The same of a state in a compiled network, as an operation's operand.
// expect: sinter: an operand is a parameter or a state; F.get(gamma, shape<8>{}) gives its values as a tensor
// lines-gcc: 14
// lines-clang: 43
#include <sinter/compile/hybridized.hpp>
using sinter::shape;

struct summing : sinter::nn::hybrid_block<summing> {
  BOOST_HANA_DEFINE_STRUCT(summing, (sinter::nn::state<shape<3>>, sum));
  constexpr auto hybrid_forward(auto F, auto const& x) const {
#ifdef SINTER_FAIL
    return F.add(x, sum);
#else
    return F.add(x, F.get(sum, shape<3>{}));
#endif
  }
};

int main() {
  summing net;
  net.initialize();
  return net.hybridize()(sinter::nd::tensor<float, shape<1, 3>>{1, 2, 3}).size() == 0;
}
