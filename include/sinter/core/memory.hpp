// SPDX-License-Identifier: Apache-2.0
// Large blocks of memory that were freed are kept for the next that are taken: new memory from the system costs a page fault for every 4 KiB, which is
// more than most operations take for their elements.
//
// A block has one of four sizes an octave, and goes back to the list of the thread that frees it. A list that is full goes on as a whole, so that
// sizes that nobody takes any more do not stay: that of a thread to the program's, that of the program to the system. Nobody waits for the
// program's list: where another thread has it, the system is asked. Blocks may be freed by units and libraries with lists of their own, as all
// come from operator new.
#pragma once
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>

#include "config.hpp"

namespace sinter::memory {

// Of the whole program, for blocks of 64 KiB and more, those that networks work in included.
struct statistics {
  std::size_t kept = 0;  // bytes that are free and kept
  std::size_t taken = 0;  // blocks that were asked for so far
  std::size_t reused = 0;  // of these, blocks that had been kept
};

namespace detail {

inline constexpr std::size_t smallest = std::size_t{1} << 16, most_of_a_thread = std::size_t{1} << 25;
// Sizes are 64 KiB * (4 + c % 4) / 4 * 2^(c / 4), up to 2^40 bytes.
inline constexpr int classes = 96;
constexpr std::size_t size_of_class(int c) { return (smallest / 4 * static_cast<std::size_t>(4 + c % 4)) << (c / 4); }
// The class of the least size that is enough; -1 for blocks that are not kept.
constexpr int class_of(std::size_t bytes) {
  if (bytes < smallest || bytes > size_of_class(classes - 1)) return -1;
  int const octave = std::countl_zero(smallest) - std::countl_zero(bytes);
  std::size_t const quarter = (smallest / 4) << octave;
  return octave * 4 + static_cast<int>((bytes + quarter - 1) / quarter) - 4;
}

struct free_block {
  free_block* next;
};
struct free_list {
  free_block* first[classes]{};
  std::size_t bytes = 0;
  unsigned trims = 0;  // the calls of trim() that it has followed
};
// Shared by all threads, and never destroyed, because blocks are freed until the program ends.
struct shared_list {
  free_list list;
  std::atomic_flag busy;
  std::atomic<std::size_t> limit = std::size_t{512} << 20, kept = 0, taken = 0, reused = 0;
  std::atomic<unsigned> trims = 0;
};
union kept_for_ever {
  shared_list shared;
  constexpr kept_for_ever() : shared() {}
  constexpr ~kept_for_ever() {}
};
inline constinit kept_for_ever program;

inline namespace SINTER_ISA {

inline void* pop(free_list& list, int c) {
  free_block* const b = list.first[c];
  if (!b) return nullptr;
  list.first[c] = b->next;
  list.bytes -= size_of_class(c);
  return b;
}
inline void push(free_list& list, int c, void* p) {
  list.first[c] = ::new (p) free_block{list.first[c]};
  list.bytes += size_of_class(c);
}
SINTER_NOINLINE inline void give_to_the_system(free_list& list) {
  program.shared.kept.fetch_sub(list.bytes, std::memory_order_relaxed);
  list.bytes = 0;
  for (free_block*& first : list.first)
    while (free_block* const b = first) {
      first = b->next;
      ::operator delete(static_cast<void*>(b));
    }
}
// Each list does what trim() asks for when it is used next.
SINTER_NOINLINE inline void follow_trims(free_list& list) {
  unsigned const now = program.shared.trims.load(std::memory_order_relaxed);
  if (list.trims == now) return;
  list.trims = now;
  give_to_the_system(list);
}

// Of the program's list; nobody waits for it.
class lock {
 public:
  lock() : has_(!program.shared.busy.test_and_set(std::memory_order_acquire)) {
    if (has_) follow_trims(program.shared.list);
  }
  lock(lock const&) = delete;
  lock& operator=(lock const&) = delete;
  ~lock() {
    if (has_) program.shared.busy.clear(std::memory_order_release);
  }
  explicit operator bool() const { return has_; }

 private:
  bool has_;
};

// All of `from` to the program's list, or to the system where another thread has that list.
SINTER_NOINLINE inline void give_to_the_program(free_list& from) {
  std::size_t const limit = program.shared.limit.load(std::memory_order_relaxed);
  lock const held;
  if (!held || from.bytes > limit) return give_to_the_system(from);
  free_list& to = program.shared.list;
  if (to.bytes + from.bytes > limit) give_to_the_system(to);
  for (int c = 0; c < classes; ++c)
    while (free_block* const b = from.first[c]) {
      from.first[c] = b->next;
      b->next = to.first[c];
      to.first[c] = b;
    }
  to.bytes += from.bytes;
  from.bytes = 0;
}

// A thread's own list. It is left alone while a signal handler interrupts its use, and when the thread's objects are destroyed.
struct thread_list {
  free_list list;
  bool taken = false;
};
inline thread_list& of_this_thread() {
  static constinit thread_local thread_list mine;
  return mine;
}
struct use_of_list {
  thread_list& mine = of_this_thread();
  bool const alone = !mine.taken;
  use_of_list() {
    mine.taken = true;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (alone) follow_trims(mine.list);
  }
  use_of_list(use_of_list const&) = delete;
  use_of_list& operator=(use_of_list const&) = delete;
  ~use_of_list() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (alone) mine.taken = false;
  }
};
struct end_of_thread {
  ~end_of_thread() {
    thread_list& mine = of_this_thread();
    mine.taken = true;  // from now on
    give_to_the_program(mine.list);
  }
};

inline void trim() {
  program.shared.trims.fetch_add(1);
  use_of_list const mine;
  lock const all;
}

SINTER_NOINLINE inline void* take(int c) {
  program.shared.taken.fetch_add(1, std::memory_order_relaxed);
  void* p = nullptr;
  if (use_of_list const here; here.alone) p = pop(here.mine.list, c);
  if (!p)
    if (lock const held; held) p = pop(program.shared.list, c);
  if (!p) {
    try {
      return ::operator new(size_of_class(c));
    } catch (std::bad_alloc const&) {
      trim();
      return ::operator new(size_of_class(c));
    }
  }
  program.shared.reused.fetch_add(1, std::memory_order_relaxed);
  program.shared.kept.fetch_sub(size_of_class(c), std::memory_order_relaxed);
  return p;
}
SINTER_NOINLINE inline void give(int c, void* p) noexcept {
  std::size_t const bytes = size_of_class(c), limit = program.shared.limit.load(std::memory_order_relaxed);
  if (bytes > limit) return ::operator delete(p);
  program.shared.kept.fetch_add(bytes, std::memory_order_relaxed);
  if (use_of_list const here; here.alone && bytes <= most_of_a_thread && limit >= most_of_a_thread) {
    static thread_local end_of_thread const last;
    static_cast<void>(last);
    if (here.mine.list.bytes + bytes > most_of_a_thread) give_to_the_program(here.mine.list);
    return push(here.mine.list, c, p);
  }
  free_list one;
  push(one, c, p);
  give_to_the_program(one);
}

}  // namespace SINTER_ISA
}  // namespace detail

inline namespace SINTER_ISA {

inline statistics stats() {
  detail::shared_list const& s = detail::program.shared;
  return {s.kept.load(), s.taken.load(), s.reused.load()};
}

// Gives what is kept back to the system: at once what this thread and the program keep, and of another thread, or where one has the program's list
// just now, when a block is taken or freed there next.
inline void trim() { detail::trim(); }

// Bytes that the program keeps at most, and each thread up to 32 MiB besides unless they are fewer; 512 MiB unless said otherwise, 0: nothing is kept.
inline std::size_t limit() { return detail::program.shared.limit.load(); }
inline void limit(std::size_t bytes) {
  detail::program.shared.limit = bytes;
  trim();
}

}  // namespace SINTER_ISA
}  // namespace sinter::memory
