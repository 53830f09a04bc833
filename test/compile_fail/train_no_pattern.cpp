// SPDX-License-Identifier: Apache-2.0
// A pattern that is none.
// expect: sinter: train::only is given a pattern that is none
// lines-gcc: 40
// lines-clang: 60
#include <sinter/train.hpp>

namespace nn = sinter::nn;
namespace train = sinter::train;

int main() {
  nn::dense<3> net;
#ifdef SINTER_FAIL
  train::trainer trainer(net, train::sgd{}, train::only<"(weight">);
#else
  train::trainer trainer(net, train::sgd{}, train::only<"(weight|bias)">);
#endif
  (void)trainer;
}
