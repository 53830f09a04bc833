// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a hybrid_sequential holds hybrid blocks, and one of these is plain or compiled already; nn::sequential holds any, and its hybridize() compiles the hybrid ones
// lines-gcc: 12
// lines-clang: 25
#include <sinter/compile/plain.hpp>
namespace nn = sinter::nn;
using sinter::shape;

struct branch : nn::block<branch> {
  auto forward(auto const& x) const { return x(0, 0) > 0 ? x : -x; }
};

int main() {
#ifdef SINTER_FAIL
  nn::hybrid_sequential net{nn::dense<4>{}, branch{}};
#else
  nn::sequential net{nn::dense<4>{}, branch{}};
#endif
  net.initialize();
  return net(sinter::nd::tensor<float, shape<1, 3>>{1, 2, 3}).size() == 0;
}
