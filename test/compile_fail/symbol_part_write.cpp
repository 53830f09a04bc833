// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a part of a symbol cannot be assigned to; F.concat joins parts, and F.where(mask, a, b) chooses elements
// expect: symbol_part_write.cpp:13:
// lines-gcc: 13
// lines-clang: 47
#include <sinter/compile/hybridized.hpp>
using namespace sinter;

struct network : nn::hybrid_block<network> {
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto h = F.relu(x);
#ifdef SINTER_FAIL
    h(all, nth<0>) = 3.0f;
#else
    static_cast<void>(h);
#endif
    return h;
  }
};

int main() {
  auto fast = network{}.hybridize();
  return fast(nd::tensor<float, shape<1, 8>>{}).size() == 0;
}
