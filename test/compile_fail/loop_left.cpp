// SPDX-License-Identifier: Apache-2.0
// A symbol that a body made, used outside.
// expect: sinter: this network uses a tensor outside the function of a foreach, while_loop or cond in which it was made
// lines-gcc: 7
// lines-clang: 13
#include <sinter/compile/hybridized.hpp>

namespace nn = sinter::nn;
using sinter::shape;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network);
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    auto left = F.sum(x, sinter::axis<0>);
    F.foreach ([&](auto row, auto s) { return left = row * 2, std::tuple(row, s); }, x, F.sum(x));
    return left + 1;
#else
    auto left = F.sum(x, sinter::axis<0>);
    return std::get<1>(F.foreach ([&](auto row, auto s) { return std::tuple(row, s + row); }, x, left)) + 1;
#endif
  }
};
int main() {
  network net;
  auto const y = net.hybridize()(sinter::nd::tensor<float, shape<3, 2>>{});
  (void)y;
}
