// SPDX-License-Identifier: Apache-2.0
// expect: sinter: an eager call returns its result, and writes none into an operand: auto y = net(x, memory);
// expect: result_discarded_eager.cpp:14:
// lines-gcc: 8
// lines-clang: 6
#include <sinter/nn/transformer.hpp>

int main() {
  sinter::nn::multi_head_attention<8, 2> net;
  net.initialize();
  sinter::nd::tensor<float, sinter::shape<1, 4, 8>> x, out;
#ifdef SINTER_FAIL
  net(x);  // may drop its result, because it tells the layers their shapes
  net(x, out);
#else
  net(x);
  out = net(x);
#endif
}
