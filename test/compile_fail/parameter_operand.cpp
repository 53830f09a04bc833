// SPDX-License-Identifier: Apache-2.0
// A parameter is no tensor: which shape it is used in is said by F.get.
// expect: sinter: an operand is a parameter or a state; F.get(gamma, shape<8>{}) gives its values as a tensor
// lines-gcc: 11
// lines-clang: 38
#include <sinter/nn/layers/basic.hpp>

struct scaled : sinter::nn::hybrid_block<scaled> {
  BOOST_HANA_DEFINE_STRUCT(scaled, (sinter::nn::parameter, gamma));
  constexpr auto hybrid_forward([[maybe_unused]] auto F, auto const& x) const {
#ifdef SINTER_FAIL
    return x * gamma;
#else
    return x * F.get(gamma, sinter::shape<3>{});
#endif
  }
};

int main() {
  scaled net;
  net.initialize();
  return net(sinter::nd::tensor<float, sinter::shape<1, 3>>{1, 2, 3}).size() == 0;
}
