// SPDX-License-Identifier: Apache-2.0
// A trainer is given two ways to clip, one of which it would not use.
// expect: sinter: a trainer takes one train::only<"...">, whose pattern may say (a|b), and one of train::clip_value<1.0> and train::clip_norm<1.0>
// lines-gcc: 40
// lines-clang: 60
#include <sinter/train.hpp>

namespace nn = sinter::nn;
namespace train = sinter::train;

int main() {
  nn::dense<3> net;
#ifdef SINTER_FAIL
  train::trainer trainer(net, train::sgd{}, train::clip_norm<1.0>, train::clip_value<0.5>);
#else
  train::trainer trainer(net, train::sgd{}, train::clip_norm<1.0>, train::only<"weight">);
#endif
  (void)trainer;
}
