// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a symbol has no value to read
// expect: symbol_element.cpp:12:
// lines-gcc: 13
// lines-clang: 47
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    x[0] = 3;
    return F.relu(x);
#else
    return F.relu(x);
#endif
  }
};

int main() {
  auto fast = network{}.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
