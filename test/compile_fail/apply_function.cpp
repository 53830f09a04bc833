// SPDX-License-Identifier: Apache-2.0
// expect: sinter: what apply() is given is called with every block of the network, of whatever type: [](auto& block) { ... }
// lines-gcc: 20
// after-gcc: 12
// lines-clang: 40
#include <sinter/sinter.hpp>
namespace nn = sinter::nn;
using sinter::shape;

int main() {
  nn::hybrid_sequential net{nn::dense<4>{}, nn::dense<2>{}};
  int blocks = 0;
#ifdef SINTER_FAIL
  net.apply([&](nn::dense<4>&) { ++blocks; });
#else
  net.apply([&](auto&) { ++blocks; });
#endif
  return blocks == 0;
}
