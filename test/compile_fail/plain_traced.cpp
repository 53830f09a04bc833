// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a plain block runs with tensors alone, and a network that is compiled calls it with a symbol here; make it an nn::hybrid_block, or the network an nn::block, whose hybridize() compiles the hybrid blocks in it
// lines-gcc: 12
// lines-clang: 46
#include <sinter/compile/plain.hpp>
namespace nn = sinter::nn;
using sinter::shape;

struct branch : nn::block<branch> {
  auto forward(auto const& x) const { return x(0, 0) > 0 ? x : -x; }
};

struct network : nn::hybrid_block<network> {
  constexpr auto hybrid_forward(auto, auto const& x) const { return branch{}(x); }
};

int main() {
  network const net;
  sinter::nd::tensor<float, shape<1, 3>> const x{1, 2, 3};
#ifdef SINTER_FAIL
  return net.hybridize()(x).size() == 0;
#else
  return net(x).size() == 0;
#endif
}
