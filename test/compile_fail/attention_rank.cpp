// SPDX-License-Identifier: Apache-2.0
// expect: sinter: an attention layer wants operands of shape (batch, places, channels)
// lines-gcc: 9
// lines-clang: 32
#include <sinter/nn/layers/transformer.hpp>
using namespace sinter;

int main() {
#ifdef SINTER_FAIL
  nd::tensor<float, shape<5, 8>> const x;
#else
  nd::tensor<float, shape<1, 5, 8>> const x;
#endif
  nn::multi_head_attention<8, 2> net;
  net.initialize();
  auto const y = net(x);
  return y.size() == 0;
}
