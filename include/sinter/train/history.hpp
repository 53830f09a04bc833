// SPDX-License-Identifier: Apache-2.0
// The calls that were recorded, in their order, and the gradients that go back through them.
#pragma once
#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "recorded.hpp"

namespace sinter::autograd::inline SINTER_ISA {

// x as an A: the same type, or one whose dynamic dimensions are written in another way.
template <class A, class X> A as_type(X const& x) {
  if constexpr (std::is_same_v<A, X>) return x;
  else if constexpr (nd::is_recorded<A>) return A(as_type<typename A::recorded_type>(x.held()), x.on(), x.id());
  else return A(x);
}

class history {
 public:
  // A call. `from`: the numbers of its operands, -1 of those that are not recorded; `to`: that of its first result.
  struct entry {
    std::vector<int> from;
    int to = -1, results = 1;
    entry() = default;
    entry(entry const&) = delete;
    entry& operator=(entry const&) = delete;
    virtual ~entry() = default;
    virtual void backward(history&) = 0;
  };

  // Ends the record, when its gradients have been computed: values recorded on it are constants from now on.
  void end() {
    release();
    ended_ = true;
  }
  bool has_ended() const { return ended_; }
  // The same of what has been recorded so far.
  void release() {
    for (leaf_number const& l : leaves_)
      if (l.is_held) spent_.push_back(l.id);
    entries_.clear();
    leaves_.clear();
    first_ += static_cast<int>(values_.size());
    values_.clear();
  }
  bool has_released(int id) const { return ended_ || id < first_; }
  // True for an operand that the program still holds, whose gradient is wanted, and that was forgotten with the calls that read it.
  bool is_spent(int id) const { return !ended_ && std::binary_search(spent_.begin(), spent_.end(), id); }
  // True if a gradient goes on from this value.
  bool follows(int id) const { return id >= 0 && !has_released(id) && at(id).follows; }
  // A number for a value that no call has made.
  int begin() {
    values_.push_back({true, nullptr});
    return next_number() - 1;
  }
  // The same for one whose gradient somebody wants, known by an address: `make` gives the entry that takes it. `is_held`: the program may use the operand again.
  void take_leaves() { takes_leaves_ = true; }
  bool takes_leaves() const { return takes_leaves_ && !ended_; }
  template <class Make> int leaf(void const* who, Make const& make, bool is_held = false) {
    for (std::size_t i = 0, n = leaves_.size(); i < n; ++i) {  // met in the same order again and again
      hint_ = hint_ + 1 < n ? hint_ + 1 : 0;
      if (leaves_[hint_].who == who) return leaves_[hint_].id;
    }
    std::unique_ptr<entry> e = make();
    e->to = begin();
    leaves_.push_back({who, e->to, is_held});
    entries_.push_back(std::move(e));
    return leaves_.back().id;
  }
  // A value as an operand of a call that `calls` notes: its number, -1 where no gradient goes on from it.
  SINTER_NOINLINE int operand_of(history const& calls, int id) const {
    if (is_spent(id))
      throw error(
          "sinter: what on(x) gave before the last backward() is used again, and its gradient would be lost; call on(x) once more, or "
          "keep what was recorded with backward(autograd::retain_graph)");
    if (has_released(id)) return -1;
    if (id >= 0 && this != &calls)
      throw error(
          "sinter: an operation of one gradient reads what another one records; where the one stands in the function of the other, make "
          "its operands operands of the outer function, too");
    return id;
  }
  // True if a call with these operands is noted.
  SINTER_NOINLINE bool notes(std::span<int const> from) const {
    return !ended_ && std::any_of(from.begin(), from.end(), [](int i) { return i >= 0; });
  }
  // `follows`: whether a gradient goes through it, of each result.
  SINTER_NOINLINE void add(std::unique_ptr<entry> e, std::span<int const> from, std::initializer_list<bool> follows) {
    bool any = false;
    for (int i : from) any = any || (i >= 0 && at(i).follows);
    e->from.assign(from.begin(), from.end());
    e->to = next_number();
    e->results = static_cast<int>(follows.size());
    for (bool const f : follows) values_.push_back({f && any, nullptr});
    entries_.push_back(std::move(e));
  }
  int last() const { return entries_.back()->to; }

  // A flag for each value that the one with this number depends on, in whatever way.
  std::vector<char> needed_for(int head) const {
    std::vector<char> needed(values_.size(), 0);
    needed[place(head)] = 1;
    for (auto e = entries_.rbegin(); e != entries_.rend(); ++e) {
      bool any = false;
      for (int i = 0; i < (*e)->results; ++i) any = any || needed[place((*e)->to + i)];
      for (int i : (*e)->from)
        if (any && i >= 0) needed[place(i)] = 1;
    }
    return needed;
  }
  // The gradients of all values on which `head` depends. `seed`: its own.
  template <class A> void backward(int head, A const& seed) {
    set(head, seed);
    backward(std::vector<int>{head}, true);
  }
  // The same of several, whose own are there; `leaves`: whether those who want a gradient get it. The calls are met in the order in which a compiled network has their gradients, so that sums of
  // several have its bits.
  void backward(std::vector<int> const& heads, bool leaves) {
    std::vector<entry*> const order = in_order_of(heads);
    std::vector<entry*> last;
    for (auto e = order.rbegin(); e != order.rend(); ++e) {
      bool any = false;
      for (int i = 0; i < (*e)->results; ++i) any = any || at((*e)->to + i).gradient;
      if (!any) continue;
      if ((*e)->from.empty()) last.push_back(*e);
      else (*e)->backward(*this);
    }
    // Leaves get their gradients last: a call without a gradient throws before any of them changes.
    for (entry* const e : last)
      if (leaves) e->backward(*this);
  }
  void forget_gradients() {
    for (value& v : values_) v.gradient = nullptr;
  }
  template <class A> void set(int id, A const& d) {
    if (at(id).follows) values_[place(id)].gradient = std::make_unique<held_as<A>>(d);
  }
  template <class A> A const* gradient(int id) const {
    held_as<A> const* const r = static_cast<held_as<A> const*>(at(id).gradient.get());
    return r ? &r->d : nullptr;
  }
  // The same, which is needed no longer.
  template <class A> A take(int id) {
    std::unique_ptr<held> const r = std::exchange(values_[place(id)].gradient, nullptr);
    return std::move(static_cast<held_as<A>&>(*r).d);
  }
  // One more part of a gradient, which F adds.
  template <class Mode, class A> void add(Mode const& F, int id, A const& d) {
    if (id < 0 || !at(id).follows) return;
    if (A const* const before = gradient<A>(id)) set(id, as_type<A>(F.template call<ops::add>(*before, d)));
    else set(id, d);
  }

 private:
  // A gradient, of the type that the value has in the mode below.
  struct held {
    held() = default;
    held(held const&) = delete;
    held& operator=(held const&) = delete;
    virtual ~held() = default;
  };
  template <class A> struct held_as final : held {
    A d;
    explicit held_as(A const& x) : d(x) {}
  };
  struct value {
    bool follows = false;  // whether a gradient goes on from it
    std::unique_ptr<held> gradient;
  };
  struct leaf_number {
    void const* who = nullptr;
    int id = -1;
    bool is_held = false;
  };
  // The calls that the heads depend on, operands before their users, as a walk from the heads meets them.
  std::vector<entry*> in_order_of(std::vector<int> const& heads) const {
    std::vector<int> maker(values_.size(), -1);
    for (std::size_t i = 0; i < entries_.size(); ++i)
      std::fill_n(maker.begin() + static_cast<std::ptrdiff_t>(place(entries_[i]->to)), entries_[i]->results, static_cast<int>(i));
    std::vector<std::size_t> next(entries_.size(), 0);
    std::vector<char> done(entries_.size(), 0);
    std::vector<int> todo;
    std::vector<entry*> order;
    auto const visit = [&](int id) {
      int const e = id >= 0 ? maker[place(id)] : -1;
      if (e < 0 || done[static_cast<std::size_t>(e)]) return;
      todo.push_back(e);
    };
    for (int const head : heads) {
      visit(head);
      while (!todo.empty()) {
        auto const e = static_cast<std::size_t>(todo.back());
        if (!done[e] && next[e] < entries_[e]->from.size()) {
          visit(entries_[e]->from[next[e]++]);
          continue;
        }
        if (!done[e]) done[e] = 1, order.push_back(entries_[e].get());
        todo.pop_back();
      }
    }
    return order;
  }
  value const& at(int id) const { return values_[place(id)]; }
  std::size_t place(int id) const { return static_cast<std::size_t>(id - first_); }
  int next_number() const { return first_ + static_cast<int>(values_.size()); }

  std::vector<std::unique_ptr<entry>> entries_;
  std::vector<value> values_;
  std::vector<leaf_number> leaves_;
  std::vector<int> spent_;
  std::size_t hint_ = 0;
  int first_ = 0;  // the number of the first value that is not released
  bool ended_ = false, takes_leaves_ = false;
};

}  // namespace sinter::autograd::inline SINTER_ISA
