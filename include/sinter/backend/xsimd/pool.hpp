// SPDX-License-Identifier: Apache-2.0
// A small thread pool: one hand-over costs about a tenth of a microsecond while the helpers are awake.
#pragma once

#include <sinter/core/config.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <thread>

namespace sinter::simd {
inline namespace SINTER_ISA {

// Chunks 0 .. n-1 are dealt out in equal runs, one for each thread; run h is first offered to helper h, so that a repeated call
// finds its data in that core's cache. A run whose helper has not woken yet is taken by the caller: nobody waits for a sleeper,
// and a pool that loses its helpers (after fork, say) still finishes.
class pool {
 public:
  static constexpr unsigned max_threads = 32;

  explicit pool(unsigned threads) noexcept : wanted_(clamp(threads)) {}
  pool(pool const&) = delete;
  pool& operator=(pool const&) = delete;

  ~pool() {
    acquire();
    stop();
  }

  [[nodiscard]] unsigned threads() const noexcept { return wanted_.load(std::memory_order_relaxed); }

  // Waits for a running call; not to be called from within `parallel`. Helpers start with the next call that needs them.
  void set_threads(unsigned n) noexcept {
    acquire();
    stop();
    wanted_.store(clamp(n), std::memory_order_relaxed);
    busy_.store(false, std::memory_order_release);
  }

  // Calls f(chunk) once for every chunk below n and returns when all are done. f must not throw. A call that finds the pool busy,
  // from another thread or from within f, runs all its chunks itself; so does a `brief` call (less work than it takes to wake a
  // thread, some 50 us) that finds all helpers asleep, unless such calls come in numbers.
  template <class F>
  void parallel(std::size_t n, F const& f, bool brief = false) noexcept {
    share_out(n, {&f, [](void const* g, std::size_t c) { (*static_cast<F const*>(g))(c); }}, brief);
  }

 private:
  using clock = std::chrono::steady_clock;
  static constexpr auto patience = std::chrono::microseconds(50);
  static constexpr unsigned brief_calls = 16;

  // What `parallel` was given: one type, so that the rest is compiled once.
  struct work {
    void const* f = nullptr;
    void (*call)(void const*, std::size_t) = nullptr;
    void operator()(std::size_t chunk) const noexcept { call(f, chunk); }
  };

  static void alone(std::size_t n, work const& f) noexcept {
    for (std::size_t c = 0; c < n; ++c) { f(c); }
  }

  void share_out(std::size_t n, work const& f, bool brief) noexcept {
    if (n < 2 || threads() < 2 || busy_.exchange(true, std::memory_order_acquire)) {
      alone(n, f);
      return;
    }
    if (started_ < threads()) { start(); }
    runs_ = n < started_ ? static_cast<unsigned>(n) : started_;
    bool const asleep = asleep_.load(std::memory_order_relaxed) + 1 >= started_;
    if (runs_ < 2 || (brief && asleep && ++skipped_ < brief_calls)) {
      busy_.store(false, std::memory_order_release);
      alone(n, f);
      return;
    }
    skipped_ = 0;
    chunks_ = n;
    work_ = f;
    left_.store(runs_, std::memory_order_relaxed);
    open_.store((std::uint64_t{1} << runs_) - 1, std::memory_order_release);
    epoch_.fetch_add(1, std::memory_order_seq_cst);
    epoch_.notify_all();
    for (unsigned r = 0; r < runs_; ++r) {
      if (claim(r)) { run(r); }
    }
    finish();
    busy_.store(false, std::memory_order_release);
  }

  static unsigned clamp(unsigned n) noexcept { return n < 1 ? 1 : n > max_threads ? max_threads : n; }

  static SINTER_INLINE void relax() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
  }

  // Whether done() came true within `patience`.
  template <class Done>
  static bool spin(Done const& done) noexcept {
    auto const end = clock::now() + patience;
    do {
      for (int i = 0; i < 64; ++i) {
        if (done()) { return true; }
        relax();
      }
    } while (clock::now() < end);
    return false;
  }

  // A claim that succeeds keeps its call alive until run() has counted it, so what the claim's holder reads cannot change.
  bool claim(unsigned r) noexcept {
    std::uint64_t const bit = std::uint64_t{1} << r;
    return (open_.load(std::memory_order_relaxed) & bit) != 0 && (open_.fetch_and(~bit, std::memory_order_acq_rel) & bit) != 0;
  }

  void run(unsigned r) noexcept {
    std::size_t const end = chunks_ * (r + 1) / runs_;
    for (std::size_t c = chunks_ * r / runs_; c < end; ++c) { work_(c); }
    if (left_.fetch_sub(1, std::memory_order_seq_cst) == 1) { left_.notify_one(); }
  }

  void finish() noexcept {
    unsigned left = 0;
    if (!spin([&] { return (left = left_.load(std::memory_order_acquire)) == 0; })) {
      while ((left = left_.load(std::memory_order_acquire)) != 0) { left_.wait(left, std::memory_order_acquire); }
    }
  }

  void help(unsigned me, unsigned seen) noexcept {
    for (;;) {
      unsigned now = seen;
      if (!spin([&] { return (now = epoch_.load(std::memory_order_acquire)) != seen; })) {
        asleep_.fetch_add(1, std::memory_order_relaxed);
        epoch_.wait(seen, std::memory_order_acquire);
        asleep_.fetch_sub(1, std::memory_order_relaxed);
        now = epoch_.load(std::memory_order_acquire);
      }
      seen = now;
      if (stop_.load(std::memory_order_acquire)) { return; }
      // Its own run first, then what others have not begun.
      for (unsigned i = 0; i < max_threads && open_.load(std::memory_order_relaxed) != 0; ++i) {
        unsigned const r = (me + i) % max_threads;
        if (claim(r)) { run(r); }
      }
    }
  }

  void start() noexcept {
    stop_.store(false, std::memory_order_relaxed);
    unsigned const now = epoch_.load(std::memory_order_relaxed);
    for (unsigned const n = threads(); started_ < n; ++started_) {
      try {
        helpers_[started_] = std::thread([this, now, me = started_] { help(me, now); });
      } catch (...) {
        wanted_.store(started_, std::memory_order_relaxed); // no more threads to be had: go on with fewer
        return;
      }
    }
  }

  void stop() noexcept {
    stop_.store(true, std::memory_order_release);
    epoch_.fetch_add(1, std::memory_order_seq_cst);
    epoch_.notify_all();
    for (unsigned h = 1; h < started_; ++h) { helpers_[h].join(); }
    started_ = 1;
  }

  void acquire() noexcept {
    while (busy_.exchange(true, std::memory_order_acquire)) { std::this_thread::yield(); }
  }

  std::atomic<unsigned> wanted_;
  std::atomic<bool> busy_{false};
  std::atomic<bool> stop_{false};
  // From here to work_: belongs to who holds busy_, read by who holds a claim.
  unsigned started_ = 1; // with the caller
  std::array<std::thread, max_threads> helpers_;
  unsigned runs_ = 0;
  unsigned skipped_ = 0;
  std::size_t chunks_ = 0;
  work work_;
  alignas(64) std::atomic<unsigned> epoch_{0};
  std::atomic<unsigned> asleep_{0};
  std::atomic<std::uint64_t> open_{0}; // bit r: run r has no thread yet
  alignas(64) std::atomic<unsigned> left_{0}; // runs that are not done
};

// All cores, or fewer if the environment variable SINTER_NUM_THREADS says so. No thread starts before `parallel` needs it.
[[nodiscard]] inline pool& default_pool() {
  static pool instance([] {
    unsigned const cores = std::thread::hardware_concurrency();
    char const* const text = std::getenv("SINTER_NUM_THREADS");
    unsigned long const limit = text != nullptr ? std::strtoul(text, nullptr, 10) : 0;
    return limit != 0 && limit < cores ? static_cast<unsigned>(limit) : cores;
  }());
  return instance;
}

inline void set_threads(unsigned n) { default_pool().set_threads(n); }
[[nodiscard]] inline unsigned threads() { return default_pool().threads(); }

} // namespace SINTER_ISA
} // namespace sinter::simd
