// SPDX-License-Identifier: Apache-2.0
// More labels than a call compares with the number of classes.
// expect: sinter: a network has at most eight inputs that are labels of softmax_cross_entropy_loss
// lines-gcc: 30
// lines-clang: 40
#include <sinter/train.hpp>

namespace nn = sinter::nn;
namespace nd = sinter::nd;
namespace train = sinter::train;
using sinter::shape;
using labels = nd::tensor<int, shape<2>>;

struct all_losses : nn::hybrid_block<all_losses> {
  BOOST_HANA_DEFINE_STRUCT(all_losses, (nn::softmax_cross_entropy_loss<>, loss));
  constexpr auto hybrid_forward(auto, auto x, auto y) const {
    return std::apply([&](auto const&... one) { return (loss(x, one) + ...); }, y);
  }
};

int main() {
  nn::dense<3> net;
  net.initialize();
  train::trainer trainer(net, train::sgd{});
  auto step = trainer.compile(all_losses{});
  labels y;
#ifdef SINTER_FAIL
  step(nd::tensor<float, shape<2, 4>>{}, std::tuple{y, y, y, y, y, y, y, y, y});
#else
  step(nd::tensor<float, shape<2, 4>>{}, std::tuple{y, y, y, y, y, y, y, y});
#endif
}
