// SPDX-License-Identifier: Apache-2.0
// Operands in the function of a loop that do not fit: the line and both shapes are said, and nothing about what the function returns.
// expect: sinter: these operands do not fit:
// reject: returns std::tuple
// lines-gcc: 18
// lines-clang: 44
#include <sinter/compile/hybridized.hpp>

namespace nn = sinter::nn;
using sinter::shape;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network);
  constexpr auto hybrid_forward(auto F, auto x, auto s0) const {
    auto [y, s] = F.foreach ([&](auto row, auto s) { return std::tuple(row * s, s); }, x, s0);
    return y + s;
  }
};
int main() {
  network net;
#ifdef SINTER_FAIL
  auto const y = net.hybridize()(sinter::nd::tensor<float, shape<3, 2>>{}, sinter::nd::tensor<float, shape<3>>{});
#else
  auto const y = net.hybridize()(sinter::nd::tensor<float, shape<3, 2>>{}, sinter::nd::tensor<float, shape<2>>{});
#endif
  (void)y;
}
