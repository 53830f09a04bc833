// SPDX-License-Identifier: Apache-2.0
// How many turns a loop makes at most is part of its type.
// expect: sinter: a while_loop knows how many turns it makes at most: while_loop(go_on, body, states, max_iterations<20>)
// lines-gcc: 40
// lines-clang: 60
#include <sinter/compile/hybridized.hpp>

namespace nn = sinter::nn;
using sinter::shape;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network);
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const go_on = [&](auto s) { return F.sum(s) < 100; };
    auto const body = [&](auto s) { return std::tuple(s, s * 2); };
#ifdef SINTER_FAIL
    return std::get<1>(F.while_loop(go_on, body, x));
#else
    return std::get<1>(F.while_loop(go_on, body, x, sinter::max_iterations<20>));
#endif
  }
};
int main() {
  network net;
  auto const y = net.hybridize()(sinter::nd::tensor<float, shape<3, 2>>{});
  (void)y;
}
