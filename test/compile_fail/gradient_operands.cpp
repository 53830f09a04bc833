// SPDX-License-Identifier: Apache-2.0
// The function of gradient is called with the tensors behind it.
// expect: sinter: gradient takes a function and the tensors with which it is called
// lines-gcc: 26
// lines-clang: 51
#include <sinter/gradient.hpp>

namespace nn = sinter::nn;
using sinter::shape;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network);
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    return F.gradient([&](auto v) { return F.sum(v); }, x, x);
#else
    return F.gradient([&](auto v) { return F.sum(v); }, x);
#endif
  }
};
int main() {
  network net;
  auto const y = net.hybridize()(sinter::nd::tensor<float, shape<3, 2>>{});
  (void)y;
}
