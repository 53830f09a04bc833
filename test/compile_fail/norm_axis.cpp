// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a normalization layer wants an operand that has the axis of its parameters: (batch, channels, ...)
// lines-gcc: 20
// lines-clang: 30
#include <sinter/nn/layers/norms.hpp>
using namespace sinter;

int main() {
  nn::group_norm<2> norm;
  norm.initialize();
#ifdef SINTER_FAIL
  nd::tensor<float, shape<4>> const x;
#else
  nd::tensor<float, shape<1, 4>> const x;
#endif
  return norm(x)[0] != 0;
}
