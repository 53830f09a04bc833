// SPDX-License-Identifier: Apache-2.0
// A small thread pool: one hand-over costs a fifth of a microsecond while the helpers are awake.
#pragma once

#include <sinter/core/config.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <thread>

#include <pthread.h>

namespace sinter::simd {
inline namespace SINTER_ISA {

// Chunks 0 .. n-1 are dealt out in equal runs, one for each thread; run h is first offered to helper h, so that a repeated call
// finds its data in that core's cache. A run that its helper has not begun when the caller is done with its own is taken back:
// nobody waits for a sleeper. Helpers compute in the floating-point mode (rounding, denormals) of the thread that calls.
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

  // In the child of a fork, where there are no helpers, and where nobody goes on with a call that another thread was in.
  void forget_helpers() noexcept {
    for (unsigned h = 1; h < started_; ++h) {
      new (&helpers_[h]) std::thread;  // what was there can neither be joined nor destroyed
      seats_[h].state.store(3, std::memory_order_relaxed);
      seats_[h].asleep.store(false, std::memory_order_relaxed);
      seats_[h].awaited.store(false, std::memory_order_relaxed);
    }
    started_ = 1;
    asleep_.store(0, std::memory_order_relaxed);
    stop_.store(false, std::memory_order_relaxed);
    busy_.store(false, std::memory_order_relaxed);
  }

  // Calls f(chunk) once for every chunk below n and returns when all are done. f must not throw. A call that finds the pool busy,
  // from another thread or from within f, runs all its chunks itself; so does a `brief` call (less work than it takes to wake a
  // thread, some 50 us) that finds all helpers asleep, unless such calls come in numbers, or that comes soon after others had to
  // wait for helpers whose processor was slow or taken from them.
  template <class F>
  void parallel(std::size_t n, F const& f, bool brief = false) noexcept {
    share_out(n, {&f, sizeof(f), [](void const* g, std::size_t c) { (*static_cast<F const*>(g))(c); }, float_mode()}, brief);
  }

 private:
  using clock = std::chrono::steady_clock;
  static constexpr auto patience = std::chrono::microseconds(50);
  static constexpr unsigned brief_calls = 16;
  static constexpr auto tolerance = std::chrono::microseconds(20);
  static constexpr int wary = 50; // times as long as was lost, brief calls stay alone
  static constexpr clock::duration most_lost = std::chrono::milliseconds(2); // a process that was stopped says nothing of its processors

  // What `parallel` was given: one type, so that the rest is compiled once.
  struct work {
    void const* f = nullptr;
    std::size_t bytes = 0;
    void (*call)(void const*, std::size_t) = nullptr;
    std::uintptr_t mode = 0;  // for floating-point numbers
  };
  struct run {
    work f;
    std::size_t from = 0;
    std::size_t to = 0;
    void operator()() const noexcept {
      for (std::size_t c = from; c < to; ++c) { f.call(f.f, c); }
    }
  };
  // Where a run is offered to a helper. All in one line of the cache: it travels to the helper and back, and nothing else does. `state`
  // counts on: 1 offered, 2 taken, 3 done, 5 offered, ... Only the caller offers, and only when the last run is done.
  struct alignas(64) seat {
    std::atomic<unsigned> state{3};
    std::atomic<bool> asleep{false}; // its helper
    std::atomic<bool> awaited{false}; // by a caller that sleeps
    unsigned runs = 0; // of this call: what the helper may look at when it is done
    run mine;

    bool take(unsigned now) noexcept {
      return (now & 3u) == 1u && state.compare_exchange_strong(now, now + 1, std::memory_order_acq_rel, std::memory_order_relaxed);
    }
  };

  void share_out(std::size_t n, work const& f, bool brief) noexcept {
    run const all{f, 0, n};
    if (n < 2 || threads() < 2 || busy_.exchange(true, std::memory_order_acquire)) {
      all();
      return;
    }
    if (started_ < threads()) { start(); }
    unsigned const runs = n < started_ ? static_cast<unsigned>(n) : started_;
    bool const asleep = asleep_.load(std::memory_order_relaxed) + 1 >= started_;
    if (runs < 2 || (brief && (is_wary() || (asleep && ++skipped_ < brief_calls)))) {
      busy_.store(false, std::memory_order_release);
      all();
      return;
    }
    skipped_ = 0;
    for (unsigned r = 1; r < runs; ++r) {
      seat& s = seats_[r];
      s.runs = runs;
      s.mine = {f, n * r / runs, n * (r + 1) / runs};
      // A plain store: the caller does not wait for the line. Should the helper fall asleep just now and miss it, nobody wakes it, and
      // the caller takes the run back.
      s.state.store(s.state.load(std::memory_order_relaxed) + 2, std::memory_order_release);
    }
    if (asleep_.load(std::memory_order_relaxed) != 0) {
      for (unsigned r = 1; r < runs; ++r) {
        if (seats_[r].asleep.load(std::memory_order_relaxed)) { seats_[r].state.notify_all(); }
      }
    }
    auto const begin = brief ? clock::now() : clock::time_point{};
    run{f, 0, n / runs}();
    for (unsigned r = 1; r < runs; ++r) { take_back(seats_[r]); }
    auto const own = brief ? clock::now() : begin;
    for (unsigned r = 1; r < runs; ++r) { wait_for(seats_[r]); }
    if (brief) { weigh(begin, own, clock::now()); }
    busy_.store(false, std::memory_order_release);
  }

  // To wait for more than half of the time of one's own work is to lose: it had better been done alone.
  void weigh(clock::time_point begin, clock::time_point own, clock::time_point end) noexcept {
    lost_ = std::max(lost_ + (end - own) - (own - begin) / 2, clock::duration{0});
    if (lost_ > tolerance) {
      wary_until_ = end + wary * std::min(lost_, most_lost);
      lost_ = {};
    }
  }

  static void take_back(seat& s) noexcept {
    unsigned const now = s.state.load(std::memory_order_acquire);
    if (!s.take(now)) { return; }
    s.mine();
    s.state.store(now + 2, std::memory_order_release);
  }

  static void wait_for(seat& s) noexcept {
    unsigned now = 0;
    auto const done = [&] { return ((now = s.state.load(std::memory_order_acquire)) & 3u) == 3u; };
    if (spin(done)) { return; }
    // Who finishes the run looks at `awaited` after `state`, this looks at `state` after `awaited`: one of the two sees the other.
    s.awaited.store(true, std::memory_order_seq_cst);
    while (((now = s.state.load(std::memory_order_seq_cst)) & 3u) != 3u) { s.state.wait(now, std::memory_order_acquire); }
    s.awaited.store(false, std::memory_order_relaxed);
  }

  [[nodiscard]] bool is_wary() noexcept {
    if (wary_until_ == clock::time_point{}) { return false; }
    if (clock::now() < wary_until_) { return true; }
    wary_until_ = {};
    return false;
  }

  static unsigned clamp(unsigned n) noexcept { return n < 1 ? 1 : n > max_threads ? max_threads : n; }

  static SINTER_INLINE void relax() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
  }

  // How this thread rounds and what it does with denormals; without the flags that say what has happened.
  static std::uintptr_t float_mode() noexcept {
#if defined(__x86_64__)
    return __builtin_ia32_stmxcsr() & ~0x3fu;
#elif defined(__aarch64__)
    std::uintptr_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
#else
    return 0;
#endif
  }
  static void set_float_mode([[maybe_unused]] std::uintptr_t mode) noexcept {
    if (mode == float_mode()) { return; }
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr(static_cast<unsigned>(mode));
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"(mode));
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

  void help(unsigned me) noexcept {
    seat& own = seats_[me];
    for (;;) {
      unsigned now = 0;
      auto const offered = [&] {
        return ((now = own.state.load(std::memory_order_acquire)) & 3u) == 1u || stop_.load(std::memory_order_relaxed);
      };
      if (!spin(offered)) {
        own.asleep.store(true, std::memory_order_relaxed);
        asleep_.fetch_add(1, std::memory_order_seq_cst);
        if (!offered()) { own.state.wait(now, std::memory_order_acquire); }
        asleep_.fetch_sub(1, std::memory_order_relaxed);
        own.asleep.store(false, std::memory_order_relaxed);
        // What it was woken for may have been taken back: it waits awake for the next.
      }
      if (stop_.load(std::memory_order_acquire)) { return; }
      // Its own run first, then what others have not begun. To hold a run keeps its call alive.
      unsigned runs = help_with(own);
      for (unsigned r = 1; r < runs; ++r) { help_with(seats_[1 + (me + r - 1) % (runs - 1)]); }
    }
  }

  // Returns how many runs the call has, if there was something to do.
  unsigned help_with(seat& s) noexcept {
    unsigned const now = s.state.load(std::memory_order_relaxed);
    if (!s.take(now)) { return 0; }
    unsigned const runs = s.runs;
    // What the call has at hand, all at once: it lies in the cache of the caller's core.
    for (std::size_t b = 0; b < s.mine.f.bytes; b += 64) { __builtin_prefetch(static_cast<char const*>(s.mine.f.f) + b); }
    set_float_mode(s.mine.f.mode);
    s.mine();
    s.state.exchange(now + 2, std::memory_order_seq_cst);
    if (s.awaited.load(std::memory_order_seq_cst)) { s.state.notify_all(); }
    return runs;
  }

  void start() noexcept {
    stop_.store(false, std::memory_order_relaxed);
    for (unsigned const n = threads(); started_ < n; ++started_) {
      try {
        helpers_[started_] = std::thread([this, me = started_] { help(me); });
      } catch (...) {
        wanted_.store(started_, std::memory_order_relaxed);  // no more threads to be had: go on with fewer
        return;
      }
    }
  }

  void stop() noexcept {
    stop_.store(true, std::memory_order_seq_cst);
    for (unsigned h = 1; h < started_; ++h) {
      seats_[h].state.fetch_add(4, std::memory_order_seq_cst);  // done as before, and yet not what a sleeper waits for
      seats_[h].state.notify_all();
    }
    for (unsigned h = 1; h < started_; ++h) { helpers_[h].join(); }
    started_ = 1;
  }

  void acquire() noexcept {
    while (busy_.exchange(true, std::memory_order_acquire)) { std::this_thread::yield(); }
  }

  std::atomic<unsigned> wanted_;
  std::atomic<bool> busy_{false};
  // From here to seats_: belongs to who holds busy_.
  unsigned started_ = 1;  // with the caller
  unsigned skipped_ = 0;
  clock::duration lost_{};
  clock::time_point wary_until_{};
  std::array<std::thread, max_threads> helpers_;
  std::array<seat, max_threads> seats_;  // but the first
  alignas(64) std::atomic<unsigned> asleep_{0};
  std::atomic<bool> stop_{false};
};

// All cores, or fewer if the environment variable SINTER_NUM_THREADS says so. No thread starts before `parallel` needs it.
[[nodiscard]] inline pool& default_pool() {
  static pool instance([] {
    unsigned const cores = std::thread::hardware_concurrency();
    char const* const text = std::getenv("SINTER_NUM_THREADS");
    unsigned long const limit = text != nullptr ? std::strtoul(text, nullptr, 10) : 0;
    return limit != 0 && limit < cores ? static_cast<unsigned>(limit) : cores;
  }());
  static bool const forked = pthread_atfork(nullptr, nullptr, [] { default_pool().forget_helpers(); }) == 0;
  static_cast<void>(forked);
  return instance;
}

inline void set_threads(unsigned n) { default_pool().set_threads(n); }
[[nodiscard]] inline unsigned threads() { return default_pool().threads(); }

}  // namespace SINTER_ISA
}  // namespace sinter::simd
