// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a symbol has no value to read
// expect: symbol_write_element.cpp:13:
// lines-gcc: 13
// lines-clang: 47
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto h = F.relu(x);
#ifdef SINTER_FAIL
    h(0, 1) = 3;
#endif
    return h;
  }
};

int main() {
  auto fast = network{}.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
