// SPDX-License-Identifier: Apache-2.0
// The function of another library, which wants a number.
// expect: sinter: a symbol has no value to read
// expect: symbol_function.cpp:14:
// lines-gcc: 13
// lines-clang: 50
#include <cmath>
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    return F.relu(x) * std::exp(x);
#else
    return F.relu(x) * F.exp(x);
#endif
  }
};

int main() {
  auto fast = network{}.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
