// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a symbol has no value to read
// expect: symbol_item.cpp:13:
// lines-gcc: 13
// lines-clang: 41
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto total = F.sum(x);
#ifdef SINTER_FAIL
    float const mean = total.item() / 8;
#else
    auto const mean = total / 8;
#endif
    return F.subtract(x, mean);
  }
};

int main() {
  auto fast = network{}.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
