// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a dynamic extent is known when the program runs, not in a network
// expect: symbol_extent.cpp:12:
// lines-gcc: 13
// lines-clang: 41
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  constexpr auto hybrid_forward(auto F, auto x) const {
#ifdef SINTER_FAIL
    return F.relu(x) * static_cast<float>(x.shape()[0]);
#else
    return F.relu(x) * static_cast<float>(decltype(x)::shape_type::value[1]);
#endif
  }
};

int main() {
  auto fast = network{}.hybridize();
  return fast(sinter::nd::tensor<float, sinter::shape<sinter::dim<"batch">, 8>>::of(1, 8)).size() == 0;
}
