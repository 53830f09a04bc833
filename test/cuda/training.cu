// SPDX-License-Identifier: Apache-2.0
// Training that nvcc must derive and plan as other compilers do. Nothing here runs.
#include <sinter/train.hpp>

namespace nn = sinter::nn;
namespace train = sinter::train;
using sinter::shape;

using network = nn::hybrid_sequential<nn::dense<16, nn::relu>, nn::dense<10>>;
using cross_entropy = nn::softmax_cross_entropy_loss<>;
using labels = sinter::nd::tensor<std::int64_t, shape<8>>;

using step = decltype(train::trainer(network{}, train::adam<>{}).compile(cross_entropy{}));
using plan = sinter::compiled_t<step, shape<8, 12>, labels>;
static_assert(plan::backward_kernels + plan::update_kernels <= 5 && plan::gradient_bytes == 0);

float compiled(sinter::nd::tensor<float, shape<8, 12>> const& x, labels const& y) {
  train::trainer trainer(network{}, train::sgd<true>{.learning_rate = 0.1});
  return trainer.compile(cross_entropy{})(x, y).item();
}

void eager(sinter::nd::tensor<float, shape<8, 12>> const& x, labels const& y) {
  network net;
  net.initialize(sinter::init::xavier{}, 1);
  train::trainer trainer(net, train::adamw<>{});
  sinter::autograd::record on;
  cross_entropy{}(net(on(x)), y).backward();
  trainer.step(8);
}
