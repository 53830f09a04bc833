// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a plain block is called by its `auto forward(auto x) const`, and this one has none for these operands; what has a hybrid_forward is an nn::hybrid_block
// lines-gcc: 12
// lines-clang: 25
#include <sinter/compile/plain.hpp>
namespace nn = sinter::nn;
using sinter::shape;

struct network : nn::block<network> {
#ifdef SINTER_FAIL
  auto hybrid_forward(auto F, auto const& x) const { return F.relu(x); }
#else
  auto forward(auto const& x) const { return sinter::relu(x); }
#endif
};

int main() {
  network const net;
  return net(sinter::nd::tensor<float, shape<1, 3>>{1, 2, 3}).size() == 0;
}
