// SPDX-License-Identifier: Apache-2.0
// Objects that each thread has one of, another one for a call that interrupts a call, and an instance of a network its own.
#pragma once
#include <atomic>
#include <utility>

#include "config.hpp"
#include "error.hpp"

namespace sinter::detail {
// An object of each type that it was asked for: of an instance of a network, which takes them along from thread to thread, or of a stream.
class own_objects {
 public:
  SINTER_OWN own_objects() = default;
  own_objects(own_objects const&) = delete;
  own_objects& operator=(own_objects const&) = delete;
  SINTER_OWN ~own_objects() {
    while (entry* const e = first_) {
      first_ = e->next;
      e->destroy(e);
    }
  }
  template <class W> SINTER_OWN W& get() {
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
}  // namespace sinter::detail

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
  static thread_local bool again = false;
  (std::exchange(again, true) ? delete_with_the_thread<W, 1> : delete_with_the_thread<W, 0>)(place);
  return *(place = new W);
}
// How many calls of networks and operations this thread is in, one in another, and whose objects they use; null: its own. A second call
// interrupts the first: in a signal handler, or in an operation of the user's own.
struct thread_calls {
  int n = 0;
  own_objects* own = nullptr;
};
inline thread_calls& calls_of_this_thread() {
  static thread_local thread_calls now;
  return now;
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
  int& n_ = calls_of_this_thread().n;
};
template <class W> SINTER_COLD SINTER_NOINLINE W& of_these_calls(thread_calls const& now) {
  if (now.n <= 1) return now.own->get<W>();
  static thread_local W w;
  return w;
}
// This thread's W, made when it is first asked for; that of an instance in its calls. Code that runs after it was destroyed (the destructor of
// another object of the thread; in the main thread also that of a static object, or a function given to atexit) finds a null pointer and makes
// another W.
template <class W> W& of_this_thread() {
  if (thread_calls const& now = calls_of_this_thread(); now.n > 1 || now.own) return of_these_calls<W>(now);
  static thread_local W* w = nullptr;
  return w ? *w : make_for_this_thread(w);
}

}  // namespace sinter::detail::inline SINTER_ISA
