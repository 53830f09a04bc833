// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a network cannot know that a dynamic axis has this index; F.take(h, 0) takes the nearest
// lines-gcc: 20
// lines-clang: 60
#include <sinter/compile/hybridized.hpp>
using namespace sinter;

struct network : nn::hybrid_block<network> {
  constexpr auto hybrid_forward([[maybe_unused]] auto F, auto x) const {
#ifdef SINTER_FAIL
    return x(nth<0>);
#else
    return F.take(x, 0);
#endif
  }
};

int main() {
  auto fast = network{}.hybridize();
  return fast(nd::tensor<float, shape<dim<"n">, 8>>({3, 8})).size() == 0;
}
