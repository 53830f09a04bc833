// SPDX-License-Identifier: Apache-2.0
// What the threads of the pool do: how runs are offered, taken and waited for.
#pragma once
#include <sinter/core/per_thread.hpp>

#include "pool.hpp"

namespace sinter::simd {
inline namespace SINTER_ISA {

SINTER_COMPILED_ONCE pool::~pool() {
  acquire();
  stop();
}
SINTER_COMPILED_ONCE void pool::set_threads(unsigned n) noexcept {
  acquire();
  stop();
  wanted_.store(clamp(n), std::memory_order_relaxed);
  busy_.store(false, std::memory_order_release);
}
SINTER_COMPILED_ONCE void pool::forget_helpers() noexcept {
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
SINTER_COMPILED_ONCE void pool::share_out(std::size_t n, work const& f, bool brief) noexcept {
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
SINTER_COMPILED_ONCE void pool::weigh(clock::time_point begin, clock::time_point own, clock::time_point end) noexcept {
  lost_ = std::max(lost_ + (end - own) - (own - begin) / 2, clock::duration{0});
  if (lost_ > tolerance) {
    wary_until_ = end + wary * std::min(lost_, most_lost);
    lost_ = {};
  }
}
SINTER_COMPILED_ONCE void pool::take_back(seat& s) noexcept {
  unsigned const now = s.state.load(std::memory_order_acquire);
  if (!s.take(now)) { return; }
  s.mine();
  s.state.store(now + 2, std::memory_order_release);
}
SINTER_COMPILED_ONCE void pool::wait_for(seat& s) noexcept {
  unsigned now = 0;
  auto const done = [&] { return ((now = s.state.load(std::memory_order_acquire)) & 3u) == 3u; };
  if (spin(done)) { return; }
  // Who finishes the run looks at `awaited` after `state`, this looks at `state` after `awaited`: one of the two sees the other.
  s.awaited.store(true, std::memory_order_seq_cst);
  while (((now = s.state.load(std::memory_order_seq_cst)) & 3u) != 3u) { s.state.wait(now, std::memory_order_acquire); }
  s.awaited.store(false, std::memory_order_relaxed);
}
SINTER_COMPILED_ONCE bool pool::is_wary() noexcept {
  if (wary_until_ == clock::time_point{}) { return false; }
  if (clock::now() < wary_until_) { return true; }
  wary_until_ = {};
  return false;
}
SINTER_COMPILED_ONCE void pool::help(unsigned me) noexcept {
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
SINTER_COMPILED_ONCE unsigned pool::help_with(seat& s) noexcept {
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
SINTER_COMPILED_ONCE void pool::start() noexcept {
  stop_.store(false, std::memory_order_relaxed);
  for (unsigned const n = threads(); started_ < n; ++started_) {
    try {
      helpers_[started_] = std::thread([this, me = started_] {
        sinter::detail::call_of_this_thread const always;  // it takes part in calls, which a handler in this thread interrupts
        help(me);
      });
    } catch (...) {
      wanted_.store(started_, std::memory_order_relaxed);  // no more threads to be had: go on with fewer
      return;
    }
  }
}
SINTER_COMPILED_ONCE void pool::stop() noexcept {
  stop_.store(true, std::memory_order_seq_cst);
  for (unsigned h = 1; h < started_; ++h) {
    seats_[h].state.fetch_add(4, std::memory_order_seq_cst);  // done as before, and yet not what a sleeper waits for
    seats_[h].state.notify_all();
  }
  for (unsigned h = 1; h < started_; ++h) { helpers_[h].join(); }
  started_ = 1;
}
SINTER_COMPILED_ONCE void pool::acquire() noexcept {
  while (busy_.exchange(true, std::memory_order_acquire)) { std::this_thread::yield(); }
}
SINTER_COMPILED_ONCE pool& default_pool() {
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

}  // namespace SINTER_ISA
}  // namespace sinter::simd
