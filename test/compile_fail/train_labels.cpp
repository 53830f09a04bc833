// SPDX-License-Identifier: Apache-2.0
// Labels that are no integers.
// expect: sinter: the labels of this loss are integers, each a class from 0 on, and these are floats
// lines-gcc: 20
// lines-clang: 30
#include <sinter/train.hpp>

namespace nn = sinter::nn;
namespace nd = sinter::nd;
namespace train = sinter::train;
using sinter::shape;

int main() {
  nn::dense<3> net;
  net.initialize();
  train::trainer trainer(net, train::sgd{});
  auto step = trainer.compile(nn::softmax_cross_entropy_loss<>{});
#ifdef SINTER_FAIL
  step(nd::tensor<float, shape<2, 4>>{}, nd::tensor<float, shape<2>>{});
#else
  step(nd::tensor<float, shape<2, 4>>{}, nd::tensor<int, shape<2>>{});
#endif
}
