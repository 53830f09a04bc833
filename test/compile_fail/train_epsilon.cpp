// SPDX-License-Identifier: Apache-2.0
// Adam whose epsilon is 0 in the dtype of the parameters.
// expect: sinter: the epsilon of this optimizer is 0 in float16
// lines-gcc: 30
// lines-clang: 40
#include <sinter/train.hpp>

namespace nn = sinter::nn;
namespace nd = sinter::nd;
namespace train = sinter::train;
using sinter::float16;
using sinter::shape;

int main() {
  nn::dense<3, nn::no_activation, float16> net;
  net.initialize();
#ifdef SINTER_FAIL
  train::trainer trainer(net, train::adam<>{});
#else
  train::trainer trainer(net, train::adam<0.9, 0.999, 1e-4>{});
#endif
  auto step = trainer.compile(nn::l2_loss<>{});
  step(nd::tensor<float16, shape<2, 4>>{}, nd::tensor<float16, shape<2, 3>>{});
}
