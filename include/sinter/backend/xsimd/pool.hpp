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

  ~pool();

  [[nodiscard]] unsigned threads() const noexcept { return wanted_.load(std::memory_order_relaxed); }

  // Waits for a running call; not to be called from within `parallel`. Helpers start with the next call that needs them.
  void set_threads(unsigned n) noexcept;

  // In the child of a fork, where there are no helpers, and where nobody goes on with a call that another thread was in.
  void forget_helpers() noexcept;

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

  void share_out(std::size_t n, work const& f, bool brief) noexcept;
  // To wait for more than half of the time of one's own work is to lose: it had better been done alone.
  void weigh(clock::time_point begin, clock::time_point own, clock::time_point end) noexcept;
  static void take_back(seat& s) noexcept;
  static void wait_for(seat& s) noexcept;
  [[nodiscard]] bool is_wary() noexcept;

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

  void help(unsigned me) noexcept;

  // Returns how many runs the call has, if there was something to do.
  unsigned help_with(seat& s) noexcept;

  void start() noexcept;
  void stop() noexcept;
  void acquire() noexcept;

  std::atomic<unsigned> wanted_;
  std::atomic<bool> busy_{false};
  // From here to seats_: belongs to who holds busy_.
  unsigned started_ = 1;  // with the caller
  unsigned skipped_ = 0;
  clock::duration lost_{};
  clock::time_point wary_until_{};
  std::thread helpers_[max_threads];  // no std::array, whose destructor the linker may keep for processors of another instruction set
  std::array<seat, max_threads> seats_;  // but the first
  alignas(64) std::atomic<unsigned> asleep_{0};
  std::atomic<bool> stop_{false};
};

// All cores, or fewer if the environment variable SINTER_NUM_THREADS says so. No thread starts before `parallel` needs it.
[[nodiscard]] pool& default_pool();

inline void set_threads(unsigned n) { default_pool().set_threads(n); }
[[nodiscard]] inline unsigned threads() { return default_pool().threads(); }

}  // namespace SINTER_ISA
}  // namespace sinter::simd

#if !defined(SINTER_COMPILED_ELSEWHERE)
#include "pool_threads.hpp"
#endif
