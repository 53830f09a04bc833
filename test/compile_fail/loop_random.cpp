// SPDX-License-Identifier: Apache-2.0
// Random numbers are drawn outside.
// expect: sinter: this network draws random numbers in the function of a foreach, while_loop or cond
// lines-gcc: 7
// lines-clang: 13
#include <sinter/compile/hybridized.hpp>

namespace nn = sinter::nn;
using sinter::shape;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dropout<0.5>, drop));
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    return F.foreach ([&](auto row, auto s) { return std::tuple(drop(row), s); }, x, F.sum(x));
#else
    return F.foreach ([&](auto row, auto s) { return std::tuple(row, s); }, drop(x), F.sum(x));
#endif
  }
};
int main() {
  network net;
  auto const y = net.hybridize()(sinter::training(sinter::nd::tensor<float, shape<3, 2>>{}));
  (void)y;
}
