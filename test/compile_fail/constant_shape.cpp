// SPDX-License-Identifier: Apache-2.0
// expect: sinter: the shape of a constant has numbers alone: nn::constant<shape<2, 3>, 0.5f>
// lines-gcc: 12
// lines-clang: 25
#include <sinter/compile/plain.hpp>
namespace nn = sinter::nn;
using sinter::shape;

struct network : nn::hybrid_block<network> {
#ifdef SINTER_FAIL
  using numbers = nn::constant<shape<sinter::dynamic>, 1>;
#else
  using numbers = nn::constant<shape<3>, 1>;
#endif
  BOOST_HANA_DEFINE_STRUCT(network, (numbers, c));
  constexpr auto hybrid_forward(auto F, auto const& x) const { return x * F.get(c, shape<3>{}); }
};

int main() {
  network const net;
  return net(sinter::nd::tensor<float, shape<1, 3>>{1, 2, 3}).size() == 0;
}
