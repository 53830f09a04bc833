// SPDX-License-Identifier: Apache-2.0
// A loop runs over tensors.
// expect: sinter: a loop runs over tensors: sequences and states are each a tensor or a std::tuple of tensors
// lines-gcc: 22
// lines-clang: 49
#include <sinter/compile/hybridized.hpp>

namespace nn = sinter::nn;
using sinter::shape;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network);
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    return F.foreach ([&](auto row, auto s) { return std::tuple(row + s, s); }, x, 1.f);
#else
    return F.foreach ([&](auto row, auto s) { return std::tuple(row + s, s); }, x, F.sum(x));
#endif
  }
};
int main() {
  network net;
  auto const y = net.hybridize()(sinter::nd::tensor<float, shape<3, 2>>{});
  (void)y;
}
