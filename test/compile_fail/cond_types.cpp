// SPDX-License-Identifier: Apache-2.0
// Both functions give the same types.
// expect: sinter: the two functions of cond give results of different shapes, dtypes or numbers
// lines-gcc: 14
// lines-clang: 37
#include <sinter/compile/hybridized.hpp>

namespace nn = sinter::nn;
using sinter::shape;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network);
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    return F.cond(F.sum(x) < 3, [&] { return x; }, [&] { return F.sum(x); });
#else
    return F.cond(F.sum(x) < 3, [&] { return x; }, [&] { return x * 2; });
#endif
  }
};
int main() {
  network net;
  auto const y = net.hybridize()(sinter::nd::tensor<float, shape<3, 2>>{});
  (void)y;
}
