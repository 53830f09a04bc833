// SPDX-License-Identifier: Apache-2.0
// Gluon's first example: a line through points, by eager steps.
#include <cstdio>
#include <sinter/sinter.hpp>
#include <sinter/train.hpp>

namespace nn = sinter::nn;
namespace nd = sinter::nd;
namespace train = sinter::train;
using sinter::shape;

int main() {
  // y = 2 x0 - 3.4 x1 + 4.2, and some noise
  sinter::random::seed(1);
  auto const x = sinter::random::normal(sinter::into<1000, 2>);
  auto const noise = sinter::random::normal(sinter::into<1000>, sinter::values<0, 0.01>);
  nd::tensor<float, shape<1000, 1>> y;
  for (int i = 0; i < 1000; ++i) y(i, 0) = 2 * x(i, 0) - 3.4f * x(i, 1) + 4.2f + noise(i);

  nn::dense<1> net;
  net.initialize(sinter::init::normal{0.01}, 1);
  nn::l2_loss<> l2;
  train::trainer trainer(net, train::sgd{.learning_rate = 0.03});
  for (int epoch = 0; epoch < 3; ++epoch) {
    for (auto const& [features, labels] : train::batches<10>(x, y, epoch)) {
      sinter::autograd::record on;
      auto const loss = l2(net(on(features)), labels);
      loss.backward();
      trainer.step(10);
    }
    std::printf("epoch %d: loss %.5f\n", epoch + 1, sinter::mean(l2(net(x), y)).item());
  }
  auto const w = net.weight.data<shape<1, 2>>();
  std::printf("y = %.2f x0 %+.2f x1 %+.2f\n", w(0, 0), w(0, 1), net.bias.data<shape<1>>()(0));
}
// prints: epoch 1: loss ...
// prints: epoch 2: loss ...
// prints: epoch 3: loss 0.00005
// prints: y = 2.00 x0 -3.40 x1 +4.20
