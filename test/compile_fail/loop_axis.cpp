// SPDX-License-Identifier: Apache-2.0
// foreach needs an axis.
// expect: sinter: foreach runs along the first axis of its sequences, and one of them has no axis
// lines-gcc: 14
// lines-clang: 37
#include <sinter/compile/hybridized.hpp>

namespace nn = sinter::nn;
using sinter::shape;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network);
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    return F.foreach ([&](auto row, auto s) { return std::tuple(row, s); }, F.sum(x), F.sum(x));
#else
    return F.foreach ([&](auto row, auto s) { return std::tuple(row, s); }, x, F.sum(x));
#endif
  }
};
int main() {
  network net;
  auto const y = net.hybridize()(sinter::nd::tensor<float, shape<3, 2>>{});
  (void)y;
}
