// SPDX-License-Identifier: Apache-2.0
// A hundred steps of each optimizer, eagerly and compiled: the same bits, and the losses and weights of MXNet and PyTorch (reference.py).
#include <cmath>
#include <fstream>
#include <sstream>

#include "steps.hpp"

namespace {

namespace nn = sinter::nn;
namespace nd = sinter::nd;
namespace train = sinter::train;
using sinter::shape;

using network = nn::hybrid_sequential<nn::dense<16, nn::relu, double>, nn::dense<4, nn::no_activation, double>>;
using examples = nd::tensor<double, shape<24, 8>>;
using classes = nd::tensor<std::int64_t, shape<24>>;

std::vector<double> numbers_of(int n, int step) {
  std::vector<double> r;
  for (int i = 0; i < n; ++i) r.push_back((i + 1) * step * 48271L % 65521 / 65521.0 - 0.5);
  return r;
}
examples inputs() { return examples::from(numbers_of(24 * 8, 7)); }
classes labels() {
  classes y;
  for (int i = 0; i < 24; ++i) y(i) = i * 5 % 4;
  return y;
}
network begun() {
  network net;
  net.initialize();
  net(inputs());
  net.at<0>().weight.set(numbers_of(16 * 8, 3));
  net.at<0>().bias.set(numbers_of(16, 5));
  net.at<1>().weight.set(numbers_of(4 * 16, 11));
  net.at<1>().bias.set(numbers_of(4, 2));
  return net;
}
std::vector<double> reference(std::string const& name) {
  std::ifstream in(SINTER_SOURCE_DIR "/test/train/reference.txt");
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first != name) continue;
    std::vector<double> r;
    for (double v; words >> v;) r.push_back(v);
    return r;
  }
  return {};
}
template <class Optimizer> void check(std::string const& name, Optimizer const& how) {
  INFO(name);
  network const eager = begun(), compiled = begun();
  nn::softmax_cross_entropy_loss<> const cross_entropy;
  train::trainer first(eager, how), second(compiled, how);
  auto step = second.compile(cross_entropy);
  std::vector<double> numbers;
  for (int i = 1; i <= 100; ++i) {
    double const a = test::eager_step(eager, inputs(), labels(), first, cross_entropy), b = step(inputs(), labels()).item();
    CHECK(a == b);
    if (i == 1 || i % 10 == 0) numbers.push_back(a);
  }
  std::vector<double> const w = test::values_of<double>(eager);
  CHECK(w == test::values_of<double>(compiled));
  CHECK(first.updates() == 100);
  CHECK(second.updates() == 100);
  numbers.insert(numbers.end(), w.begin(), w.end());
  std::vector<double> const wanted = reference(name);
  REQUIRE(wanted.size() == numbers.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(wanted[i] - numbers[i]) <= 1e-5 * std::max(1.0, std::abs(wanted[i])));
  }
}

}  // namespace

TEST_CASE("stochastic gradient descent takes the steps of MXNet, in both modes with the same bits") {
  check("sgd", train::sgd{.learning_rate = 0.1});
  check("sgd_decay", train::sgd{.learning_rate = 0.1, .weight_decay = 0.02});
}
TEST_CASE("so does momentum") { check("sgd_mom", train::sgd<0.9>{.learning_rate = 0.05}); }
TEST_CASE("so does Nesterov's gradient") { check("nag", train::nag<>{.learning_rate = 0.05}); }
TEST_CASE("so does Adam") {
  check("adam", train::adam<>{.learning_rate = 0.01});
  check("adam_decay", train::adam<>{.learning_rate = 0.01, .weight_decay = 0.02});
}
TEST_CASE("AdamW takes the steps of PyTorch") { check("adamw", train::adamw<>{.learning_rate = 0.01, .weight_decay = 0.02}); }
