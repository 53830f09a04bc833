// SPDX-License-Identifier: Apache-2.0
// The trainer: what its steps change, in both modes and by turns, what is saved, and what it refuses.
#include "steps.hpp"

// Below the headers of the library, which declare what it replaces.
#include <cstdio>

#include "../allocations.hpp"

namespace {

namespace nn = sinter::nn;
namespace nd = sinter::nd;
namespace train = sinter::train;
namespace autograd = sinter::autograd;
using Catch::Matchers::Contains;
using sinter::shape;
using floats = std::vector<float>;
using test::refusal;
using test::values_of;

using images = nd::tensor<float, shape<8, 1, 6, 6>>;
using classes = nd::tensor<std::int64_t, shape<8>>;
// Batch norm changes its states, and dropout draws a key.
struct reader : nn::hybrid_block<reader> {
  BOOST_HANA_DEFINE_STRUCT(reader, (nn::conv2d<4, 3, 1, 1>, first), (nn::batch_norm<>, norm), (nn::dropout<0.25>, drop),
                           (nn::dense<3>, output));
  constexpr auto hybrid_forward(auto F, auto x) const { return output(drop(F.max_pool(F.relu(norm(first(x))), sinter::pool_size<2>))); }
};
images pixels() {
  images x;
  for (int i = 0; i < 8 * 36; ++i) x.data()[i] = static_cast<float>(i * 37 % 101) / 101;
  return x;
}
classes labels() { return classes{0, 1, 2, 0, 1, 2, 1, 0}; }
reader begun() {
  reader net;
  net.initialize(sinter::init::xavier{}, 1);
  net(pixels());
  return net;
}
nn::softmax_cross_entropy_loss<> const cross_entropy;
template <class Net, class X, class Y, class Trainer> float eager_step(Net const& net, X const& x, Y const& y, Trainer& trainer) {
  return test::eager_step(net, x, y, trainer, cross_entropy);
}
struct in_file {
  std::string path;
  explicit in_file(std::string name) : path(std::move(name)) {}
  in_file(in_file const&) = delete;
  in_file& operator=(in_file const&) = delete;
  ~in_file() { std::remove(path.c_str()); }
};

using small = nn::hybrid_sequential<nn::dense<4, nn::relu>, nn::dense<3>>;
using rows = nd::tensor<float, shape<8, 5>>;
rows small_input() {
  rows x;
  for (int i = 0; i < 40; ++i) x.data()[i] = static_cast<float>(i * 29 % 31) / 31;
  return x;
}
small small_begun() {
  small net;
  net.initialize(sinter::init::xavier{}, 2);
  net(small_input());
  return net;
}
// The rate is no part of a sign.
struct sign_descent {
  double learning_rate = 0.25, weight_decay = 0;
  static constexpr auto update(auto F, auto w, auto g, auto rate, auto) { return w - rate * F.sign(g); }
};

}  // namespace

TEST_CASE("eager and compiled steps have the same bits, with one thread and with two, and saved in the middle") {
  in_file const weights{"train-test-weights.params"}, states{"train-test-states.params"};
  reader const eager = begun(), compiled = begun();
  train::trainer first(eager, train::adam<>{.learning_rate = 0.01}), second(compiled, train::adam<>{.learning_rate = 0.01});
  auto step = second.compile(cross_entropy);
  std::vector<float> losses;
  sinter::random::seed(7);
  for (int i = 0; i < 100; ++i) losses.push_back(eager_step(eager, pixels(), labels(), first));
  sinter::random::seed(7);
  for (int i = 0; i < 100; ++i) {
    sinter::simd::set_threads(i % 2 ? 2 : 1);
    CHECK(step(pixels(), labels()).item() == losses[static_cast<std::size_t>(i)]);
    if (i == 49) {
      compiled.save_parameters(weights.path);
      second.save_states(states.path);
    }
  }
  sinter::simd::set_threads(1);
  CHECK(values_of(eager) == values_of(compiled));
  CHECK(losses.back() < losses.front() / 4);

  reader later;
  later.load_parameters(weights.path);
  train::trainer third(later, train::adam<>{.learning_rate = 0.01});
  third.load_states(states.path);
  CHECK(third.updates() == 50);
  sinter::random::seed(7);
  for (int i = 0; i < 50; ++i) sinter::random::next_key();
  auto again = third.compile(cross_entropy);
  for (int i = 50; i < 100; ++i) {  // by turns
    float const loss = i % 3 ? again(pixels(), labels()).item() : eager_step(later, pixels(), labels(), third);
    CHECK(loss == losses[static_cast<std::size_t>(i)]);
  }
  CHECK(values_of(eager) == values_of(later));
}
TEST_CASE("a compiled network sees the new weights, and the old ones are those of a copy") {
  small const net = small_begun(), before = net.copy();
  auto const fast = net.hybridize();
  auto const y = fast(small_input());
  train::trainer trainer(net, train::sgd{.learning_rate = 1});
  auto step = trainer.compile(cross_entropy);
  step(small_input(), labels());
  CHECK(fast(small_input()).to_vector() == net(small_input()).to_vector());
  CHECK(fast(small_input()).to_vector() != y.to_vector());
  CHECK(before(small_input()).to_vector() == y.to_vector());
}
TEST_CASE("what is not trained stays, and has no backward kernels") {
  small const net = small_begun(), eager = small_begun();
  floats const hidden = net.at<0>().weight.to_vector(), output = net.at<1>().weight.to_vector();
  train::trainer trainer(net, train::sgd{.learning_rate = 0.5}, train::only<"1\\..*">);
  auto step = trainer.compile(cross_entropy);
  using plan = sinter::compiled_t<decltype(step), rows, classes>;
  static_assert(plan::forward_kernels + plan::backward_kernels == plan::kernels && plan::backward_kernels == 2 &&
                plan::update_kernels == 0 && plan::states == 2);
  step(small_input(), labels());
  CHECK(net.at<0>().weight.to_vector() == hidden);
  CHECK(net.at<1>().weight.to_vector() != output);
  train::trainer other(eager, train::sgd{.learning_rate = 0.5}, train::only<"1\\..*">);
  eager_step(eager, small_input(), labels(), other);
  CHECK(values_of(eager) == values_of(net));
}
TEST_CASE("rates are numbers, which may change between steps") {
  small const net = small_begun(), eager = small_begun();
  train::trainer trainer(net, train::sgd{.learning_rate = 0.5, .weight_decay = 0.1}),
      other(eager, train::sgd{.learning_rate = 0.5, .weight_decay = 0.1});
  auto step = trainer.compile(cross_entropy);
  auto const both = [&] {
    step(small_input(), labels());
    eager_step(eager, small_input(), labels(), other);
    return values_of(net);
  };
  CHECK(both() == values_of(eager));
  trainer.set_learning_rate(0);
  other.set_learning_rate(0);
  CHECK(trainer.learning_rate() == 0);
  floats const before = values_of(net);
  CHECK(both() == before);
  trainer.set_learning_rate(0.25), other.set_learning_rate(0.25);
  trainer.set_lr_mult(".*bias", 0), other.set_lr_mult(".*bias", 0);
  floats const bias = net.at<0>().bias.to_vector(), weight = net.at<0>().weight.to_vector();
  CHECK(both() == values_of(eager));
  CHECK(net.at<0>().bias.to_vector() == bias);
  CHECK(net.at<0>().weight.to_vector() != weight);
  trainer.set_wd_mult(".*weight", 0), other.set_wd_mult(".*weight", 0);
  CHECK(both() == values_of(eager));
  CHECK_THAT(refusal([&] { trainer.set_lr_mult("gamma", 2); }), Contains("matches the name of no parameter"));
}
TEST_CASE("gradients are clipped, and an optimizer may be one's own") {
  small const net = small_begun(), eager = small_begun();
  floats const before = values_of(net);
  train::trainer trainer(net, train::sgd{.learning_rate = 1}, train::clip_value<0.01>);
  auto step = trainer.compile(cross_entropy);
  step(small_input(), labels());
  float largest = 0;
  floats const after = values_of(net);
  for (std::size_t i = 0; i < after.size(); ++i) largest = std::max(largest, std::abs(after[i] - before[i]));
  CHECK(largest <= 0.0100001f);
  CHECK(largest > 0.0099f);
  train::trainer other(eager, train::sgd{.learning_rate = 1}, train::clip_value<0.01>);
  eager_step(eager, small_input(), labels(), other);
  CHECK(values_of(eager) == after);

  small const mine = small_begun();
  train::trainer own(mine, sign_descent{});
  auto own_step = own.compile(cross_entropy);
  own_step(small_input(), labels());
  floats const moved = values_of(mine);
  int n = 0;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    float const by = std::abs(moved[i] - before[i]);
    CHECK((by == 0 || std::abs(by - 0.25f) < 1e-6f));
    n += by > 0;
  }
  CHECK(n > 10);
}
TEST_CASE("all gradients together are clipped by their norm") {
  small const net = small_begun(), eager = small_begun(), free = small_begun();
  floats const before = values_of(net);
  train::trainer trainer(net, train::sgd{.learning_rate = 1}, train::clip_norm<0.125>),
      other(eager, train::sgd{.learning_rate = 1}, train::clip_norm<0.125>);
  auto step = trainer.compile(cross_entropy);
  using plan = sinter::compiled_t<decltype(step), rows, classes>;
  static_assert(plan::update_kernels == 4 && plan::gradient_bytes == 4 * (4 * 5 + 4 + 3 * 4 + 3));
  step(small_input(), labels());
  eager_step(eager, small_input(), labels(), other);
  floats const after = values_of(net);
  CHECK(values_of(eager) == after);
  double squares = 0;
  for (std::size_t i = 0; i < after.size(); ++i) squares += std::pow(static_cast<double>(after[i]) - static_cast<double>(before[i]), 2);
  CHECK(std::sqrt(squares) == Approx(0.125).epsilon(1e-4));
  train::trainer wide(free, train::sgd{.learning_rate = 1}, train::clip_norm<100>);
  train::trainer plain(small_begun(), train::sgd{.learning_rate = 1});
  auto wide_step = wide.compile(cross_entropy);
  wide_step(small_input(), labels());
  small const unclipped = small_begun();
  train::trainer last(unclipped, train::sgd{.learning_rate = 1});
  eager_step(unclipped, small_input(), labels(), last);
  CHECK(values_of(free) == values_of(unclipped));
}
TEST_CASE("labels that are no class are refused in both modes, and nothing is updated") {
  small const net = small_begun();
  floats const before = values_of(net);
  train::trainer trainer(net, train::sgd{});
  auto step = trainer.compile(cross_entropy);
  classes wrong = labels();
  wrong(5) = 3;
  CHECK_THAT(refusal([&] { step(small_input(), wrong); }), Contains("a label is 3, and there are 3 classes"));
  CHECK_THAT(refusal([&] { eager_step(net, small_input(), wrong, trainer); }), Contains("a label is 3, and there are 3 classes"));
  wrong(5) = -1;
  CHECK_THAT(refusal([&] { step(small_input(), wrong); }), Contains("a label is -1"));
  CHECK(values_of(net) == before);
  CHECK(trainer.updates() == 0);
}
struct twice_the_loss : nn::hybrid_block<twice_the_loss> {
  BOOST_HANA_DEFINE_STRUCT(twice_the_loss, (nn::softmax_cross_entropy_loss<>, inner));
  constexpr auto hybrid_forward(auto, auto const& p, auto const& y) const { return inner(p, y) * 2; }
};
struct with_its_loss : nn::hybrid_block<with_its_loss> {
  BOOST_HANA_DEFINE_STRUCT(with_its_loss, (small, net), (nn::softmax_cross_entropy_loss<>, loss));
  constexpr auto hybrid_forward(auto, auto const& x, auto const& y) const { return loss(net(x), y); }
};
TEST_CASE("labels that are no class are refused wherever the loss stands") {
  classes y = labels();
  y(3) = 77;
  auto const refuses = [](auto const& call) { CHECK_THAT(refusal(call), Contains("a label is 77, and there are 3 classes")); };
  rows const x = small_input();
  small const net = small_begun();
  floats const before = values_of(net);
  train::trainer trainer(net, train::sgd{});
  auto step = trainer.compile(twice_the_loss{});
  refuses([&] { step(x, y); });
  refuses([&] { step(x, sinter::training(y)); });
  refuses([&] { step(sinter::training(x), y); });
  nd::tensor<float, shape<>> loss;
  refuses([&] { step(sinter::training(x), y, nd::out(loss)); });
  refuses([&] {
    autograd::record on;
    cross_entropy(net(on(x)), on(y));
  });
  refuses([&] {
    autograd::record on;
    cross_entropy(net(on(x)), sinter::training(y));
  });
  CHECK(values_of(net) == before);
  with_its_loss whole;
  whole.net = net;
  train::trainer of_whole(whole, train::sgd{});
  auto step_of_whole = of_whole.compile();
  refuses([&] { step_of_whole(x, y); });
  auto const fast = whole.hybridize();
  refuses([&] {
    autograd::record on;
    static_cast<void>(fast(on(x), y));
  });
  CHECK(fast(x, y).to_vector().size() == 8);  // not in training: a number that is no class is taken as the nearest one
  CHECK(step_of_whole(x, labels()).item() > 0);
}
struct sum_of_both : nn::hybrid_block<sum_of_both> {
  BOOST_HANA_DEFINE_STRUCT(sum_of_both, (nn::softmax_cross_entropy_loss<>, first), (nn::l2_loss<>, second));
  constexpr auto hybrid_forward(auto, auto const& p, auto const& y) const { return first(p, std::get<0>(y)) + second(p, std::get<1>(y)); }
};
TEST_CASE("a loss compares with several tensors") {
  small const net = small_begun();
  train::trainer trainer(net, train::sgd{.learning_rate = 0.5});
  auto step = trainer.compile(sum_of_both{});
  nd::tensor<float, shape<8, 3>> const other = net(small_input());
  float const loss = sinter::mean(cross_entropy(other, labels())).item();
  CHECK(step(small_input(), std::tuple{labels(), other}).item() == Approx(loss));  // the second loss is none yet
  CHECK(step(small_input(), std::tuple{labels(), other}).item() < loss);
}
TEST_CASE("parameters of 16 bits are trained, too") {
  using halves = nn::hybrid_sequential<nn::dense<4, nn::relu, sinter::float16>, nn::dense<3, nn::no_activation, sinter::float16>>;
  halves net;
  net.initialize(sinter::init::xavier{}, 2);
  nd::tensor<sinter::float16, shape<8, 5>> const x = sinter::cast(small_input(), sinter::as<sinter::float16>);
  net(x);
  halves const eager = net.copy();
  floats const before = values_of(net);
  train::trainer trainer(net, train::sgd<0.9>{.learning_rate = 0.5}), other(eager, train::sgd<0.9>{.learning_rate = 0.5});
  auto step = trainer.compile(cross_entropy);
  for (int i = 0; i < 3; ++i) {
    step(x, labels());
    autograd::record on;
    cross_entropy(eager(on(x)), labels()).backward();
    other.step(8);
  }
  CHECK(values_of(net) == values_of(eager));
  CHECK(values_of(net) != before);
}
TEST_CASE("parameters that share their values are updated once") {
  using twins = nn::hybrid_sequential<nn::dense<5>, nn::dense<5>>;
  twins tied, apart;
  for (twins* const net : {&tied, &apart}) {
    net->initialize(sinter::init::xavier{}, 3);
    (*net)(small_input());
  }
  tied.at<1>().weight.share(tied.at<0>().weight);
  apart.at<1>().weight.set(apart.at<0>().weight.data<shape<5, 5>>());
  floats const start = apart.at<0>().weight.to_vector();
  train::trainer trainer(tied, train::sgd{.learning_rate = 0.5}), other(apart, train::sgd{.learning_rate = 0.5});
  eager_step(tied, small_input(), labels(), trainer);
  eager_step(apart, small_input(), labels(), other);
  floats const a = apart.at<0>().weight.to_vector(), b = apart.at<1>().weight.to_vector(), both = tied.at<0>().weight.to_vector();
  for (std::size_t i = 0; i < start.size(); ++i) CHECK(both[i] - start[i] == Approx(a[i] - start[i] + (b[i] - start[i])).margin(1e-6));
  auto step = trainer.compile(cross_entropy);
  CHECK_THAT(refusal([&] { step(small_input(), labels()); }), Contains("share their values"));
}
// Two dense layers that share their weights.
TEST_CASE("shared values count once in the norm of all gradients") {
  nn::hybrid_sequential<nn::dense<5>, nn::dense<5>> tied;
  tied.initialize(sinter::init::xavier{}, 3);
  tied(small_input());
  tied.at<1>().weight.share(tied.at<0>().weight);
  floats const before = values_of(tied);
  train::trainer trainer(tied, train::sgd{.learning_rate = 2}, train::clip_norm<0.0625>);
  eager_step(tied, small_input(), labels(), trainer);
  floats const after = values_of(tied);
  double squares = 0;
  for (std::size_t i = 0; i < 35; ++i) squares += std::pow((after[i] - before[i]) / 2, 2);  // weight, bias, and behind the weight again
  for (std::size_t i = 55; i < 60; ++i) squares += std::pow((after[i] - before[i]) / 2, 2);
  for (std::size_t i = 30; i < 35; ++i) squares -= std::pow((after[i] - before[i]) / 2, 2);
  CHECK(std::sqrt(squares) == Approx(0.0625).epsilon(1e-4));
}
TEST_CASE("rate and decay of a parameter are multiplied") {
  for (bool const compiled : {false, true}) {
    nn::dense<1> net;
    nd::tensor<float, shape<1, 1>> x{1}, y{3};
    net.initialize();
    net(x);
    net.weight.set(nd::tensor<float, shape<1, 1>>{2});
    net.bias.set(nd::tensor<float, shape<1>>{1});
    train::trainer trainer(net, train::sgd{.learning_rate = 0.5, .weight_decay = 0.1});
    trainer.set_lr_mult("weight", 2);
    trainer.set_wd_mult("weight", 0.5);
    nn::l2_loss<> const l2;
    if (compiled) trainer.compile(l2)(x, y);
    else test::eager_step(net, x, y, trainer, l2);
    CHECK(net.weight.to_vector()[0] == Approx(1.9));  // its gradient is 0, and 2 - 0.5 * 2 * 0.1 * 0.5 * 2 is left
    CHECK(net.bias.to_vector()[0] == Approx(0.95));
  }
}
TEST_CASE("numbers of a step are those of floats, whatever the parameters are") {
  using half = sinter::float16;
  using line = nn::dense<1, nn::no_activation, half>;
  nn::l2_loss<> const l2;
  auto const both = [&](auto const& x, auto const& y, auto... clip) {
    line a;
    a.initialize(sinter::init::constant(0));
    a(x);
    line const b = a.copy();
    train::trainer eager(a, train::sgd{.learning_rate = 1}, clip...), compiled(b, train::sgd{.learning_rate = 1}, clip...);
    test::eager_step(a, x, y, eager, l2);
    compiled.compile(l2)(x, y);
    CHECK(values_of(a) == values_of(b));
    return values_of(a);
  };
  nd::tensor<half, shape<2, 1>> x, y;
  x.fill(half(300.f));
  y.fill(half(1.f));
  CHECK(both(x, y, train::clip_norm<1.0>)[0] == Approx(1).epsilon(1e-3));  // its square is no number of 16 bits
  nd::tensor<half, shape<7, 1>> p, q;
  for (int i = 0; i < 7; ++i) p(i, 0) = half(0.37f * static_cast<float>(i)), q(i, 0) = half(1.f);
  both(p, q, train::clip_norm<0.125>);
  nd::tensor<half, shape<sinter::dim<"batch">, 1>> m(sinter::dims{70000, 1}), n(sinter::dims{70000, 1});  // neither is their count
  m.fill(half(0.01f));
  n.fill(half(0.5f));
  floats const of_many = both(m, n);
  CHECK(of_many[0] == Approx(0.005).epsilon(2e-2));
  CHECK(of_many[1] == Approx(0.5).epsilon(1e-2));
}
struct double_in_float : nn::hybrid_block<double_in_float> {
  BOOST_HANA_DEFINE_STRUCT(double_in_float, (nn::basic_parameter<double, shape<1>>, v));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.cast(F.get(v, shape<1>{}), sinter::as<float>) * x; }
};
TEST_CASE("the mean of a step is as exact as its parameters") {
  double_in_float a;
  a.initialize(sinter::init::constant(0));
  double_in_float const b = a.copy();
  nd::tensor<float, shape<7, 1>> x, y;
  x.fill(1);
  y.fill(1);
  nn::l2_loss<> const l2;
  train::trainer eager(a, train::sgd{.learning_rate = 1}), compiled(b, train::sgd{.learning_rate = 1});
  test::eager_step(a, x, y, eager, l2);
  compiled.compile(l2)(x, y);
  CHECK(a.v.to_vector()[0] == 1);
  CHECK(b.v.to_vector()[0] == 1);
}
struct stopped : nn::hybrid_block<stopped> {
  BOOST_HANA_DEFINE_STRUCT(stopped, (nn::basic_parameter<float, shape<1>>, w), (nn::basic_parameter<float, shape<1>>, v));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.get(w, shape<1>{}) * x + F.stop_gradient(F.get(v, shape<1>{})); }
};
TEST_CASE("what no gradient reaches is not updated, and does not decay") {
  stopped net;
  net.initialize(sinter::init::constant(2));
  train::trainer trainer(net, train::sgd{.learning_rate = 0.1, .weight_decay = 0.5});
  auto step = trainer.compile(nn::l2_loss<>{});
  nd::tensor<float, shape<2, 1>> const x{1, 2}, y{3, 4};
  step(x, y);
  CHECK(net.v.to_vector()[0] == 2);
  CHECK(net.w.to_vector()[0] != 2);
}
TEST_CASE("a gradient that is not wanted any more is not used") {
  small const net = small_begun();
  small& changed = const_cast<small&>(net);
  train::trainer trainer(net, train::sgd{.learning_rate = 0.5});
  auto const back = [&] {
    autograd::record on;
    cross_entropy(net(on(small_input())), labels()).backward();
  };
  auto step = trainer.compile(cross_entropy);
  back();
  floats const before = net.at<0>().weight.to_vector(), other = net.at<1>().weight.to_vector();
  changed.at<0>().weight.set_grad_req(sinter::grad_req::null);
  back();
  trainer.step(8);
  CHECK(net.at<0>().weight.to_vector() == before);
  CHECK(net.at<1>().weight.to_vector() != other);
  CHECK(net.copy().at<0>().weight.get_grad_req() == sinter::grad_req::null);
  CHECK_THAT(refusal([&] { step(small_input(), labels()); }), Contains("parameter 0.weight wants no gradient"));
}
TEST_CASE("numbers that make no step are refused") {
  small const net = small_begun();
  floats const before = values_of(net);
  train::trainer trainer(net, train::sgd{});
  auto step = trainer.compile(cross_entropy);
  for (double const rate : {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    trainer.set_learning_rate(rate);
    CHECK_THAT(refusal([&] { step(small_input(), labels()); }), Contains("the learning rate of a trainer must be"));
    CHECK_THAT(refusal([&] { eager_step(net, small_input(), labels(), trainer); }), Contains("the learning rate of a trainer must be"));
  }
  trainer.set_learning_rate(0.1);
  trainer.set_lr_mult(".*bias", -2);
  CHECK_THAT(refusal([&] { step(small_input(), labels()); }), Contains("set_lr_mult, of a trainer must be"));
  trainer.set_lr_mult(".*bias", 1);
  CHECK_THAT(refusal([&] { trainer.step(std::numeric_limits<double>::infinity()); }), Contains("number of examples"));
  nd::tensor<float, shape<sinter::dim<"batch">, 5>> const x(sinter::dims{0, 5});
  nd::tensor<std::int64_t, shape<sinter::dim<"batch">>> const y(sinter::dims{0});
  CHECK_THAT(refusal([&] { step(x, y); }), Contains("at least one example"));
  CHECK(values_of(net) == before);
  CHECK(trainer.updates() == 0);
  trainer.step(8);  // the gradients are still new
  CHECK(values_of(net) != before);
}
struct image_then_dense : nn::hybrid_block<image_then_dense> {
  BOOST_HANA_DEFINE_STRUCT(image_then_dense, (nn::conv2d<2, 3>, a), (nn::dense<3>, b));
  constexpr auto hybrid_forward(auto, auto x) const { return b(a(x)); }
};
TEST_CASE("states of other shapes are refused before anything is updated") {
  in_file const file{"train-test-shapes.params"};
  nd::tensor<std::int64_t, shape<2>> const y{0, 1};
  nd::tensor<float, shape<2, 1, 6, 6>> six;
  nd::tensor<float, shape<2, 1, 8, 8>> eight;
  six.fill(1);
  eight.fill(1);
  image_then_dense first, second;
  first.initialize(sinter::init::xavier{}, 1);
  second.initialize(sinter::init::xavier{}, 1);
  train::trainer trainer(first, train::adam<>{}), other(second, train::adam<>{});
  eager_step(first, six, y, trainer);
  trainer.save_states(file.path);
  other.load_states(file.path);
  second(eight);
  floats const before = values_of(second);
  CHECK_THAT(refusal([&] { eager_step(second, eight, y, other); }), Contains("parameter b.weight has the shape (3, 72)"));
  CHECK(values_of(second) == before);
}
TEST_CASE("a report says which kernels update which parameter") {
  small const net = small_begun();
  train::trainer trainer(net, train::sgd{});
  std::string const report = trainer.compile(cross_entropy).report<rows, classes>();
  for (char const* const part : {"backward.net.1.fully_connected + net.1.weight.update", "net.0.bias.update", "loss.log_softmax"})
    CHECK_THAT(report, Contains(part));
}
TEST_CASE("a step of the seed's network goes through no gradient's memory") {
  using seed = nn::hybrid_sequential<nn::dense<256, nn::relu>, nn::dense<128, nn::relu>, nn::dense<2>>;
  seed const net;
  train::trainer by_sgd(net, train::sgd{});
  train::trainer by_adam(net, train::adam<>{});
  using y = nd::tensor<std::int64_t, shape<64>>;
  using sgd_plan = sinter::compiled_t<decltype(by_sgd.compile(cross_entropy)), shape<64, 512>, y>;
  using adam_plan = sinter::compiled_t<decltype(by_adam.compile(cross_entropy)), shape<64, 512>, y>;
  static_assert(sgd_plan::gradient_bytes == 0 && adam_plan::gradient_bytes == 0);
  static_assert(sgd_plan::states == 6 && adam_plan::states == 18);
  STATIC_REQUIRE(sgd_plan::arena_bytes <= 168000);
  for (sinter::update const& u : sgd_plan::plan.updates) CHECK(u.in_place);
  for (sinter::update const& u : adam_plan::plan.updates) CHECK(u.in_place);
}
TEST_CASE("a batch may have any number of examples") {
  small const net = small_begun(), fixed = small_begun();
  train::trainer trainer(net, train::sgd{.learning_rate = 0.5}), other(fixed, train::sgd{.learning_rate = 0.5});
  auto step = trainer.compile(cross_entropy);
  auto of_eight = other.compile(cross_entropy);
  nd::tensor<float, shape<sinter::dim<"batch">, 5>> const x(small_input());
  nd::tensor<std::int64_t, shape<sinter::dim<"batch">>> const y(labels());
  CHECK(step(x, y).item() == of_eight(small_input(), labels()).item());
  CHECK(values_of(net) == values_of(fixed));
}
#if SINTER_COUNTS_ALLOCATIONS
TEST_CASE("from its second call on a compiled step takes no memory") {
  small const net = small_begun();
  train::trainer trainer(net, train::adam<>{});
  auto step = trainer.compile(cross_entropy);
  rows const x = small_input();
  classes const y = labels();
  nd::tensor<float, shape<>> loss;
  step(x, y, nd::out(loss));
  long const before = allocations;
  for (int i = 0; i < 5; ++i) step(x, y, nd::out(loss));
  CHECK(allocations == before);
}
#endif
TEST_CASE("a step needs a gradient that is newer than the last step") {
  small const net = small_begun();
  train::trainer trainer(net, train::sgd{});
  CHECK_THAT(refusal([&] { trainer.step(8); }), Contains("call backward() of a loss first"));
  eager_step(net, small_input(), labels(), trainer);
  CHECK_THAT(refusal([&] { trainer.step(8); }), Contains("no gradient that is newer"));
  CHECK_THAT(refusal([&] { trainer.step(0); }), Contains("number of examples"));
  autograd::record on;
  net.at<0>()(on(small_input())).backward();
  floats const before = values_of(net);
  CHECK_THAT(refusal([&] { trainer.step(8); }), Contains("no new gradient of 1.weight"));
  CHECK(values_of(net) == before);
}
TEST_CASE("the states of another network are refused") {
  in_file const file{"train-test-other.params"};
  small const net = small_begun();
  train::trainer trainer(net, train::adam<>{});
  eager_step(net, small_input(), labels(), trainer);
  trainer.save_states(file.path);
  nn::hybrid_sequential<nn::dense<7, nn::relu>, nn::dense<3>> other;
  other.initialize();
  other(small_input());
  train::trainer another(other, train::adam<>{});
  CHECK_THAT(refusal([&] { another.load_states(file.path); }), Contains("train-test-other.params"));
  CHECK(another.updates() == 0);
  train::trainer momentum(net, train::sgd<0.9>{});
  CHECK_THAT(refusal([&] { momentum.load_states(file.path); }), Contains("train-test-other.params"));
  std::int64_t const less = -1;
  nn::basic_state<std::int64_t, shape<>> count;
  count.set(sinter::dims{}, &less);
  nn::parameter_dict damaged;
  damaged.add("updates", count, sinter::dims{});
  nn::save_parameters(damaged, file.path);
  train::trainer plain(net, train::sgd{});
  CHECK_THAT(refusal([&] { plain.load_states(file.path); }), Contains("the number of updates must be at least 0; it is -1"));
  CHECK(plain.updates() == 0);
}
TEST_CASE("batches are the same for a seed, and each example is in one of them") {
  nd::tensor<int, shape<10, 2>> x;
  nd::tensor<std::int64_t, shape<10>> y;
  for (int i = 0; i < 10; ++i) x(i, 0) = i, x(i, 1) = 10 + i, y(i) = 100 + i;
  std::vector<std::int64_t> seen;
  for (auto const& [a, b] : train::batches<4>(x, y, 5)) {
    static_assert(std::is_same_v<decltype(a), nd::tensor<int, shape<4, 2>> const>);
    for (int i = 0; i < 4; ++i) {
      CHECK(a(i, 1) == a(i, 0) + 10);
      CHECK(b(i) == a(i, 0) + 100);
      seen.push_back(a(i, 0));
    }
  }
  CHECK(seen == std::vector<std::int64_t>{9, 1, 2, 0, 8, 5, 7, 4});
  std::vector<std::int64_t> kept, sizes;
  for (auto const& [b] : train::batches<4, train::last_batch::keep>(y)) {
    sizes.push_back(b.shape().d[0]);
    for (int i = 0; i < sizes.back(); ++i) kept.push_back(b(i));
  }
  CHECK(sizes == std::vector<std::int64_t>{4, 4, 2});
  CHECK(kept == y.to_vector());
  CHECK_THAT(refusal([&] { train::batches<16>(x, y, 1); }), Contains("10 examples make no batch of 16"));
  CHECK_THAT(refusal([&] { train::batches<4>(x, nd::tensor<int, shape<sinter::dynamic>>(sinter::dims{9}), 1); }),
             Contains("10 and another one 9"));
}
