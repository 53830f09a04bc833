// SPDX-License-Identifier: Apache-2.0
// Calls before main and after it, in the destructors of static objects and of threads, and in the child of a fork.
#include <sinter/compile/hybridized.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "../catch.hpp"
#include "../sanitized.hpp"

namespace nn = sinter::nn;
using sinter::dim;
using sinter::shape;
template <auto... D> using f32 = sinter::nd::tensor<float, shape<D...>>;

namespace {

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<96>, first), (nn::dense<40>, second));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.softmax(second(F.tanh(first(x)))); }
};
using input = f32<dim<"batch">, 64>;
using output = f32<dim<"batch">, 40>;

template <class X> X numbers(X x) {
  for (sinter::extent i = 0; i < x.size(); ++i) x[i] = static_cast<float>((i * 37) % 23 - 11) / 8;
  return x;
}
template <class Y> bool same(Y const& a, Y const& b) {
  return std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(*a.data())) == 0;
}

// Static ones: copied and hybridized before they have values.
network early;
network const copied = early;
auto const compiled = early.hybridize();
// Called in a static destructor and by what atexit was given: when this thread's workspaces are gone.
struct last_call {
  static void check() {
    input const x = numbers(input({6, 64}));
    output const expected = early(x);
    output y({6, 40});
    // What was freed would be given out again here, and must not be written to.
    std::vector<std::vector<unsigned char>> others;
    for (std::size_t size = 64; size < 20000; size += 16) others.emplace_back(size, static_cast<unsigned char>(7));
    compiled(x, y);
    for (auto const& o : others)
      for (unsigned char c : o)
        if (c != 7) std::_Exit(3);
    for (int i = 0; i < y.size(); ++i)
      if (!(y[i] - expected[i] < 1e-6f && expected[i] - y[i] < 1e-6f)) std::_Exit(4);
  }
  bool wanted = false;
  ~last_call() {
    if (wanted) check();
  }
} in_destructor;

// What exit(code()) in a child process ends with.
template <class Code> int exit_of_child(Code code) {
  std::fflush(nullptr);
  pid_t const child = fork();
  if (child == 0) {
    alarm(60);
    std::exit(code());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace

TEST_CASE("a static network shares its parameters with copies that were made before they had values") {
  early.initialize(sinter::init::xavier{}, 1);
  auto const x = numbers(f32<3, 64>{});
  auto const y = early(x);
  CHECK(same(copied(x), y));
  CHECK(same(compiled(x), early.hybridize()(x)));
  early.second.bias.set(numbers(f32<40>{}));
  CHECK(same(copied(x), early(x)));
  CHECK(!same(y, early(x)));
}

TEST_CASE("the values of a parameter are a copy, and setting them reaches compiled networks") {
  auto const x = numbers(f32<3, 64>{});
  early(x);
  auto const weight = early.first.weight.data<shape<96, 64>>();
  auto const before = compiled(x);
  weight.fill(0.125f);
  CHECK(same(compiled(x), before));
  early.first.weight.set(weight);
  auto const after = compiled(x), eager = early(x);
  CHECK(!same(after, before));
  for (int i = 0; i < after.size(); ++i) CHECK(std::abs(after[i] - eager[i]) < 1e-6f);
}

TEST_CASE("calls after main, and at a thread's end") {
  input const x = numbers(input({6, 64}));
  (void)compiled(x);
  CHECK(exit_of_child([] {
          (void)compiled(numbers(input({6, 64})));
          std::atexit(last_call::check);
          in_destructor.wanted = true;
          return 0;
        }) == 0);
  std::thread([] {
    struct at_the_end {
      ~at_the_end() { last_call::check(); }
    };
    static thread_local at_the_end last;
    static_cast<void>(&last);
    (void)compiled(numbers(input({6, 64})));
  }).join();
}

// In the child of a process with threads the sanitizers find what those had, or go no further.
#if defined(SINTER_XSIMD) && !SINTER_SANITIZED
TEST_CASE("a fork while another thread computes on several") {
  sinter::simd::set_threads(4);
  f32<512, 1024> const x = numbers(f32<512, 1024>{});
  f32<512, 1024> const expected = sinter::exp(x);
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    f32<512, 1024> y;
    while (!stop) sinter::nd::out(y).exp(x);
  });
  for (int i = 0; i < 20; ++i)
    CHECK(exit_of_child([&] {
            for (int k = 0; k < 3; ++k)
              if (!same(sinter::exp(x), expected)) return 1;
            return 0;
          }) == 0);
  stop = true;
  busy.join();
}
#endif
