// SPDX-License-Identifier: Apache-2.0
// Several threads on one compiled network, from its first call on. The thread sanitizer is the other half of this test.
#include <sys/time.h>
#include <chrono>
#include <csignal>
#include <sinter/compile/hybridized.hpp>
#include <sstream>
#include <thread>
#include <vector>

#include "../catch.hpp"
#include "../sanitized.hpp"

namespace nn = sinter::nn;
using sinter::dim;
using sinter::shape;
template <auto... D> using f32 = sinter::nd::tensor<float, shape<D...>>;

namespace {

constexpr int threads = 8;

// Large enough for the first calls to overlap: making and packing its values takes some milliseconds.
struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<320>, first), (nn::layer_norm<>, norm), (nn::dense<320>, second), (nn::dense<6>, third));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.softmax(third(F.relu(second(norm(F.relu(first(x))))))); }
};
using input = f32<dim<"batch">, 16>;
using output = f32<dim<"batch">, 6>;

input filled(int batch, int seed) {
  input x({batch, 16});
  for (int i = 0; i < x.size(); ++i) x[i] = static_cast<float>((i * 37 + seed * 11) % 23 - 11) / 8;
  return x;
}
// Runs work(i) on so many threads, which begin together.
template <class Work> void together(Work work) {
  std::atomic<int> waiting{threads};
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i)
    all.emplace_back([&, i] {
      --waiting;
      while (waiting.load() > 0) std::this_thread::yield();
      work(i);
    });
  for (std::thread& t : all) t.join();
}
bool equal(output const& a, output const& b) {
  if (!(a.shape() == b.shape())) return false;
  for (int i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) return false;
  return true;
}

}  // namespace

TEST_CASE("the first calls come at once") {  // deferred values, binding and packing
  for (int round = 0; round < 4; ++round) {
    network net, alone;
    net.initialize(sinter::init::xavier{}, 1);
    alone.initialize(sinter::init::xavier{}, 1);
    auto const fast = net.hybridize();
    std::atomic<int> wrong{0};
    std::vector<output> expected;
    for (int i = 0; i < threads; ++i) expected.push_back(alone(filled(1 + i % 3 * 7, i)));
    together([&](int i) {
      auto const x = filled(1 + i % 3 * 7, i);
      output out({x.shape().d[0], 6});
      for (int k = 0; k < 10; ++k) {
        if (!equal(fast(x), expected[static_cast<std::size_t>(i)])) ++wrong;
        fast(x, out);
        if (!equal(out, expected[static_cast<std::size_t>(i)])) ++wrong;
      }
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("eager first calls come at once too") {
  network net, alone;
  net.initialize(sinter::init::xavier{}, 2);
  alone.initialize(sinter::init::xavier{}, 2);
  auto const x = filled(3, 1);
  output const expected = alone(x);
  std::atomic<int> wrong{0};
  together([&](int) {
    if (!equal(net(x), expected)) ++wrong;
  });
  CHECK(wrong == 0);
}

TEST_CASE("other networks get their first values meanwhile") {
  network net;
  net.initialize(sinter::init::xavier{}, 3);
  auto const fast = net.hybridize();
  auto const x = filled(5, 1);
  output const expected = fast(x);
  std::atomic<int> wrong{0};
  together([&](int i) {
    for (int k = 0; k < 20; ++k) {
      if (i % 2 == 0) {
        if (!equal(fast(x), expected)) ++wrong;
      } else {
        network other;
        other.initialize(sinter::init::xavier{}, 3);
        if (!equal(other.hybridize()(x), expected)) ++wrong;
      }
    }
  });
  CHECK(wrong == 0);
}

TEST_CASE("each thread with a copy, and with another plan") {
  network net;
  net.initialize(sinter::init::xavier{}, 4);
  auto const fast = net.hybridize();
  std::atomic<int> wrong{0};
  together([&](int i) {
    auto const mine = fast;
    auto const x = filled(2, i);
    output const a = mine(x);
    f32<2, 16> const y(static_cast<f32<2, 16>>(x));
    f32<2, 6> const b = mine(y);
    for (int k = 0; k < 12; ++k)
      if (a[k] != b[k]) ++wrong;
  });
  CHECK(wrong == 0);
}

TEST_CASE("an uninitialised network is an error in every thread") {
  network const net;
  auto const fast = net.hybridize();
  std::atomic<int> thrown{0};
  together([&](int i) {
    try {
      (void)fast(filled(1, i));
    } catch (sinter::parameter_error const&) { ++thrown; }
  });
  CHECK(thrown == threads);
}

TEST_CASE("prints come once, whoever is first") {
  auto const fast = sinter::hybridize([](auto F, auto x) {
    F.print("x", x);
    return F.square(x);
  });
  std::ostringstream text;
  auto* const before = std::cout.rdbuf(text.rdbuf());
  together([&](int) { (void)fast(f32<3>{1, 2, 3}); });
  std::cout.rdbuf(before);
  CHECK(text.str().find("x <symbol") == 0);
  CHECK(text.str().find("symbol", 5) == std::string::npos);
}

#if !SINTER_SANITIZED  // which report that a handler allocates
namespace {

// What the handler of a timer calls: the network that it interrupts, with results of its own.
struct interruption {
  decltype(network{}.hybridize()) const* net;
  input x;
  output y, expected;
  std::atomic<int> calls{0}, inside{0}, wrong{0};
  std::atomic<bool> in_call{false}, busy{false};
};
interruption* now = nullptr;
void interrupt(int) {
  if (now->busy.exchange(true)) return;  // in another thread
  (*now->net)(now->x, now->y);
  ++now->calls;
  now->inside += now->in_call;
  now->wrong += !equal(now->y, now->expected);
  now->busy = false;
}

}  // namespace

TEST_CASE("a call in a signal handler has memory of its own") {
  network net;
  net.initialize(sinter::init::xavier{}, 1);
  auto const fast = net.hybridize();
  interruption timer{&fast, filled(3, 3), output({3, 6}), fast(filled(3, 3))};
  now = &timer;
  input const x = filled(3, 7);
  output const expected = fast(x);
  output y({3, 6});
  auto const old = std::signal(SIGALRM, interrupt);
  std::raise(SIGALRM);
  itimerval every{{0, 300}, {0, 300}}, never{};
  setitimer(ITIMER_REAL, &every, nullptr);
  int wrong = 0;
  auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  while (timer.inside < 300 && std::chrono::steady_clock::now() < end) {
    timer.in_call = true;
    fast(x, y);
    timer.in_call = false;
    wrong += !equal(y, expected);
  }
  setitimer(ITIMER_REAL, &never, nullptr);
  while (timer.busy) std::this_thread::yield();
  std::signal(SIGALRM, old);
  CHECK(timer.inside > 0);
  CHECK(wrong == 0);
  CHECK(timer.wrong == 0);
}
#endif
TEST_CASE("a third call in one thread is refused") {
  sinter::detail::call_of_this_thread const first, second;
  network net;
  net.initialize(sinter::init::xavier{}, 1);
  CHECK_THROWS_WITH(net.hybridize()(filled(1, 1)), Catch::Contains("must not be interrupted by a third"));
}
