// SPDX-License-Identifier: Apache-2.0
// A gradient of another shape than the number that it begins at.
// expect: sinter: backward() is given a gradient of the dtype and shape of the number that it begins at, or none
// lines-gcc: 40
// lines-clang: 60
#include <sinter/train.hpp>

namespace nn = sinter::nn;
namespace nd = sinter::nd;
namespace train = sinter::train;
using sinter::shape;

int main() {
  nn::dense<3> net;
  net.initialize();
  sinter::autograd::record on;
  auto const y = net(on(nd::tensor<float, shape<2, 4>>{}));
#ifdef SINTER_FAIL
  y.backward(nd::tensor<float, shape<2, 4>>{});
#else
  y.backward(nd::tensor<float, shape<2, 3>>{});
#endif
}
