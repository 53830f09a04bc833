// SPDX-License-Identifier: Apache-2.0
// The function of foreach takes the slices and the states.
// expect: sinter: the function of foreach takes a slice of the sequences and the states
// lines-gcc: 14
// lines-clang: 37
#include <sinter/compile/hybridized.hpp>

namespace nn = sinter::nn;
using sinter::shape;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network);
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    return F.foreach ([&](auto row) { return std::tuple(row, row); }, x, F.sum(x));
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
