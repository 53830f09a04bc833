// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a symbol of another shape or dtype cannot be assigned to this one
// expect: symbol_assign.cpp:14:
// lines-gcc: 13
// lines-clang: 47
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, hidden));
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    auto h = x;
    h = hidden(x);
#else
    auto h = hidden(x);
#endif
    return F.relu(h);
  }
};

int main() {
  network net;
  net.initialize();
  auto fast = net.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
