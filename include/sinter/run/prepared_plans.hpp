// SPDX-License-Identifier: Apache-2.0
// What all copies of a compiled network share: for each plan that it has run, where its parameters are and what was prepared from them.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>

#include "prepare.hpp"

namespace sinter::executor {

// An object for each program and backend, whose types say the instruction set and the device. E: prepared<P>, or what an instance of a network
// keeps for a program.
class prepared_plans {
 public:
  SINTER_OWN prepared_plans() = default;
  prepared_plans(prepared_plans const&) = delete;
  prepared_plans& operator=(prepared_plans const&) = delete;
  SINTER_OWN ~prepared_plans() {
    for (entry* e = first_.load(std::memory_order_acquire); e;) {
      entry* const next = e->next;
      e->destroy(e);
      e = next;
    }
  }
  std::mutex lock;
  // Lock-free: entries are only ever put in front.
  template <class E, class Backend> SINTER_OWN E* find() const {
    for (entry* e = first_.load(std::memory_order_acquire); e; e = e->next)
      if (e->key == &key_of<E, Backend>) return &static_cast<entry_of<E>*>(e)->object;
    return nullptr;
  }
  // A new entry; `before` is called when it can no longer fail to be made.
  template <class E, class Backend> SINTER_OWN E* add(auto const& before) {
    auto e = std::make_unique<entry_of<E>>();
    e->key = &key_of<E, Backend>;
    e->destroy = [](entry* p) { delete static_cast<entry_of<E>*>(p); };
    e->next = first_.load(std::memory_order_relaxed);
    before();
    auto* const made = e.release();
    first_.store(made, std::memory_order_release);
    return &made->object;
  }

 private:
  template <class E, class Backend> static constexpr char key_of = 0;
  struct entry {
    void const* key = nullptr;
    void (*destroy)(entry*) = nullptr;
    entry* next = nullptr;
  };
  template <class E> struct entry_of : entry {
    E object;
  };
  std::atomic<entry*> first_{nullptr};
};
// A shared pointer that a constant expression can hold empty.
class prepared_plans_handle {
 public:
  SINTER_OWN constexpr prepared_plans_handle() {
    if (!std::is_constant_evaluated()) shared_ = new shared;
  }
  SINTER_OWN constexpr prepared_plans_handle(prepared_plans_handle const& o) : shared_(o.shared_) {
    if (shared_) shared_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  SINTER_OWN constexpr prepared_plans_handle& operator=(prepared_plans_handle o) {
    std::swap(shared_, o.shared_);
    return *this;
  }
  SINTER_OWN constexpr ~prepared_plans_handle() {
    if (shared_ && shared_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete shared_;
  }
  SINTER_OWN prepared_plans& operator*() const { return shared_->plans; }
  SINTER_OWN explicit operator bool() const { return shared_ != nullptr; }

 private:
  struct shared {
    std::atomic<long> owners{1};
    prepared_plans plans;
  };
  shared* shared_ = nullptr;
};

}  // namespace sinter::executor
