// SPDX-License-Identifier: Apache-2.0
// A block whose base is that of another block, compiled: C++20 cannot tell, C++23 can.
// only: clang
// flags: -std=c++23
// expect: sinter: a block that is called names another one as the argument of its base
// lines-clang: 12
#include <sinter/compile/hybridized.hpp>
namespace nn = sinter::nn;

struct first : nn::hybrid_block<first> {
  constexpr auto hybrid_forward(auto F, auto x) const { return F.relu(x); }
};
#ifdef SINTER_FAIL
struct second : nn::hybrid_block<first> {
#else
struct second : nn::hybrid_block<second> {
#endif
  constexpr auto hybrid_forward(auto F, auto x) const { return F.exp(x); }
};

int main() {
  sinter::nd::tensor<float, sinter::shape<2>> const x;
  second const net;
  return net.hybridize()(x).size() == 2;
}
