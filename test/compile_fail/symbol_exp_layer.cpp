// SPDX-License-Identifier: Apache-2.0
// A layer that is called with what a function of numbers gives.
// expect: sinter: a symbol has no value to read; F takes it (F.exp(h) for std::exp(h)
// expect: sinter: a layer is called with one tensor
// expect: this one returns an eager tensor, because
// lines-gcc: 36
// lines-clang: 93
// after-gcc: 28
// after-clang: 92
#include <cmath>

#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<4>, hidden), (nn::dense<2>, output));
  constexpr auto hybrid_forward([[maybe_unused]] auto F, auto x) const {
#ifdef SINTER_FAIL
    return output(std::exp(hidden(x)));
#else
    return output(F.exp(hidden(x)));
#endif
  }
};

int main() {
  network net;
  net.initialize();
  auto fast = net.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
