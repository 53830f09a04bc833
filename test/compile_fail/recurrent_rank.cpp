// SPDX-License-Identifier: Apache-2.0
// expect: sinter: a recurrent layer wants an operand of shape (time, batch, channels)
// lines-gcc: 10
// lines-clang: 32
#include <sinter/nn/layers/recurrent.hpp>
using namespace sinter;

int main() {
#ifdef SINTER_FAIL
  nd::tensor<float, shape<2, 7>> const x;
#else
  nd::tensor<float, shape<2, 1, 7>> const x;
#endif
  nn::lstm<4> net;
  net.initialize();
  auto const y = net(x);
  return y.size() == 0;
}
