// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a constant has a number for each element, nn::constant<shape<3>, 1, 2, 3>, or one for all, or a function of the index
// lines-gcc: 12
// lines-clang: 25
#include <sinter/compile/plain.hpp>
namespace nn = sinter::nn;
using sinter::shape;

struct network : nn::hybrid_block<network> {
#ifdef SINTER_FAIL
  using numbers = nn::constant<shape<3>, 1, 2>;
#else
  using numbers = nn::constant<shape<3>, 1, 2, 3>;
#endif
  BOOST_HANA_DEFINE_STRUCT(network, (numbers, c));
  constexpr auto hybrid_forward(auto F, auto const& x) const { return x * F.get(c, shape<3>{}); }
};

int main() {
  network const net;
  return net(sinter::nd::tensor<float, shape<1, 3>>{1, 2, 3}).size() == 0;
}
