// SPDX-License-Identifier: Apache-2.0
// What a compiled network learns while it runs: where its parameters are, packed weights, and the memory that its calls work in.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>

#include "../backend/default.hpp"
#include "../core/per_thread.hpp"
#include "../plan/program.hpp"

namespace sinter::detail {

inline namespace SINTER_ISA {
// What one plan needs of a network's parameters: where they are, and the products' weights in the backend's order.
template <class P> struct bound_parameters {
  std::byte* values[P::sizes.parameters + 1]{};
  std::byte const* packed[P::sizes.groups + 1]{};
  std::uint64_t versions[P::sizes.parameters + 1]{};
  buffer<std::byte> storage;
  std::atomic<std::uint64_t> epoch{0};  // parameter_epoch when it was last looked at
};

}  // namespace SINTER_ISA

// Everything that a compiled network learns while it runs, shared by its copies: one entry for each plan.
class bound_plans {
 public:
  SINTER_OWN bound_plans() = default;
  bound_plans(bound_plans const&) = delete;
  bound_plans& operator=(bound_plans const&) = delete;
  SINTER_OWN ~bound_plans() {
    for (entry* e = first_.load(std::memory_order_acquire); e;) {
      entry* const next = e->next;
      e->destroy(e);
      e = next;
    }
  }
  std::mutex lock;
  // Lock-free: entries are only ever put in front.
  template <class P, class Device> SINTER_OWN bound_parameters<P>* find() const {
    for (entry* e = first_.load(std::memory_order_acquire); e; e = e->next)
      if (e->key == &key_of<P, Device>) return &static_cast<entry_of<P>*>(e)->bound;
    return nullptr;
  }
  // A new entry; `before` is called when it can no longer fail to be made.
  template <class P, class Device> SINTER_OWN bound_parameters<P>* add(auto const& before) {
    auto e = std::make_unique<entry_of<P>>();
    e->key = &key_of<P, Device>;
    e->destroy = [](entry* p) { delete static_cast<entry_of<P>*>(p); };
    e->next = first_.load(std::memory_order_relaxed);
    before();
    auto* const made = e.release();
    first_.store(made, std::memory_order_release);
    return &made->bound;
  }

 private:
  template <class P, class Device> static constexpr char key_of = 0;
  struct entry {
    void const* key = nullptr;
    void (*destroy)(entry*) = nullptr;
    entry* next = nullptr;
  };
  template <class P> struct entry_of : entry {
    bound_parameters<P> bound;
  };
  std::atomic<entry*> first_{nullptr};
};
// A shared pointer that a constant expression can hold empty.
class bound_plans_handle {
 public:
  SINTER_OWN constexpr bound_plans_handle() {
    if (!std::is_constant_evaluated()) shared_ = new shared;
  }
  SINTER_OWN constexpr bound_plans_handle(bound_plans_handle const& o) : shared_(o.shared_) {
    if (shared_) shared_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  SINTER_OWN constexpr bound_plans_handle& operator=(bound_plans_handle o) {
    std::swap(shared_, o.shared_);
    return *this;
  }
  SINTER_OWN constexpr ~bound_plans_handle() {
    if (shared_ && shared_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete shared_;
  }
  SINTER_OWN bound_plans& operator*() const { return shared_->plans; }
  SINTER_OWN explicit operator bool() const { return shared_ != nullptr; }

 private:
  struct shared {
    std::atomic<long> owners{1};
    bound_plans plans;
  };
  shared* shared_ = nullptr;
};

inline namespace SINTER_ISA {
// A thread's memory for one plan, or a stream's.
struct workspace_base {
  buffer<std::byte> arena;
  std::int64_t bytes = -1;
  buffer<std::int64_t> keys;  // on another device than the host
};
template <class P> struct workspace : workspace_base {
  geometry<P> g;  // of a plan with dynamic dimensions
};
template <class P> struct fixed_workspace : workspace_base {};
template <class P, class Backend = default_backend> inline auto& workspace_of() {
  using type = std::conditional_t<P::fixed, fixed_workspace<P>, workspace<P>>;
  if constexpr (requires { Backend::template workspace<type>(); }) return Backend::template workspace<type>();
  else return of_this_thread<type>();
}

}  // namespace SINTER_ISA
}  // namespace sinter::detail
