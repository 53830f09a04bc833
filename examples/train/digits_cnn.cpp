// SPDX-License-Identifier: Apache-2.0
// A convolutional network with batch norm and dropout learns to read digits, in one compiled step; every tenth batch is trained eagerly, over the
// same parameters and the same means of the optimizer.
#include "digits.hpp"

struct cnn : nn::hybrid_block<cnn> {
  BOOST_HANA_DEFINE_STRUCT(cnn, (nn::conv2d<16, 3, 1, 1>, first), (nn::batch_norm<>, norm), (nn::conv2d<32, 3, 1, 1>, second),
                           (nn::dropout<0.25>, drop), (nn::dense<10>, output));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const h = F.max_pool(F.relu(norm(first(x))), sinter::pool_size<2>);
    return output(drop(F.max_pool(F.relu(second(h)), sinter::pool_size<2>)));
  }
};
template <int N> static auto images(nd::tensor<float, shape<N, 64>> const& pixels) {
  return sinter::reshape(pixels, sinter::into<N, 1, 8, 8>);
}

int main() {
  all_digits const all = read_digits();
  sinter::random::seed(1);
  cnn net;
  net.initialize(sinter::init::xavier{}, 1);
  nn::softmax_cross_entropy_loss<> cross_entropy;
  train::trainer trainer(net, train::adam<>{.learning_rate = 2e-3});
  auto step = trainer.compile(cross_entropy);
  for (int epoch = 0; epoch < 30; ++epoch) {
    if (epoch == 20) trainer.set_learning_rate(5e-4);  // nothing is compiled again
    for (auto const& [x, y] : train::batches<64>(images(all.known.pixels), all.known.labels, epoch)) {
      if (trainer.updates() % 10 != 9) {
        step(x, y);
        continue;
      }
      autograd::record on;
      cross_entropy(net(on(x)), y).backward();
      trainer.step(64);
    }
  }
  std::printf("%d of 360 correct\n", correct(net.hybridize(), images(all.unseen.pixels), all.unseen));
}
// prints: 358 of 360 correct
