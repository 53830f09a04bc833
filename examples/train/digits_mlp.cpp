// SPDX-License-Identifier: Apache-2.0
// A network learns to read digits, from nothing: eagerly, each operation at once, and as one compiled step. Both have the same bits.
#include "digits.hpp"

using network = nn::hybrid_sequential<nn::dense<128, nn::relu>, nn::dense<10>>;
using optimizer = train::adam<>;

// Known at compile time: no gradient of a parameter goes through memory.
using plan = sinter::compiled_t<decltype(train::trainer(network{}, optimizer{}).compile(nn::softmax_cross_entropy_loss<>{})), shape<64, 64>,
                                nd::tensor<std::int64_t, shape<64>>>;
static_assert(plan::backward_kernels + plan::update_kernels <= 5 && plan::gradient_bytes == 0);

int main() {
  all_digits const all = read_digits();
  nn::softmax_cross_entropy_loss<> cross_entropy;
  network first;
  first.initialize(sinter::init::xavier{}, 1);
  first(all.unseen.pixels);  // now all shapes are known
  network second = first.copy();

  train::trainer eager(first, optimizer{.learning_rate = 2e-3});
  for (int epoch = 0; epoch < 20; ++epoch)
    for (auto const& [x, y] : train::batches<64>(all.known.pixels, all.known.labels, epoch)) {
      autograd::record on;
      cross_entropy(first(on(x)), y).backward();
      eager.step(64);
    }
  std::printf("eager: %d of 360 correct\n", correct(first, all.unseen.pixels, all.unseen));

  train::trainer compiled(second, optimizer{.learning_rate = 2e-3});
  auto step = compiled.compile(cross_entropy);
  float loss = 0;
  for (int epoch = 0; epoch < 20; ++epoch)
    for (auto const& [x, y] : train::batches<64>(all.known.pixels, all.known.labels, epoch)) loss = step(x, y).item();
  std::printf("compiled: %d of 360 correct, last loss %.4f\n", correct(second.hybridize(), all.unseen.pixels, all.unseen), loss);

  bool const same = first.at<0>().weight.to_vector() == second.at<0>().weight.to_vector();
  std::printf("weights are the same, bit for bit: %s\n", same ? "yes" : "no");
}
// prints: eager: 354 of 360 correct
// prints: compiled: 354 of 360 correct, last loss ...
// prints: weights are the same, bit for bit: yes
