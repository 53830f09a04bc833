// SPDX-License-Identifier: Apache-2.0
// A text that is longer than the network has places.
// expect: sinter: this text has more places than the network's positional_embedding<Length, Units> has rows
// lines-gcc: 18
// lines-clang: 46
#include <sinter/compile/hybridized.hpp>
#include <sinter/nn/layers/transformer.hpp>
namespace nn = sinter::nn;

int main() {
  nn::positional_embedding<4, 8> net;
  net.initialize();
#ifdef SINTER_FAIL
  sinter::nd::tensor<float, sinter::shape<1, 5, 8>> x;
#else
  sinter::nd::tensor<float, sinter::shape<1, 4, 8>> x;
#endif
  return net.hybridize()(x).size() == 0;
}
