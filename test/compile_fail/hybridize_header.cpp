// SPDX-License-Identifier: Apache-2.0
// expect: sinter: this program has no header that compiles networks; include sinter/sinter.hpp, or sinter/compile/hybridized.hpp
// expect: hybridize_header.cpp:21:
// flags: -std=c++20
// lines-gcc: 6
// lines-clang: 7
#include <sinter/nn/layers/basic.hpp>
#ifndef SINTER_FAIL
#include <sinter/compile/hybridized.hpp>
#endif
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, hidden));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.relu(hidden(x)); }
};

int main() {
  network net;
  net.initialize();
  auto const fast = net.hybridize();
  return sizeof(fast) == 0;
}
