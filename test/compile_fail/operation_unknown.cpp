// SPDX-License-Identifier: Apache-2.0
// An operation that is not there: the compiler says so, and nothing wrong follows.
// expect: no member named 'conv2d'
// expect: operation_unknown.cpp:13:
// lines-gcc: 11
// lines-clang: 38
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    return F.conv2d(x, x);
#else
    return F.multiply(x, x);
#endif
  }
};

int main() {
  auto fast = network{}.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
