// SPDX-License-Identifier: Apache-2.0
// A symbol has no elements.
// expect: sinter: a symbol has no value to read
// expect: symbol_read.cpp:15:
// lines-gcc: 13
// lines-clang: 47
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, hidden));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto h = hidden(x);
#ifdef SINTER_FAIL
    auto const first = h(0, 0);
#else
    auto const first = F.sum(h);
#endif
    return F.relu(h) * first;
  }
};

int main() {
  network net;
  net.initialize();
  auto fast = net.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
