// SPDX-License-Identifier: Apache-2.0
// backward() of a loss that was not recorded.
// expect: sinter: backward() begins at what was recorded: sinter::autograd::record on; loss(net(on(x)), y).backward()
// lines-gcc: 8
// lines-clang: 16
#include <sinter/train.hpp>

namespace nn = sinter::nn;
namespace nd = sinter::nd;
using sinter::shape;

int main() {
  nn::dense<3> net;
  net.initialize();
  nd::tensor<float, shape<2, 4>> x;
  nd::tensor<float, shape<2, 3>> y;
#ifdef SINTER_FAIL
  nn::l2_loss<>{}(net(x), y).backward();
#else
  sinter::autograd::record on;
  nn::l2_loss<>{}(net(on(x)), y).backward();
#endif
}
