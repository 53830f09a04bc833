// SPDX-License-Identifier: Apache-2.0
// expect: sinter: prelu<64> wants an operand of shape (batch, 64, ...)
// lines-gcc: 8
// lines-clang: 30
#include <sinter/compile/hybridized.hpp>
#include <sinter/nn/layers/images.hpp>
using namespace sinter;

int main() {
  nd::tensor<float, shape<2, 1, 4, 4>> const x;
#ifdef SINTER_FAIL
  nn::prelu<3> net;
#else
  nn::prelu<> net;
#endif
  return (net.initialize(), net(x).size()) != 32;
}
