// SPDX-License-Identifier: Apache-2.0
// What a state was assigned is read in the shape that it has.
// expect: sinter: this network reads a state in another shape than it was assigned in before
// lines-gcc: 8
// lines-clang: 14
#include <sinter/compile/hybridized.hpp>

namespace nn = sinter::nn;
using sinter::shape;

#ifdef SINTER_FAIL
using read_as = shape<4>;
#else
using read_as = shape<8>;
#endif
struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::state<>, last));
  constexpr auto hybrid_forward(auto F, auto x) const {
    F.assign(last, x);
    return F.get(last, read_as{});
  }
};
int main() {
  network net;
  return net.hybridize()(sinter::nd::tensor<float, shape<8>>{}).size() == 0;
}
