// SPDX-License-Identifier: Apache-2.0
// The thread pool: every chunk once, from any number of callers, nested, resized, asleep.
#include "../../catch.hpp"

#include <sinter/backend/xsimd/pool.hpp>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

namespace {

using sinter::simd::pool;

bool each_once(pool& p, std::size_t n) {
  std::vector<int> calls(n, 0); // plain ints: the thread sanitizer sees a chunk that two threads run
  p.parallel(n, [&](std::size_t c) { ++calls.at(c); });
  return std::all_of(calls.begin(), calls.end(), [](int k) { return k == 1; });
}

} // namespace

TEST_CASE("every chunk runs once", "[pool]") {
  for (unsigned threads : {1u, 2u, 3u, 5u, 32u, 100u}) {
    pool p(threads);
    CHECK(p.threads() == std::min(threads, pool::max_threads));
    for (std::size_t n : {0u, 1u, 2u, 3u, 7u, 64u, 1000u}) {
      bool good = true;
      for (int repeat = 0; repeat < 20; ++repeat) { good = good && each_once(p, n); }
      CHECK(good);
    }
  }
}

TEST_CASE("many short calls, with the helpers awake and asleep", "[pool]") {
  pool p(2);
  std::size_t sum = 0;
  constexpr int calls = 20000;
  for (int i = 0; i < calls; ++i) {
    std::size_t part[2] = {};
    p.parallel(2, [&](std::size_t c) { part[c] = c + 1; });
    sum += part[0] + part[1];
    if (i % 2000 == 0) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }
  }
  CHECK(sum == 3u * calls);
}

TEST_CASE("a helper takes part in long work", "[pool]") {
  pool p(2);
  auto const me = std::this_thread::get_id();
  std::atomic<bool> helped{false};
  for (int attempt = 0; attempt < 20 && !helped; ++attempt) {
    p.parallel(2, [&](std::size_t) {
      helped = helped || std::this_thread::get_id() != me;
      auto const end = std::chrono::steady_clock::now() + std::chrono::milliseconds(250);
      while (!helped && std::chrono::steady_clock::now() < end) { std::this_thread::yield(); }
    });
  }
  CHECK(helped);
}

TEST_CASE("a nested call runs on its caller", "[pool]") {
  pool p(3);
  std::atomic<int> count{0};
  std::atomic<bool> stayed{true};
  p.parallel(6, [&](std::size_t) {
    auto const me = std::this_thread::get_id();
    p.parallel(5, [&](std::size_t) {
      stayed = stayed && std::this_thread::get_id() == me;
      ++count;
    });
  });
  CHECK(count == 30);
  CHECK(stayed);
}

TEST_CASE("several callers at once", "[pool]") {
  pool p(2);
  std::atomic<int> bad{0};
  std::vector<std::thread> users;
  for (int u = 0; u < 4; ++u) {
    users.emplace_back([&] {
      for (int i = 0; i < 500; ++i) { bad += each_once(p, 9) ? 0 : 1; }
    });
  }
  for (auto& u : users) { u.join(); }
  CHECK(bad == 0);
}

TEST_CASE("the number of threads can change between calls", "[pool]") {
  pool p(2);
  std::atomic<bool> stop{false};
  std::atomic<int> bad{0};
  std::thread user([&] {
    while (!stop) { bad += each_once(p, 10) ? 0 : 1; }
  });
  for (unsigned n = 0; n < 30; ++n) {
    p.set_threads(n % 5);
    bad += each_once(p, 10) ? 0 : 1;
  }
  stop = true;
  user.join();
  CHECK(bad == 0);
  p.set_threads(0);
  CHECK(p.threads() == 1);
}

TEST_CASE("runs are contiguous and no thread has two when all take part", "[pool]") {
  pool p(2);
  std::vector<std::thread::id> who(10);
  p.parallel(10, [&](std::size_t c) { who[c] = std::this_thread::get_id(); });
  CHECK(std::all_of(who.begin(), who.begin() + 5, [&](auto id) { return id == who[0]; }));
  CHECK(std::all_of(who.begin() + 5, who.end(), [&](auto id) { return id == who[5]; }));
}

TEST_CASE("the default pool", "[pool]") {
  auto const before = sinter::simd::threads();
  CHECK(before >= 1);
  sinter::simd::set_threads(3);
  CHECK(sinter::simd::threads() == 3);
  CHECK(each_once(sinter::simd::default_pool(), 12));
  sinter::simd::set_threads(before);
}

TEST_CASE("brief calls wake sleepers only when they come in numbers", "[pool]") {
  pool p(2);
  CHECK(each_once(p, 4)); // starts the helper
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  auto const me = std::this_thread::get_id();
  bool alone = true;
  p.parallel(
      8,
      [&](std::size_t) {
        alone = alone && std::this_thread::get_id() == me;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      },
      true);
  CHECK(alone);
  std::atomic<bool> helped{false};
  for (int i = 0; i < 2000 && !helped; ++i) {
    p.parallel(
        2,
        [&](std::size_t) {
          helped = helped || std::this_thread::get_id() != me;
          std::this_thread::sleep_for(std::chrono::microseconds(200));
        },
        true);
  }
  CHECK(helped);
}

TEST_CASE("brief calls stay alone after they had to wait, and only for a while", "[pool]") {
  using namespace std::chrono_literals;
  pool p(2);
  auto const me = std::this_thread::get_id();
  auto const helped = [&](bool brief) {
    std::atomic<bool> another{false};
    p.parallel(
        2,
        [&](std::size_t) {
          another = another || std::this_thread::get_id() != me;
          std::this_thread::sleep_for(200us);
        },
        brief);
    return another.load();
  };
  bool alone = false;
  for (int attempt = 0; attempt < 20 && !alone; ++attempt) {
    std::atomic<bool> away{false};
    for (int i = 0; i < 2000 && !away; ++i) {
      p.parallel(
          2,
          [&](std::size_t) {
            bool const other = std::this_thread::get_id() != me;
            away = away || other;
            std::this_thread::sleep_for(other ? 100ms : 1ms);
          },
          true);
    }
    alone = true;
    for (int i = 0; i < 40; ++i) { alone = alone && !helped(true); } // more than it takes to wake a sleeper
  }
  CHECK(alone);
  bool shared = false;
  for (int i = 0; i < 2000 && !shared; ++i) { shared = helped(false); }
  CHECK(shared);
  bool again = false;
  for (int i = 0; i < 2000 && !again; ++i) { again = helped(true); }
  CHECK(again);
}

TEST_CASE("helpers round and treat denormals as the caller does", "[pool]") {
  pool p(4);
  float volatile const one = 1, three = 3;
  for (int mode : {FE_UPWARD, FE_TONEAREST, FE_DOWNWARD, FE_TONEAREST}) {
    std::fesetround(mode);
    float const expected = one / three;
    int wrong = 0;
    for (int i = 0; i < 50; ++i) {
      std::vector<float> r(64);
      p.parallel(64, [&](std::size_t c) {
        r[c] = one / three;
        std::this_thread::sleep_for(std::chrono::microseconds(1)); // so that helpers take part
      });
      for (float v : r) wrong += v != expected;
    }
    std::fesetround(FE_TONEAREST);
    CHECK(wrong == 0);
  }
}
