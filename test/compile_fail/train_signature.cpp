// SPDX-License-Identifier: Apache-2.0
// An optimizer whose update takes no decay.
// expect: sinter: the update of an optimizer is a static constexpr function that is called with F, the parameter, its gradient
// lines-gcc: 40
// lines-clang: 60
#include <sinter/train.hpp>

namespace nn = sinter::nn;
namespace nd = sinter::nd;
namespace train = sinter::train;
using sinter::shape;

struct descent {
  double learning_rate = 0.1, weight_decay = 0;
#ifdef SINTER_FAIL
  static constexpr auto update(auto, auto w, auto g, auto rate) { return w - rate * g; }
#else
  static constexpr auto update(auto, auto w, auto g, auto rate, auto) { return w - rate * g; }
#endif
};
int main() {
  nn::dense<3> net;
  net.initialize();
  train::trainer trainer(net, descent{});
  auto step = trainer.compile(nn::l2_loss<>{});
  step(nd::tensor<float, shape<2, 4>>{}, nd::tensor<float, shape<2, 3>>{});
}
