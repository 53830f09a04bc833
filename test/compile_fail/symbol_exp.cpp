// SPDX-License-Identifier: Apache-2.0
// A function of numbers; what follows from it is true, too.
// expect: sinter: a symbol has no value to read; F takes it (F.exp(h) for std::exp(h)
// expect: this one returns a number, as std::exp(h) is one
// lines-gcc: 21
// after-gcc: 13
// lines-clang: 53
#include <cmath>

#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, hidden));
  constexpr auto hybrid_forward([[maybe_unused]] auto F, auto x) const {
#ifdef SINTER_FAIL
    return std::exp(hidden(x));
#else
    return F.exp(hidden(x));
#endif
  }
};

int main() {
  network net;
  net.initialize();
  auto fast = net.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
