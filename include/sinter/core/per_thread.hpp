// SPDX-License-Identifier: Apache-2.0
// Objects of which each thread has one.
#pragma once
#include <memory>
#include <utility>

#include "config.hpp"

namespace sinter::detail::inline SINTER_ISA {

template <class W> SINTER_NOINLINE W& make_for_this_thread(W*& place) {
  struct owner {
    W*& place;
    ~owner() { delete std::exchange(place, nullptr); }
  };
  auto made = std::make_unique<W>();
  static thread_local owner const gone_with_the_thread{place};
  place = made.release();
  return *place;
}
// This thread's W, made when it is first asked for. The pointer outlives what it points to: what runs after the thread's objects are gone
// (in main's thread a destructor of a static object, or what atexit was given) finds none, and makes another one, which stays.
template <class W> W& of_this_thread() {
  static thread_local W* w = nullptr;
  return w ? *w : make_for_this_thread(w);
}

}  // namespace sinter::detail::inline SINTER_ISA
