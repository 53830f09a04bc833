// SPDX-License-Identifier: Apache-2.0
// A vector has no shape.
// expect: sinter: a network is called with tensors, and these numbers have no shape
// lines-gcc: 6
// lines-clang: 10
#include <sinter/compile/hybridized.hpp>
#include <vector>
namespace nn = sinter::nn;

struct network : nn::hybrid_block<network> {
  constexpr auto hybrid_forward(auto F, auto x) const { return F.relu(x); }
};

int main() {
  network const net;
  std::vector<float> v(8);
#ifdef SINTER_FAIL
  return net(v).size() == 0;
#else
  return net(sinter::nd::tensor<float, sinter::shape<1, 8>>::borrow(v.data(), {1, 8})).size() == 0;
#endif
}
