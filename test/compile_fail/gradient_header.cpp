// SPDX-License-Identifier: Apache-2.0
// Gradients are in a header of their own.
// expect: sinter: this function is in a header of its own; include sinter/gradient.hpp
// lines-gcc: 26
// lines-clang: 51
#ifdef SINTER_FAIL
#include <sinter/compile/hybridized.hpp>
#else
#include <sinter/gradient.hpp>
#endif

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
  auto const y = net.hybridize()(sinter::nd::tensor<float, shape<3, 2>>{});
  (void)y;
}
