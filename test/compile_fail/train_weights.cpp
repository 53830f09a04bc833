// SPDX-License-Identifier: Apache-2.0
// A step whose weights are kept in 8 bits.
// expect: sinter: a step of training changes its weights, so that they are not kept as weights::bf16 or weights::int8
// lines-gcc: 30
// lines-clang: 40
#include <sinter/train.hpp>

namespace nn = sinter::nn;
namespace nd = sinter::nd;
namespace train = sinter::train;
using sinter::shape;

int main() {
  nn::dense<3> net;
  net.initialize();
  train::trainer trainer(net, train::sgd{});
#ifdef SINTER_FAIL
  auto step = trainer.compile(nn::l2_loss<>{}, sinter::weights::int8);
#else
  auto step = trainer.compile(nn::l2_loss<>{}, sinter::math::fast);
#endif
  step(nd::tensor<float, shape<2, 4>>{}, nd::tensor<float, shape<2, 3>>{});
}
