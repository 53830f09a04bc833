// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a symbol cannot be changed in place; write a = a + b
// expect: symbol_write.cpp:13:
// lines-gcc: 13
// lines-clang: 47
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto h = F.relu(x);
#ifdef SINTER_FAIL
    h += x;
#else
    h = h + x;
#endif
    return h;
  }
};

int main() {
  auto fast = network{}.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
