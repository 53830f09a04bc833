// SPDX-License-Identifier: Apache-2.0
// A rate in the place of an optimizer.
// expect: sinter: a trainer takes a network and an optimizer
// lines-gcc: 40
// lines-clang: 60
#include <sinter/train.hpp>

namespace nn = sinter::nn;
namespace nd = sinter::nd;
namespace train = sinter::train;
using sinter::shape;

int main() {
  nn::dense<3> net;
#ifdef SINTER_FAIL
  train::trainer trainer(net, 0.1);
#else
  train::trainer trainer(net, train::sgd{.learning_rate = 0.1});
#endif
  (void)trainer;
}
