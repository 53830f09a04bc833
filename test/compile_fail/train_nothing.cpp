// SPDX-License-Identifier: Apache-2.0
// A network without parameters is trained.
// expect: sinter: this network has no parameters of floats, so that there is nothing to train
// lines-gcc: 40
// lines-clang: 60
#include <sinter/train.hpp>

namespace nn = sinter::nn;
namespace nd = sinter::nd;
namespace train = sinter::train;
using sinter::shape;

#ifdef SINTER_FAIL
using network = nn::hybrid_sequential<nn::flatten, nn::dropout<0.5>>;
#else
using network = nn::hybrid_sequential<nn::flatten, nn::dense<3>>;
#endif
int main() {
  network net;
  train::trainer trainer(net, train::sgd{});
  (void)trainer;
}
