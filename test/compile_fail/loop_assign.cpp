// SPDX-License-Identifier: Apache-2.0
// States are assigned outside.
// expect: sinter: this network assigns a state in the function of a foreach, while_loop or cond
// lines-gcc: 7
// lines-clang: 13
#include <sinter/compile/hybridized.hpp>

namespace nn = sinter::nn;
using sinter::shape;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::state<shape<2>>, last));
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    return F.foreach ([&](auto row, auto s) { return F.assign(last, row), std::tuple(row, s); }, x, F.sum(x));
#else
    auto y = F.foreach ([&](auto row, auto) { return std::tuple(row, row * 1); }, x, F.get(last, shape<2>{}));
    F.assign(last, std::get<1>(y));
    return y;
#endif
  }
};
int main() {
  network net;
  auto const y = net.hybridize()(sinter::nd::tensor<float, shape<3, 2>>{});
  (void)y;
}
