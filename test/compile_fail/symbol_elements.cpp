// SPDX-License-Identifier: Apache-2.0
// A symbol has no elements to walk through.
// expect: sinter: a symbol has no value to read
// expect: symbol_elements.cpp:13:
// lines-gcc: 13
// lines-clang: 41
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    for (float v : x) x = x + v;
    return F.relu(x);
#else
    return F.relu(x + F.sum(x));
#endif
  }
};

int main() {
  auto fast = network{}.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
