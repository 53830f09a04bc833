// SPDX-License-Identifier: Apache-2.0
// A block that derives from another one, and has a hybrid_forward that nobody would call: C++20 cannot tell, C++23 can.
// only: clang
// flags: -std=c++23
// expect: sinter: this block derives from another one, whose hybrid_forward a call finds, and has a hybrid_forward of its own; derive it from nn::hybrid_block of its own type
// lines-clang: 12
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct first : nn::hybrid_block<first> {
  constexpr auto hybrid_forward(auto F, auto const& x) const { return F.relu(x); }
};
struct second : first {
#ifdef SINTER_FAIL
  constexpr auto hybrid_forward(auto F, auto const& x) const { return F.exp(x); }
#endif
};

int main() {
  sinter::nd::tensor<float, sinter::shape<2>> const x;
  return second{}(x).size() == 2;
}
