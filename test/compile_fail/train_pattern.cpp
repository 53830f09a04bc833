// SPDX-License-Identifier: Apache-2.0
// A pattern that matches the name of no parameter.
// expect: sinter: the pattern of train::only matches the name of no parameter that could be trained
// lines-gcc: 40
// lines-clang: 60
#include <sinter/train.hpp>

namespace nn = sinter::nn;
namespace nd = sinter::nd;
namespace train = sinter::train;
using sinter::shape;

int main() {
  nn::hybrid_sequential<nn::dense<3>, nn::dense<2>> net;
#ifdef SINTER_FAIL
  train::trainer trainer(net, train::sgd{}, train::only<"output\\..*">);
#else
  train::trainer trainer(net, train::sgd{}, train::only<"1\\..*">);
#endif
  (void)trainer;
}
