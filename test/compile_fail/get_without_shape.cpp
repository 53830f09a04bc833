// SPDX-License-Identifier: Apache-2.0
// F.get wants the shape in which a parameter is used.
// expect: sinter: the shape in which a parameter is used comes second: F.get(gamma, shape<8>{})
// lines-gcc: 13
// lines-clang: 47
#include <sinter/compile/hybridized.hpp>
using sinter::shape;

struct scaled : sinter::nn::hybrid_block<scaled> {
  BOOST_HANA_DEFINE_STRUCT(scaled, (sinter::nn::parameter, gamma));
  constexpr auto hybrid_forward(auto F, auto const& x) const {
#ifdef SINTER_FAIL
    return x * F.get(gamma);
#else
    return x * F.get(gamma, shape<3>{});
#endif
  }
};

int main() {
  scaled net;
  net.initialize();
  return net.hybridize()(sinter::nd::tensor<float, shape<1, 3>>{1, 2, 3}).size() == 0;
}
