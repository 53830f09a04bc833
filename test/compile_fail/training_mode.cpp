// SPDX-License-Identifier: Apache-2.0
// Training is said of an input; a network has no mode that could be changed.
// expect: sinter: training marks what a network is called with, net(sinter::training(x)); a network has no mode
// expect: training_mode.cpp:14:
// lines-gcc: 13
// lines-clang: 9
#include <sinter/nn/layers/basic.hpp>
using namespace sinter;

int main() {
  nn::dropout<0.5> net;
  nd::tensor<float, shape<2, 3>> const x;
#ifdef SINTER_FAIL
  static_cast<void>(training(net));
#else
  static_cast<void>(training(x));
#endif
  return net(x).size() == 0;
}
