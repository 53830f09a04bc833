// SPDX-License-Identifier: Apache-2.0
// fast(x, out) takes no memory and no lock after its first call.
#include <sys/resource.h>
#include <thread>
#include "../../examples/effect/effect.hpp"

#include "../allocations.hpp"
#include "../catch.hpp"

#if SINTER_COUNTS_ALLOCATIONS
namespace nn = sinter::nn;
using sinter::dim;
using sinter::shape;
template <auto... D> using f32 = sinter::nd::tensor<float, shape<D...>>;

namespace {

// Products, rows, pointwise kernels and a kernel that never fuses.
struct network : nn::hybrid_block<network> {
  using vector = nn::layer_norm<>;
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<96>, first), (vector, norm), (nn::dense<32>, second));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const h = norm(F.gelu(first(x)) + 1);
    auto const sorted = F.sort(second(h));
    return F.softmax(sorted * F.sigmoid(sorted));
  }
};

// A state that is added to, and one that is read at other places than it is written.
struct remembering : nn::hybrid_block<remembering> {
  BOOST_HANA_DEFINE_STRUCT(remembering, (nn::dense<8>, fc), (nn::state<shape<8>>, last), (nn::state<shape<4>>, queue));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto h = fc(x);
    F.assign(last, F.get(last, shape<8>{}) + F.max(h, sinter::axis<0>));
    F.assign(queue, F.concat(F.slice(F.get(queue, shape<4>{}), sinter::begin<1>), F.reshape(F.mean(h), sinter::into<1>), sinter::axis<0>));
    return h;
  }
};

struct counted {
  long allocations, locks;
};
template <class Call> counted count(Call call) {
  long const a = allocations, l = locks;
  call();
  return {allocations - a, locks - l};
}
// Pages that the system hands out or moves while the call runs; the least of some tries, because it also moves them when it likes.
template <class Call> long page_faults(Call call) {
  long least = -1;
  for (int i = 0; i < 5 && least != 0; ++i) {
    rusage before, after;
    getrusage(RUSAGE_THREAD, &before);
    call();
    getrusage(RUSAGE_THREAD, &after);
    long const n = after.ru_minflt - before.ru_minflt + after.ru_majflt - before.ru_majflt;
    if (least < 0 || n < least) least = n;
  }
  return least;
}
template <class Fast, class X, class Out> void check_calls(Fast const& fast, X const& x, Out out) {
  fast(x, out);  // binds the parameters, packs weights, makes this thread's workspace
  counted const later = count([&] {
    for (int i = 0; i < 10; ++i) fast(x, out);
  });
  CHECK(later.allocations == 0);
  CHECK(later.locks == 0);
  CHECK(page_faults([&] { fast(x, out); }) == 0);
}

}  // namespace

TEST_CASE("the counters count") {
  CHECK(count([] { ::operator delete(::operator new(100)); }).allocations == 1);
  CHECK(count([] { ::operator delete(::operator new(100, std::align_val_t{64}), std::align_val_t{64}); }).allocations == 1);
  CHECK(count([] { std::free(std::malloc(100)); }).allocations == 1);
  CHECK(count([] { munmap(mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096); }).allocations == 1);
  CHECK(page_faults([] {
          std::size_t const size = 1 << 20;
          auto* const p = static_cast<char volatile*>(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
          p[0] = 1;
          munmap(const_cast<char*>(p), size);
        }) > 0);
  std::mutex m;
  CHECK(count([&] { std::lock_guard const hold(m); }).locks == 1);
}

TEST_CASE("a static batch") {
  network net;
  net.initialize(sinter::init::xavier{}, 1);
  auto const fast = net.hybridize();
  check_calls(fast, f32<1, 64>{}, f32<1, 32>{});
  check_calls(fast, f32<64, 64>{}, f32<64, 32>{});
  f32<64, 64> const x;
  CHECK(count([&] { (void)fast(x); }).allocations == 1);  // a fresh result is one
}

TEST_CASE("a dynamic batch") {
  network net;
  net.initialize(sinter::init::xavier{}, 1);
  auto const fast = net.hybridize();
  using input = f32<dim<"batch">, 64>;
  using output = f32<dim<"batch">, 32>;
  check_calls(fast, input({64, 64}), output({64, 32}));
  input const one({1, 64}), seven({7, 64}), most({64, 64});
  output y1({1, 32}), y7({7, 32}), y64({64, 32});
  counted const mixed = count([&] {  // the largest batch was seen, so its workspace is enough for all
    for (int i = 0; i < 3; ++i) {
      fast(one, y1);
      fast(seven, y7);
      fast(most, y64);
    }
  });
  CHECK(mixed.allocations == 0);
  CHECK(mixed.locks == 0);
  CHECK(count([&] { (void)fast(one); }).allocations == 1);
}

TEST_CASE("a plain function") {
  auto const fast = sinter::hybridize([](auto F, auto a, auto b) { return F.exp(a) * b; });
  f32<3, 40> const a;
  f32<3, 40> out;
  f32<40> const b;
  fast(a, b, out);
  counted const later = count([&] { fast(a, b, out); });
  CHECK(later.allocations == 0);
  CHECK(later.locks == 0);
}

TEST_CASE("long lines that are sorted, scanned and added") {
  auto const fast = sinter::hybridize([](auto F, auto x) {
    auto const [best, places] = F.topk(F.cumsum(F.sort(x), sinter::axis<1>), sinter::top<5>);
    return F.sum(x) + F.sum(best) + F.cast(F.sum(places) + F.sum(F.argsort(x)), sinter::as<float>);
  });
  check_calls(fast, f32<2, 10000>{}, f32<>{});
}
TEST_CASE("a pass of training") {
  nn::hybrid_sequential<nn::dense<8, nn::relu>, nn::dropout<0.5>> net;
  net.initialize();
  check_calls(net.hybridize(), sinter::training(f32<2, 64>{}), f32<2, 8>{});
}

TEST_CASE("a network with states") {
  remembering net;
  net.initialize(sinter::init::xavier{}, 1);
  check_calls(net.hybridize(), f32<2, 64>{}, f32<2, 8>{});
}
#if !defined(SINTER_THRUST_ONLY)  // there calls work in the memory of their thread's stream
// What a thread has never called takes nothing from it: the instance brings its memory along.
TEST_CASE("an instance that another thread has warmed up") {
  remembering net;
  net.initialize(sinter::init::xavier{}, 1);
  auto const fast = net.hybridize();
  auto voice = fast.instance();
  voice.warm_up<shape<2, 64>>();
  remembering better = net.copy();
  f32<2, 64> const x;
  f32<2, 8> y;
  counted first{1, 1}, later{1, 1};
  long faults = -1;
  std::thread([&] {
    first = count([&] { voice(x, y); });
    later = count([&] {
      for (int i = 0; i < 10; ++i) voice(x, y);
    });
    faults = page_faults([&] { voice(x, y); });
  }).join();
  CHECK(first.allocations == 0);
  CHECK(first.locks == 0);
  CHECK(later.allocations == 0);
  CHECK(later.locks == 0);
  CHECK(faults == 0);
  voice.use(better);
  counted const taken_over = count([&] { voice(x, y); });
  CHECK(taken_over.allocations == 0);
  CHECK(taken_over.locks == 0);
  CHECK(voice.states()["last"].has_values());
}

TEST_CASE("the callback of an effect") {
  sinter::simd::set_threads(1);
  effect::network net;
  net.initialize(sinter::init::xavier{}, 1);
  auto const fast = net.hybridize();
  effect::voice voice(fast);
  float in[effect::block]{1}, out[effect::block];
  counted calls{1, 1};
  long faults = -1;
  std::thread([&] {
    calls = count([&] {
      for (int i = 0; i < 10; ++i) voice(in, out);
    });
    faults = page_faults([&] { voice(in, out); });
  }).join();
  CHECK(calls.allocations == 0);
  CHECK(calls.locks == 0);
  CHECK(faults == 0);
  CHECK(out[0] != 0);
}
#endif
TEST_CASE("what other networks change takes nothing from an instance") {
  network net;  // whose names are longer than a string has room for
  remembering other;
  net.initialize(sinter::init::xavier{}, 1);
  other.initialize(sinter::init::xavier{}, 1);
  auto const fast = net.hybridize();
  auto const voice = fast.instance();
  voice.warm_up<shape<2, 64>>();
  auto const changes = other.hybridize();
  f32<2, 64> const x;
  f32<2, 32> y;
  f32<2, 8> z;
  for (int i = 0; i < 3; ++i) {
    changes(x, z);
    counted const n = count([&] { voice(x, y); });
    CHECK(n.allocations == 0);
    CHECK(n.locks == 0);
  }
}
TEST_CASE("many small calls of another network between") {  // workspaces and plans belong to their networks
  nn::dense<8> small;
  network net;
  small.initialize();
  net.initialize();
  auto const a = small.hybridize();
  auto const b = net.hybridize();
  f32<1, 64> const x;
  f32<1, 8> ya;
  f32<1, 32> yb;
  a(x, ya);
  b(x, yb);
  a(x, ya);  // the deferred values of `b` moved the epoch, so `a` looked at its own again
  counted const later = count([&] {
    for (int i = 0; i < 5; ++i) {
      a(x, ya);
      b(x, yb);
    }
  });
  CHECK(later.allocations == 0);
  CHECK(later.locks == 0);
}
#else
TEST_CASE("allocations are counted with glibc and without sanitizers only") { SUCCEED(); }
#endif
