// SPDX-License-Identifier: Apache-2.0
// Objects that each thread has one of, and another one for a call that interrupts a call.
#pragma once
#include <atomic>
#include <memory>
#include <utility>

#include "config.hpp"
#include "error.hpp"

namespace sinter::detail::inline SINTER_ISA {

// Deletes what `place` points to when the thread's objects are destroyed.
template <class W, int Time> void delete_with_the_thread(W*& place) {
  struct owner {
    W*& place;
    ~owner() { delete std::exchange(place, nullptr); }
  };
  static thread_local owner const last{place};
  static_cast<void>(&last);
}
template <class W> SINTER_NOINLINE W& make_for_this_thread(W*& place) {
  auto made = std::make_unique<W>();
  static thread_local bool again = false;
  (std::exchange(again, true) ? delete_with_the_thread<W, 1> : delete_with_the_thread<W, 0>)(place);
  place = made.release();
  return *place;
}
// Number of nested calls of networks and operations in this thread. A second one interrupts the first: in a signal handler, or in an operation
// of the user's own.
inline int& calls_of_this_thread() {
  static thread_local int n = 0;
  return n;
}
class call_of_this_thread {
 public:
  call_of_this_thread() {
    if (n_ > 1)
      throw error(
          "sinter: a call that interrupts another call of its thread must not be interrupted by a third; block the signal while its "
          "handler runs");
    n_ = n_ + 1;
    std::atomic_signal_fence(std::memory_order_seq_cst);  // a handler sees it before anything that this call writes
  }
  call_of_this_thread(call_of_this_thread const&) = delete;
  call_of_this_thread& operator=(call_of_this_thread const&) = delete;
  ~call_of_this_thread() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    n_ = n_ - 1;
  }

 private:
  int& n_ = calls_of_this_thread();
};
template <class W> SINTER_COLD SINTER_NOINLINE W& of_an_interrupting_call() {
  static thread_local W w;
  return w;
}
// The same of an instance of a network, which takes them along from thread to thread.
class own_objects {
 public:
  own_objects() = default;
  own_objects(own_objects const&) = delete;
  own_objects& operator=(own_objects const&) = delete;
  ~own_objects() {
    while (entry* const e = first_) {
      first_ = e->next;
      e->destroy(e);
    }
  }
  template <class W> W& get() {
    static constexpr char key = 0;
    for (entry* e = first_; e; e = e->next)
      if (e->key == &key) return static_cast<entry_of<W>*>(e)->object;
    auto* const made = new entry_of<W>;
    made->key = &key;
    made->next = first_;
    made->destroy = [](entry* e) { delete static_cast<entry_of<W>*>(e); };
    first_ = made;
    return made->object;
  }

 private:
  struct entry {
    void const* key = nullptr;
    entry* next = nullptr;
    void (*destroy)(entry*) = nullptr;
  };
  template <class W> struct entry_of : entry {
    W object;
  };
  entry* first_ = nullptr;
};
// Those that calls of this thread use now; null: its own.
inline own_objects*& objects_in_use() {
  static thread_local own_objects* of = nullptr;
  return of;
}

// This thread's W, made when it is first asked for. Code that runs after it was destroyed (the destructor of another object of the thread;
// in the main thread also that of a static object, or a function given to atexit) finds a null pointer and makes another W.
template <class W> W& of_this_thread() {
  if (calls_of_this_thread() > 1) return of_an_interrupting_call<W>();
  if (own_objects* const own = objects_in_use()) return own->get<W>();
  static thread_local W* w = nullptr;
  return w ? *w : make_for_this_thread(w);
}

}  // namespace sinter::detail::inline SINTER_ISA
