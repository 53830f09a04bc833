// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a part of a symbol is chosen by indices in the type, nth<2> and range<1, 3>; F.take(h, i) takes what an index among the inputs names
// expect: symbol_part_index.cpp:14:
// lines-gcc: 13
// lines-clang: 47
#include <sinter/compile/hybridized.hpp>
using namespace sinter;

struct network : nn::hybrid_block<network> {
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto h = F.relu(x);
#ifdef SINTER_FAIL
    int const i = 1;
    h = h(i, all) + h;
#else
    h = h(nth<0>, all) + h;
#endif
    return h;
  }
};

int main() {
  auto fast = network{}.hybridize();
  return fast(nd::tensor<float, shape<1, 8>>{}).size() == 0;
}
