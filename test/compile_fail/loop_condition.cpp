// SPDX-License-Identifier: Apache-2.0
// A condition is one bool.
// expect: sinter: a condition is a tensor of one bool: F.sum(x) < 1
// lines-gcc: 14
// lines-clang: 37
#include <sinter/compile/hybridized.hpp>

namespace nn = sinter::nn;
using sinter::shape;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network);
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    return F.while_loop([&](auto s) { return s < 3; }, [&](auto s) { return std::tuple(s, s + 1); }, x, sinter::max_iterations<4>);
#else
    return F.while_loop([&](auto s) { return F.sum(s) < 3; }, [&](auto s) { return std::tuple(s, s + 1); }, x, sinter::max_iterations<4>);
#endif
  }
};
int main() {
  network net;
  auto const y = net.hybridize()(sinter::nd::tensor<float, shape<3, 2>>{});
  (void)y;
}
