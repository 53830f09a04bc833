// SPDX-License-Identifier: Apache-2.0
// The elements of a parameter or state where they are read and written: on the host, on a device, or on both in one version.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>

#include "../core/device.hpp"

namespace sinter::executor {

// Moves when plans must look again where the values that they read are, or at what was made of these.
inline std::atomic<std::uint64_t> value_epoch{1};
inline std::mutex device_copies;  // held while elements go from one device to another

// What does not depend on the type of the elements.
class any_value {
 public:
  SINTER_OWN constexpr any_value() = default;
  any_value(any_value const&) = delete;
  any_value& operator=(any_value const&) = delete;

  SINTER_OWN constexpr std::uint64_t version() const { return version_; }
  // Held by a call that changes it; such calls of different networks follow one another. Templates, so that programs that never wait do not
  // pay for what waits.
  template <class = void> SINTER_OWN void lock() {
    std::atomic_ref<int> const held(held_);
    while (held.exchange(1, std::memory_order_acquire) != 0) held.wait(1, std::memory_order_relaxed);
  }
  template <class = void> SINTER_OWN void unlock() {
    std::atomic_ref<int> const held(held_);
    held.store(0, std::memory_order_release);
    held.notify_one();
  }
  // No other call will ever change it: one of an instance.
  SINTER_OWN void keep_alone() { alone_ = true; }
  SINTER_OWN bool is_alone() const { return alone_; }
  // Something is made of its elements: when they change, plans look again.
  SINTER_OWN void watch() { std::atomic_ref<bool>(watched_).store(true); }
  // It has other elements, in another place than before, or as far as anybody knows.
  SINTER_OWN constexpr void moved() {
    ++version_;
    if (!std::is_constant_evaluated()) value_epoch.fetch_add(1, std::memory_order_release);
  }
  // It has other elements where the old ones were.
  SINTER_OWN void changed() {
    ++version_;
    if (std::atomic_ref<bool>(watched_).exchange(false)) value_epoch.fetch_add(1, std::memory_order_release);
  }
  // Above the version of another one that takes its place.
  SINTER_OWN void pass(any_value const& o) {
    if (version_ < o.version_) version_ = o.version_;
  }

 private:
  std::uint64_t version_ = 1;
  int held_ = 0;
  bool watched_ = false, alone_ = false;
};

// Holds some values from take() to its end. All calls take them in the order of their addresses, so that none waits for ever.
class held_values {
 public:
  SINTER_OWN held_values() = default;
  held_values(held_values const&) = delete;
  held_values& operator=(held_values const&) = delete;
  SINTER_OWN ~held_values() {
    while (n_ > 0) first_[--n_]->unlock();
  }
  // Sorts the n pointers, which stay where they are.
  template <class = void> SINTER_OWN void take(any_value** first, std::ptrdiff_t n) {
    std::sort(first, first + n, std::less<>{});
    for (first_ = first; n_ < n; ++n_) first_[n_]->lock();
  }

 private:
  any_value** first_ = nullptr;
  std::ptrdiff_t n_ = 0;
};

// Two places at most: the host, and a device. `next` is a second place there, for elements that are written while the old ones are read.
template <class T> class value : public any_value {
 public:
  SINTER_OWN constexpr explicit operator bool() const { return static_cast<bool>(here_); }
  SINTER_OWN constexpr void hold(buffer<T> elements) {
    here_ = std::move(elements);
    fetch_ = nullptr;
  }
  SINTER_OWN constexpr void drop() {
    here_ = {};
    there_ = next_ = {};
    fetch_ = nullptr;
  }
  // The elements on a device, n of them: the newest, wherever they were written.
  template <class D = device::cpu_t> SINTER_OWN constexpr buffer<T> const& on(std::size_t n) {
    if constexpr (D::is_host) {
      if (!std::is_constant_evaluated() && std::atomic_ref(fetch_).load(std::memory_order_acquire)) bring_here(n);
      return here_;
    } else {
      renew<D>(n);
      return there_;
    }
  }
  // Other elements, n of them, from write(to). Tensors that share the old ones keep those.
  SINTER_OWN constexpr void replace(std::size_t n, auto const& write) {
    bool const shared = here_.is_shared();
    if (shared) here_ = buffer<T>(n, false);
    write(here_.data());
    replaced(shared);
  }
  // Where a call writes the next elements: over the old ones, if the plan allows that and nothing shares them; else apart from them.
  template <class D> SINTER_OWN T* for_next(std::size_t n, bool in_place) {
    buffer<T> const& now = on<D>(n);
    if (in_place && !now.is_shared()) return now.data();
    if (!next_ || next_.is_shared() || next_on_host_ != D::is_host) next_ = D::template allocate<T>(n, false);
    next_on_host_ = D::is_host;
    return next_.data();
  }
  // The call is done. True where plans must look again: the elements are in another place, or on one of two.
  template <class D> SINTER_OWN bool take_next(T const* written) {
    buffer<T>* now = &here_;
    if constexpr (!D::is_host) now = &there_;
    bool const elsewhere = written != now->data();
    if (elsewhere) std::swap(*now, next_);
    // Plans of the other place had these elements, if it was up to date.
    bool const both = D::is_host ? there_ && copied_ == version() : fetch_ == nullptr;
    changed();
    if constexpr (!D::is_host) {
      copied_ = version();
      fetch_ = &fetch_from<D>;
    }
    return elsewhere || both;
  }

 private:
  buffer<T> here_, there_, next_;
  std::uint64_t copied_ = 0;  // the version of what is `there`
  bool next_on_host_ = true;
  void (*fetch_)(value&, std::size_t) = nullptr;  // where a device has newer elements than the host

  SINTER_OWN SINTER_NOINLINE constexpr void replaced(bool elsewhere) {
    fetch_ = nullptr;
    if (std::is_constant_evaluated() || elsewhere || there_) moved();
    else changed();
  }
  template <class D> SINTER_OWN static void fetch_from(value& v, std::size_t n) {
    if (!v.here_ || v.here_.is_shared()) v.here_ = buffer<T>(n, false);
    D::copy(v.here_.data(), v.there_.data(), n * sizeof(T));
    D::wait();
  }
  SINTER_OWN SINTER_NOINLINE void bring_here(std::size_t n) {
    std::lock_guard const hold(device_copies);
    if (fetch_) fetch_(*this, n);
    std::atomic_ref(fetch_).store(nullptr, std::memory_order_release);
  }
  template <class D> SINTER_OWN void renew(std::size_t n) {
    std::atomic_ref<std::uint64_t> const copied(copied_);
    if (copied.load(std::memory_order_acquire) == version()) return;
    std::lock_guard const hold(device_copies);
    if (copied.load(std::memory_order_relaxed) == version()) return;
    if (!there_ || there_.is_shared()) there_ = D::template allocate<T>(n, false);
    D::copy(there_.data(), here_.data(), n * sizeof(T));
    D::wait();  // other streams may read it next
    copied.store(version(), std::memory_order_release);
  }
};

}  // namespace sinter::executor
