// SPDX-License-Identifier: Apache-2.0
// Steps of training against the peak of multiplications: forward pass, loss, gradients and updates, compiled and eagerly.
#include "rows.hpp"

#include <sinter/models/lenet.hpp>
#include <sinter/train.hpp>

namespace bench {

using seed_network = nn::hybrid_sequential<nn::dense<256, nn::relu>, nn::dense<128, nn::relu>, nn::dense<2>>;
static seed_network seed_begun(nd::tensor<float, shape<64, 512>> const& x) {
  seed_network net;
  net.initialize();
  net(x);
  set_parameters(net);
  return net;
}
// The mean loss of a network that is not trained yet, in double precision.
static double loss_of(seed_network const& net, nd::tensor<float, shape<64, 512>> const& x,
                      nd::tensor<std::int64_t, shape<64>> const& labels) {
  std::vector<std::vector<double>> const p = parameters_of(net);
  double sum = 0;
  for (int i = 0; i < 64; ++i) {
    std::vector<double> const z = dense_layers(p, {x.data() + i * 512, x.data() + (i + 1) * 512}, [](double v) { return v > 0 ? v : 0; });
    sum += std::log(std::exp(z[0]) + std::exp(z[1])) - z[static_cast<std::size_t>(labels.data()[i])];
  }
  return sum / 64;
}
static nd::tensor<std::int64_t, shape<64>> alternating(int classes) {
  nd::tensor<std::int64_t, shape<64>> y;
  for (int i = 0; i < 64; ++i) y.data()[i] = i % classes;
  return y;
}

// make(net, trainer, x, labels) gives what a row calls, which returns the mean loss. The rate is so small that the network stays what it is, however
// often a step is measured.
template <class Optimizer, class Make> static void seed_step(std::string const& what, Optimizer const& how, Make const& make) {
  if (!wanted("C28", what)) return;
  nd::tensor<float, shape<64, 512>> x;
  fill(x);
  auto const labels = alternating(2);
  seed_network const net = seed_begun(x);
  double const before = loss_of(net, x, labels);
  sinter::train::trainer trainer(net, how);
  auto step = make(net, trainer, x, labels);
  check(what, static_cast<double>(step().item()), before, before);
  constexpr double products = 512 * 256 * 2 + 256 * 128 * 3 + 128 * 2 * 3;  // forward, of the weights, and of what comes in but the first
  row("C28", what, step, {flops(2.0 * 64 * products)});
}
static auto compiled(auto const&, auto& trainer, auto const& x, auto const& labels) {
  auto step = trainer.compile(nn::softmax_cross_entropy_loss<>{});
  nd::tensor<float, shape<>> loss;
  return [=]() mutable {
    step(x, labels, nd::out(loss));
    return loss;
  };
}
static auto eager(auto const& net, auto& trainer, auto const& x, auto const& labels) {
  return [=, &trainer] {
    sinter::autograd::record on;
    auto const loss = nn::softmax_cross_entropy_loss<>{}(net(on(x)), labels);
    loss.backward();
    trainer.step(64);
    return sinter::mean(loss.value());
  };
}
static void lenet() {
  std::string const what = "SGD step of LeNet, batch 64";
  if (!wanted("C29", what)) return;
  sinter::models::lenet<> net;
  net.initialize();
  nd::tensor<float, shape<64, 1, 28, 28>> x;
  fill(x);
  auto const labels = alternating(10);
  nn::softmax_cross_entropy_loss<> const cross_entropy;
  net(x);
  set_parameters(net);
  double const before = static_cast<double>(sinter::mean(cross_entropy(net(x), labels)).item());
  sinter::train::trainer trainer(net, sinter::train::sgd{.learning_rate = 1e-9});
  auto step = trainer.compile(cross_entropy);
  nd::tensor<float, shape<>> loss;
  step(x, labels, nd::out(loss));
  check(what, static_cast<double>(loss.item()), before, before);
  using plan = sinter::compiled_t<sinter::models::lenet<>, shape<64, 1, 28, 28>>;
  row("C29", what, [&] { step(x, labels, nd::out(loss)); }, {flops(3.0 * static_cast<double>(plan::flops))});
}
void training() {
  auto const as_one = [](auto&... a) { return compiled(a...); };
  seed_step("SGD step of the seed MLP, batch 64", sinter::train::sgd{.learning_rate = 1e-9}, as_one);
  seed_step("Adam step of the seed MLP, batch 64", sinter::train::adam<>{.learning_rate = 1e-9}, as_one);
  seed_step("SGD step of the seed MLP, batch 64, eager", sinter::train::sgd{.learning_rate = 1e-9}, [](auto&... a) { return eager(a...); });
  lenet();
}

}  // namespace bench
