// SPDX-License-Identifier: Apache-2.0
// Gradients are derived where a graph is.
// expect: sinter: gradients are derived in compiled networks and in symbols, not eagerly yet; call net.hybridize()(x)
// lines-gcc: 26
// lines-clang: 42
#include <sinter/gradient.hpp>

namespace nn = sinter::nn;
using sinter::shape;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network);
  constexpr auto hybrid_forward(auto F, auto x) const {
    return F.gradient([&](auto v) { return F.sum(v * v); }, x);
  }
};
int main() {
  network net;
#ifdef SINTER_FAIL
  auto const y = net(sinter::nd::tensor<float, shape<3, 2>>{});
#else
  auto const y = net.hybridize()(sinter::nd::tensor<float, shape<3, 2>>{});
#endif
  (void)y;
}
