// SPDX-License-Identifier: Apache-2.0
// Objects that each thread has one of.
#pragma once
#include <memory>
#include <utility>

#include "config.hpp"

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
// This thread's W, made when it is first asked for. Code that runs after it was destroyed (the destructor of another object of the thread;
// in the main thread also that of a static object, or a function given to atexit) finds a null pointer and makes another W.
template <class W> W& of_this_thread() {
  static thread_local W* w = nullptr;
  return w ? *w : make_for_this_thread(w);
}

}  // namespace sinter::detail::inline SINTER_ISA
