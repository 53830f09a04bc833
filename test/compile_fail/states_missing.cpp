// SPDX-License-Identifier: Apache-2.0
// An LSTM called with one of its two states.
// expect: sinter: this block can be called with other numbers of operands than here: an lstm with x, or with x, h and c; a gru and an rnn with x, or with x and h
// lines-gcc: 12
// lines-clang: 20
#include <sinter/compile/hybridized.hpp>
#include <sinter/nn/layers/recurrent.hpp>
namespace nn = sinter::nn;

int main() {
  nn::lstm<4> net;
  net.initialize();
  sinter::nd::tensor<float, sinter::shape<3, 2, 5>> x;
  sinter::nd::tensor<float, sinter::shape<1, 2, 4>> h;
#ifdef SINTER_FAIL
  net(x, h);
#else
  net(x, h, h);
#endif
}
