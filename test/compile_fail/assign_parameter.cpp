// SPDX-License-Identifier: Apache-2.0
// A call changes states, and no parameters.
// expect: sinter: a call assigns states alone; declare nn::state<shape<8>> for what it remembers
// lines-gcc: 20
// lines-clang: 42
#include <sinter/compile/hybridized.hpp>

namespace nn = sinter::nn;
using sinter::shape;

#ifdef SINTER_FAIL
using member = nn::parameter;
#else
using member = nn::state<shape<8>>;
#endif
struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (member, mean));
  constexpr auto hybrid_forward(auto F, auto x) const {
    F.assign(mean, x);
    return x;
  }
};
int main() {
  network net;
  return net.hybridize()(sinter::nd::tensor<float, shape<8>>{}).size() == 0;
}
