// SPDX-License-Identifier: Apache-2.0
// expect: sinter: this layer is called twice, with operands for which a parameter of it would have two shapes; make it two layers
// expect-gcc: "hidden"
// expect-clang: text<7>
// lines-gcc: 20
// lines-clang: 20
#include <sinter/sinter.hpp>
using namespace sinter;
struct net : nn::hybrid_block<net> {
  BOOST_HANA_DEFINE_STRUCT(net, (nn::dense<4>, hidden));
  constexpr auto hybrid_forward(auto, auto x, auto y) const { return hidden(x) + hidden(y); }
};
int main() {
#ifdef SINTER_FAIL
  nd::tensor<float, shape<1, 3>> const x;
#else
  nd::tensor<float, shape<1, 5>> const x;
#endif
  nd::tensor<float, shape<1, 5>> const y;
  return static_cast<int>(net{}.hybridize()(x, y)[0]);
}
