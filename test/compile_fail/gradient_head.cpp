// SPDX-License-Identifier: Apache-2.0
// A gradient is that of a single number.
// expect: sinter: the function of gradient gives a single number, of shape (); take the sum or the mean of its result
// lines-gcc: 26
// lines-clang: 51
#include <sinter/gradient.hpp>

namespace nn = sinter::nn;
using sinter::shape;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network);
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    return F.gradient([&](auto v) { return v * v; }, x);
#else
    return F.gradient([&](auto v) { return F.sum(v * v); }, x);
#endif
  }
};
int main() {
  network net;
  auto const y = net.hybridize()(sinter::nd::tensor<float, shape<3, 2>>{});
  (void)y;
}
