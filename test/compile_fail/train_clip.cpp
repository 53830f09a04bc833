// SPDX-License-Identifier: Apache-2.0
// Gradients are clipped to nothing.
// expect: sinter: train::clip_value<1.0> takes a number above 0
// lines-gcc: 40
// lines-clang: 60
#include <sinter/train.hpp>

namespace nn = sinter::nn;
namespace train = sinter::train;

int main() {
  nn::dense<3> net;
#ifdef SINTER_FAIL
  train::trainer trainer(net, train::sgd{}, train::clip_value<-1.0>);
#else
  train::trainer trainer(net, train::sgd{}, train::clip_value<1.0>);
#endif
  (void)trainer;
}
