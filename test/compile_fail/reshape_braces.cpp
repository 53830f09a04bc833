// SPDX-License-Identifier: Apache-2.0
// A shape in braces.
// expect: sinter: numbers that decide a shape are keywords, in angle brackets and not in braces: F.reshape(x, into<8, -1>)
// expect: reshape_braces.cpp:13:
// lines-gcc: 16
// lines-clang: 47
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    return F.reshape(x, {2, 4});
#else
    return F.reshape(x, sinter::into<2, 4>);
#endif
  }
};

int main() {
  network net;
  auto fast = net.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
