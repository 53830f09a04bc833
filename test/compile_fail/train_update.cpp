// SPDX-License-Identifier: Apache-2.0
// An optimizer that needs the shape of a parameter.
// expect: sinter: the update of an optimizer is made of elementwise operations
// lines-gcc: 40
// lines-clang: 60
#include <sinter/train.hpp>

namespace nn = sinter::nn;
namespace nd = sinter::nd;
namespace train = sinter::train;
using sinter::shape;

struct by_norm {
  double learning_rate = 0.1, weight_decay = 0;
#ifdef SINTER_FAIL
  static constexpr auto update(auto F, auto w, auto g, auto rate, auto) { return w - rate * g / F.sqrt(F.sum(F.square(g))); }
#else
  static constexpr auto update(auto F, auto w, auto g, auto rate, auto) { return w - rate * g / F.sqrt(F.square(g) + 1); }
#endif
};
int main() {
  nn::dense<3> net;
  net.initialize();
  train::trainer trainer(net, by_norm{});
  auto step = trainer.compile(nn::l2_loss<>{});
  step(nd::tensor<float, shape<2, 4>>{}, nd::tensor<float, shape<2, 3>>{});
}
