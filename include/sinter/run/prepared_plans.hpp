// SPDX-License-Identifier: Apache-2.0
// What all copies of a compiled network share: for each plan that it has run, where its parameters are and what was prepared from them.
#pragma once
#include <atomic>
#include <mutex>

#include "prepare.hpp"

namespace sinter::executor {

// One entry for each program and backend; their types say the instruction set and the device.
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
  template <class P, class Backend> SINTER_OWN prepared<P>* find() const {
    for (entry* e = first_.load(std::memory_order_acquire); e; e = e->next)
      if (e->key == &key_of<P, Backend>) return &static_cast<entry_of<P>*>(e)->parameters;
    return nullptr;
  }
  // Brings up to date what `to` has for one program, of the network's parameters, at the dimensions of a call.
  using renewal = void (*)(void const* network, prepared_plans& to, binding const& at);
  // A new entry; `before` is called when it can no longer fail to be made. The rest is for renew_like.
  template <class P, class Backend> SINTER_OWN prepared<P>* add(auto const& before, renewal renew = nullptr, binding const* at = nullptr) {
    auto* const made = new entry_of<P>;
    made->key = &key_of<P, Backend>;
    made->destroy = [](entry* p) { delete static_cast<entry_of<P>*>(p); };
    made->epoch = &made->parameters.epoch;
    made->next = first_.load(std::memory_order_relaxed);
    held hold{made};
    made->renew = renew;
    if (at) made->at = new binding(*at);
    before();
    hold.e = nullptr;
    first_.store(made, std::memory_order_release);
    return &made->parameters;
  }
  // Makes for other parameters of the network what `o` has for all programs that were run.
  SINTER_OWN void renew_like(prepared_plans const& o, void const* network) {
    for (entry* e = o.first_.load(std::memory_order_acquire); e; e = e->next) e->renew(network, *this, *e->at);
  }
  // The next call of each program looks where its parameters are.
  SINTER_OWN void look_again() {
    for (entry* e = first_.load(std::memory_order_acquire); e; e = e->next) e->epoch->store(~std::uint64_t{0});
  }

 private:
  template <class P, class Backend> static constexpr char key_of = 0;
  struct entry {
    void const* key = nullptr;
    void (*destroy)(entry*) = nullptr;
    renewal renew = nullptr;
    binding* at = nullptr;
    std::atomic<std::uint64_t>* epoch = nullptr;
    entry* next = nullptr;
    SINTER_OWN entry() = default;
    entry(entry const&) = delete;
    entry& operator=(entry const&) = delete;
    SINTER_OWN ~entry() { delete at; }
  };
  // Until it is in the list.
  struct held {
    entry* e;
    ~held() {
      if (e) e->destroy(e);
    }
  };
  template <class P> struct entry_of : entry {
    prepared<P> parameters;
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
