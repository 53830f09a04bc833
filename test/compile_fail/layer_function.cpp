// SPDX-License-Identifier: Apache-2.0
// A layer used as a function.
// expect: sinter: a layer is a member of its block, which calls it: hidden(x)
// expect: layer_function.cpp:14:
// lines-gcc: 18
// lines-clang: 41
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, hidden));
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    auto const h = nn::dense<4>(x);
    (void)h;
    return F.relu(x);
#else
    return F.relu(hidden(x));
#endif
  }
};

int main() {
  network net;
  net.initialize();
  auto fast = net.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
