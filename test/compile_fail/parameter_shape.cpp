// SPDX-License-Identifier: Apache-2.0
// A parameter in another shape than it was declared with.
// expect: sinter: F.get asks for a parameter in another shape than it was declared with
// expect: parameter_shape.cpp
// lines-gcc: 8
// lines-clang: 26
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;
using sinter::shape;

struct network : nn::hybrid_block<network> {
  using vector = nn::basic_parameter<float, shape<2>>;
  BOOST_HANA_DEFINE_STRUCT(network, (vector, gamma));
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    return x * F.get(gamma, shape<3>{});
#else
    return x * F.get(gamma, shape<2>{});
#endif
  }
};
int main() {
  network net;
  net.initialize();
  auto const y = net(sinter::nd::tensor<float, shape<1>>{});
  return y.size() == 0;
}
