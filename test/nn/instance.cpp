// SPDX-License-Identifier: Apache-2.0
// Instances of a compiled network: states, memory and prepared weights of their own over the same parameters.
#include <sinter/compile/instance.hpp>
#include <sinter/nn/layers/norms.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "../catch.hpp"
#include "effect_op.hpp"

namespace my {
// How many calls are inside of their kernels now, and the most that were.
inline std::atomic<int> inside{0}, most{0};
// x, when another call has come as far, or after a while.
struct meet_op : test::effect_op<meet_op> {
  static constexpr std::string_view name = "test_instance.meet";
  static void happens(float) {
    int const now = ++inside;
    if (now > most) most = now;
    auto const end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
    while (most < 2 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    --inside;
  }
};
}  // namespace my
SINTER_USER_OP(my::meet_op);
namespace my {
namespace {
inline constexpr sinter::ops::function<meet_op> meet{};
}
}  // namespace my

namespace nn = sinter::nn;
using sinter::dim;
using sinter::shape;
template <auto... D> using f32 = sinter::nd::tensor<float, shape<D...>>;

namespace {

// A layer that remembers its last result, how often it was called, and a queue of inputs, which is read at other places than it is written.
struct cell : nn::hybrid_block<cell> {
  BOOST_HANA_DEFINE_STRUCT(cell, (nn::dense<6>, input), (nn::dense<6>, before), (nn::state<shape<2, 6>>, last),
                           (nn::state<shape<>, 1>, calls), (nn::state<shape<3>>, queue));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const h = F.tanh(input(x) + before(F.get(last, shape<2, 6>{})));
    F.assign(last, h);
    F.assign(calls, F.get(calls, shape<>{}) + 1);
    F.assign(queue, F.concat(F.slice(F.get(queue, shape<3>{}), sinter::begin<1>), F.reshape(F.mean(x), sinter::into<1>), sinter::axis<0>));
    return std::tuple(h, F.get(calls, shape<>{}) * 1, F.sum(F.get(queue, shape<3>{})));
  }
};
struct stacked : nn::hybrid_block<stacked> {
  BOOST_HANA_DEFINE_STRUCT(stacked, (cell, first), (nn::batch_norm<-1>, norm), (nn::dense<3>, output));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const y = first(x);
    return output(norm(std::get<0>(y))) * F.get(first.calls, shape<>{}) + std::get<2>(y);
  }
};
// The state goes through a loop, whose body has weights.
struct looping : nn::hybrid_block<looping> {
  BOOST_HANA_DEFINE_STRUCT(looping, (nn::dense<6>, input), (nn::dense<6>, before), (nn::state<shape<1, 6>>, last));
  constexpr auto hybrid_forward(auto F, auto rows) const {
    auto const [all, end] = F.foreach (
        [&](auto row, auto h) {
          auto const next = F.tanh(input(row) + before(h));
          return std::tuple(next, next);
        },
        rows, F.get(last, shape<1, 6>{}));
    F.assign(last, end);
    return all;
  }
};
struct counting : nn::hybrid_block<counting> {
  BOOST_HANA_DEFINE_STRUCT(counting, (nn::state<shape<2>>, sum));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const next = my::meet(F.get(sum, shape<2>{}) + x);
    F.assign(sum, next);
    return next * 1;
  }
};
// Of two calls at once, in two threads, the most that were inside of their kernels at one moment.
template <class A, class B> int together(A const& a, B const& b) {
  my::most = 0;
  std::thread other([&] { (void)b(f32<2>{1, 2}); });
  (void)a(f32<2>{1, 2});
  other.join();
  return my::most;
}
template <class Net> Net started(std::uint64_t seed = 1) {
  Net net;
  net.initialize(sinter::init::uniform(0.6), seed);
  return net;
}
f32<2, 4> input(int i) {
  f32<2, 4> x;
  for (int k = 0; k < 8; ++k) x.data()[k] = 0.1f * static_cast<float>((i * 5 + k * 3) % 11) - 0.4f;
  return x;
}
template <class A, class B> bool same(A const& a, B const& b) {
  if (a.size() != b.size()) return false;
  for (int i = 0; i < a.size(); ++i)
    if (!(a.data()[i] == b.data()[i])) return false;
  return true;
}
// What an eager network of the same parameters gives for inputs from, from + step, ...
template <class Net> std::vector<f32<2, 3>> wanted(Net const& net, int from, int step, int n) {
  Net const own = net.copy();
  own.reset_states();
  auto const fast = own.hybridize();
  std::vector<f32<2, 3>> all;
  for (int i = 0; i < n; ++i) all.push_back(fast(input(from + i * step)));
  return all;
}

}  // namespace

TEST_CASE("instances remember each for itself, and share the parameters") {
  auto const net = started<stacked>();
  auto const fast = net.hybridize();
  (void)fast(input(0));  // the network's own states are another story
  auto const a = fast.instance(), b = fast.instance();
  auto const of_a = wanted(net, 0, 1, 6), of_b = wanted(net, 40, -3, 6);
  for (int i = 0; i < 6; ++i) {
    auto const at = static_cast<std::size_t>(i);
    CHECK(same(a(input(i)), of_a[at]));
    f32<2, 3> out;
    b(input(40 - 3 * i), out);
    CHECK(same(out, of_b[at]));
    CHECK(net.first.calls.data<shape<>>().item() == 2);
  }
  CHECK(a.states()["first.calls"].data<shape<>>().item() == 7);
  net.collect_params()["output.bias"].set(f32<3>{1, 2, 3});
  auto const changed = wanted(net, 0, 1, 7);
  CHECK(same(a(input(6)), changed[6]));
}
TEST_CASE("states of an instance are read, set, set back, saved and loaded") {
  auto const net = started<stacked>();
  auto const fast = net.hybridize();
  auto const voice = fast.instance(), other = fast.instance();
  CHECK(voice.states().names() == "`first.last`, `first.calls`, `first.queue`");
  for (int i = 0; i < 3; ++i) (void)voice(input(i));
  voice.save_states("instance.states.params");
  for (int i = 0; i < 2; ++i) (void)other(input(9));
  other.load_states("instance.states.params");
  std::remove("instance.states.params");
  auto const then = voice.states(), loaded = other.states();
  for (auto const& s : then) CHECK(s.to_vector() == loaded[s.name()].to_vector());
  (void)net(input(0));
  net.save_parameters("instance.all.params");
  CHECK_THROWS_AS(other.load_states("instance.all.params"), sinter::parameter_error);  // a file of more
  (void)other.load_states("instance.all.params", {.ignore_extra = true});
  voice.states()["first.last"].set(other.states()["first.last"].to_vector());
  voice.states()["first.calls"].set(other.states()["first.calls"].to_vector());
  voice.states()["first.queue"].set(other.states()["first.queue"].to_vector());
  std::remove("instance.all.params");
  CHECK(same(voice(input(3)), other(input(3))));
  voice.states()["first.calls"].set(f32<>{10});
  other.states()["first.calls"].set(std::vector<float>{10});
  CHECK(same(voice(input(4)), other(input(4))));
  CHECK(voice.states()["first.calls"].to_vector()[0] == 11);
  voice.reset_states();
  CHECK(same(voice(input(0)), wanted(net, 0, 1, 1)[0]));
}
TEST_CASE("what layers have learned is the network's, as its parameters are") {
  auto const net = started<stacked>();
  auto const fast = net.hybridize();
  auto const voice = fast.instance();
  (void)voice(input(0));
  (void)net(sinter::training(input(1)));  // and not before the instance was made
  CHECK(same(voice(input(1)), wanted(net, 0, 1, 2)[1]));
  auto const before = net.norm.running_mean.to_vector();
  voice.reset_states();
  (void)voice(sinter::training(input(3)));  // another pass of training
  CHECK(net.norm.running_mean.to_vector() != before);
  voice.reset_states();
  CHECK(same(voice(input(0)), wanted(net, 0, 1, 1)[0]));
  auto const learned = net.norm.running_mean.to_vector();
  voice.warm_up(sinter::training(input(5)));
  CHECK(net.norm.running_mean.to_vector() == learned);
}
TEST_CASE("warming up changes no state") {
  auto const net = started<stacked>();
  auto const voice = net.hybridize().instance();
  voice.warm_up<shape<2, 4>>();
  auto const want = wanted(net, 0, 1, 3);
  CHECK(same(voice(input(0)), want[0]));
  voice.warm_up(input(7));
  CHECK(same(voice(input(1)), want[1]));
  CHECK(same(voice(input(2)), want[2]));
}
TEST_CASE("an instance goes on with its states when it gets other parameters") {
  auto const net = started<stacked>(1), better = started<stacked>(2);
  auto voice = net.hybridize().instance();
  auto const reference = better.copy();
  for (int i = 0; i < 3; ++i) (void)voice(input(i));
  voice.use(better);
  for (auto const& s : voice.states())
    if (s.name().starts_with("first")) reference.collect_params()[s.name()].set(s.to_vector());
  auto const fast = reference.hybridize();
  for (int i = 3; i < 6; ++i) CHECK(same(voice(input(i)), fast(input(i))));
  voice.use(net);
  CHECK_THROWS_AS(voice.use(stacked{}), sinter::parameter_error);
  voice.use(better.hybridize());  // nobody has called it between
  for (int i = 6; i < 8; ++i) CHECK(same(voice(input(i)), fast(input(i))));
  // All types that it was called with.
  f32<dim<"batch">, 4> batch({2, 4});
  std::copy_n(input(8).data(), 8, batch.data());
  CHECK(same(voice(batch), fast(batch)));
  voice.use(better);
  CHECK(same(voice(input(9)), fast(input(9))));
  CHECK(same(voice(batch), fast(batch)));
  CHECK(same(voice(input(9)), fast(input(9))));
}
TEST_CASE("a loop over a state, of any length") {
  auto const net = started<looping>();
  auto const fast = net.hybridize();
  auto const a = fast.instance(), b = fast.instance();
  auto const own = net.copy();
  for (int n : {3, 1, 5}) {
    f32<dim<"n">, 1, 4> x({n, 1, 4});
    for (int i = 0; i < x.size(); ++i) x.data()[i] = 0.1f * static_cast<float>(i % 7);
    auto const want = own(x);
    auto const got = a(x);
    CHECK(same(got, want));
    (void)b(x);
  }
  CHECK(a.states()["last"].to_vector() == own.last.to_vector());
}
TEST_CASE("instances move, and many live in a vector") {
  auto const net = started<stacked>();
  auto const fast = net.hybridize();
  sinter::instance<stacked> first(fast), other = std::move(first);
  CHECK(same(other(input(0)), wanted(net, 0, 1, 1)[0]));
  CHECK_THROWS_WITH(first(input(0)), Catch::Contains("an instance is called that was moved to another one"));
  CHECK_THROWS_WITH(first.use(net), Catch::Contains("an instance is called that was moved to another one"));
  first = std::move(other);
  CHECK(same(first(input(1)), wanted(net, 0, 1, 2)[1]));
  std::vector<decltype(fast.instance())> all;
  for (int i = 0; i < 5; ++i) {
    all.push_back(fast.instance());
    for (int k = 0; k <= i; ++k) (void)all.back()(input(k));
  }
  for (int i = 0; i < 5; ++i) CHECK(all[static_cast<std::size_t>(i)].states()["first.calls"].to_vector()[0] == static_cast<float>(i + 2));
}
TEST_CASE("calls that change different states run at once, those that change the same follow each other") {
  counting const net, another, third;
  auto const fast = net.hybridize(), again = net.hybridize();
  CHECK(together(another.hybridize(), third.hybridize()) == 2);
  CHECK(together(fast.instance(), fast.instance()) == 2);
  CHECK(together(fast, fast.instance()) == 2);
  CHECK(together(fast, fast) == 1);
  CHECK(together(fast, again) == 1);  // compiled twice, over one state
  CHECK(net.sum.to_vector() == std::vector<float>{5, 10});
}
namespace {
struct both_ways : nn::hybrid_block<both_ways> {
  BOOST_HANA_DEFINE_STRUCT(both_ways, (nn::state<shape<3>, 1>, a), (nn::state<shape<3>, 2>, b));
  constexpr auto hybrid_forward(auto F, auto x) const {
    F.assign(a, F.get(a, shape<3>{}) + x);
    F.assign(b, F.get(b, shape<3>{}) - x);
    return x * 1;
  }
};
}  // namespace
TEST_CASE("networks that share states in another order wait for each other, and not for ever") {
  both_ways one, other;
  other.a.share(one.b);
  other.b.share(one.a);
  auto const first = one.hybridize(), second = other.hybridize();
  std::vector<std::thread> threads;
  for (auto const* fast : {&first, &second})
    threads.emplace_back([fast] {
      f32<3> const x{1, 2, 3};
      f32<3> y;
      for (int i = 0; i < 3000; ++i) (*fast)(x, y);
    });
  for (std::thread& t : threads) t.join();
  CHECK(one.a.to_vector() == std::vector<float>{1, 1, 1});
  CHECK(one.b.to_vector() == std::vector<float>{2, 2, 2});
}
TEST_CASE("an instance gets other parameters while it is called with types that it has not met, and is made while others are called") {
  auto const net = started<stacked>(1), better = started<stacked>(2);
  auto const fast = net.hybridize();
  for (int round = 0; round < 4; ++round) {
    auto const voice = fast.instance();
    std::atomic<bool> done{false};
    std::thread calls([&] {
      (void)voice(input(1));
      f32<dim<"batch">, 4> x({2, 4});
      for (int i = 0; i < 8; ++i) x.data()[i] = input(2).data()[i];
      (void)voice(x);
      for (int i = 0; i < 20; ++i) (void)fast(input(i));
      done = true;
    });
    do {
      voice.use(better);
      (void)fast.instance();
      fast.reset_states();
      std::this_thread::yield();
    } while (!done);
    calls.join();
    (void)voice(input(3));
    CHECK(voice.network().output.weight.to_vector() == better.output.weight.to_vector());
  }
}
TEST_CASE("sixty-four instances in eight threads, while they get other parameters") {
  auto const net = started<stacked>(1), same_again = net.copy();
  auto const fast = net.hybridize();
  std::vector<decltype(fast.instance())> all;
  for (int i = 0; i < 64; ++i) all.push_back(fast.instance());
  std::atomic<int> wrong{0}, running{8};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int round = 0; round < 6; ++round)
        for (int i = t; i < 64; i += 8) {
          f32<2, 3> out;
          auto const& voice = all[static_cast<std::size_t>(i)];
          voice(input(i + round), out);
          auto const calls = voice.states()["first.calls"].to_vector()[0];
          if (calls != static_cast<float>(round + 2)) ++wrong;
        }
      --running;
    });
  while (running > 0) {
    for (auto& voice : all) voice.use(same_again);
    std::this_thread::yield();
  }
  for (std::thread& t : threads) t.join();
  CHECK(wrong == 0);
  for (int i = 0; i < 64; ++i) CHECK(same(all[static_cast<std::size_t>(i)](input(i + 6)), wanted(net, i, 1, 7)[6]));
}
