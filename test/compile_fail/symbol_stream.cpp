// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a symbol has no value to print; write F.print("h", h)
// lines-gcc: 18
// lines-clang: 44
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    std::cout << x;
    return F.relu(x);
#else
    F.print("x", x);
    return F.relu(x);
#endif
  }
};

int main() {
  auto fast = network{}.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<1, 8>>{}).size() == 0;
}
