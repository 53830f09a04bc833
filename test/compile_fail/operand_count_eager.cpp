// SPDX-License-Identifier: Apache-2.0
// A network of two operands called with one.
// expect: sinter: this block can be called with two operands, and not with as many as here
// lines-gcc: 7
// lines-clang: 13
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct merge : nn::hybrid_block<merge> {
  BOOST_HANA_DEFINE_STRUCT(merge, (nn::dense<4>, a), (nn::dense<4>, b));
  constexpr auto hybrid_forward(auto, auto x, auto y) const { return a(x) + b(y); }
};

int main() {
  merge net;
  net.initialize();
  sinter::nd::tensor<float, sinter::shape<1, 8>> x;
#ifdef SINTER_FAIL
  return net(x).size() == 0;
#else
  return net(x, x).size() == 0;
#endif
}
