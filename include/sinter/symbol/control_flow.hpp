// SPDX-License-Identifier: Apache-2.0
// foreach, while_loop and cond of symbols: each function that they are given is called once, with symbols that stand for what a turn is given,
// and becomes a body of the operation. Its shapes come with those of the whole (typed.hpp).
#pragma once
#include <atomic>

#include "../core/parts.hpp"
#include "../ops/control_flow.hpp"
#include "composing.hpp"

namespace sinter::sym::inline SINTER_ISA {

template <class X> struct part_is_untyped {
  static constexpr bool value = ops::is_untyped<X>;
};
template <class X> inline constexpr bool are_untyped = each_part_is<part_is_untyped, X>;

struct body {
  std::vector<symbol> arguments, outputs;
  std::vector<composed const*> nodes;  // its own, operands first
};
struct region {
  std::vector<body> bodies;  // of cond two
  int operands = 0;  // so many of the node's; behind them stands what the bodies use from outside
  int sequences = 0, states = 0;
  std::int64_t most = 0;  // while_loop: turns
};

// Composes one operation of ops/region.hpp.
class region_composer {
 public:
  explicit region_composer(op_info const& op) : node_(std::make_shared<composed>()), scope_before_(scope_now) {
    place_operation(*node_, op.name);
    call_->op = &op;
    call_->first_promoted = -1;
  }
  region_composer(region_composer const&) = delete;
  region_composer& operator=(region_composer const&) = delete;
  ~region_composer() { scope_now = scope_before_; }
  region of;

  void named(std::string name, std::shared_ptr<file_call const> read) {
    node_->name = std::move(name);
    node_->is_named = true;
    call_->read = std::move(read);
  }
  template <class X> void operands(X const& x) {
    each_part(x, [&](symbol const& s) {
      static_cast<void>(s.name());  // one output
      node_->in.push_back(s);
      ++of.operands;
    });
  }
  // Begins a body; what is composed from here on belongs to it.
  void open() {
    static std::atomic<std::uint64_t> bodies{0};
    scope_now = ++bodies;
    of.bodies.emplace_back();
  }
  template <class X> X arguments(X const& like, char const* what) {
    return map_parts(like, [&](symbol const&) {
      auto k = std::make_shared<composed>();
      k->name = node_->name + "." + what + std::to_string(of.bodies.back().arguments.size());
      k->is_argument = true;
      k->scope = scope_now;
      of.bodies.back().arguments.emplace_back(std::move(k));
      return of.bodies.back().arguments.back();
    });
  }
  template <class Y> void outputs(Y const& y) {
    each_part(y, [&](symbol const& s) {
      static_cast<void>(s.name());
      of.bodies.back().outputs.push_back(s);
    });
  }
  void close() {
    body& b = of.bodies.back();
    std::set<composed const*> met;
    struct visit {
      composed const* node;
      std::size_t next = 0;
    };
    std::vector<visit> path;
    auto const enter = [&](symbol const& s) {
      composed const& k = s.node(0);
      if (k.is_number) return;
      if (k.scope != scope_now) capture(s);
      else if (met.insert(&k).second) path.push_back({&k});
    };
    for (symbol const& o : b.outputs) {
      enter(o);
      while (!path.empty()) {
        visit& v = path.back();
        if (v.next < v.node->in.size()) {
          enter(v.node->in[v.next++]);
          continue;
        }
        if (v.node->call) b.nodes.push_back(v.node);
        path.pop_back();
      }
    }
    scope_now = scope_before_;
  }
  // The results, one behind the other, in the structure of `y`.
  void finish(int results) {
    call_->results = results;
    node_->call = call_;
    node_->bodies = std::make_shared<region const>(std::move(of));
  }
  template <class Y> Y results(Y const& y) {
    return map_parts(y, [&](symbol const&) { return symbol(node_, next_++); });
  }

 private:
  std::shared_ptr<composed> node_;
  std::shared_ptr<called> call_ = std::make_shared<called>();
  std::uint64_t scope_before_;
  int next_ = 0;

  void capture(symbol const& s) {
    for (std::size_t i = static_cast<std::size_t>(of.operands); i < node_->in.size(); ++i)
      if (&node_->in[i].node(0) == &s.node(0) && node_->in[i].index(0) == s.index(0)) return;
    node_->in.push_back(s);
  }
};
// What a loop gives whose body gave `y`.
template <class Y> auto finish_loop(region_composer& w, Y const& y) {
  w.finish(parts_in<Y>);
  auto stacked = w.results(std::get<0>(y));
  return std::tuple(stacked, w.results(std::get<1>(y)));
}

template <class Body, class X, class S> auto foreach_in(composing const&, Body const& body, X const& sequences, S const& states) {
  if constexpr (!ops::may_loop<are_untyped<X> && are_untyped<S>>()) return std::tuple(sequences, states);
  else if constexpr (!ops::takes_a_turn<Body, X, S>()) return std::tuple(sequences, states);
  else {
    using Y = std::remove_cvref_t<decltype(body(sequences, states))>;
    if constexpr (!ops::gives_outputs_and_states<Y, S, are_untyped<Y>>()) return std::tuple(sequences, states);
    else {
      region_composer w(ops::info<ops::foreach>);
      w.operands(sequences);
      w.operands(states);
      w.of.sequences = parts_in<X>;
      w.of.states = parts_in<S>;
      w.open();
      auto const slices = w.arguments(sequences, "slice");
      auto const y = body(slices, w.arguments(states, "state"));
      w.outputs(y);
      w.close();
      return finish_loop(w, y);
    }
  }
}
template <int Most, class GoOn, class Body, class S>
auto while_in(composing const&, GoOn const& go_on, Body const& body, S const& states) {
  if constexpr (!ops::may_loop<are_untyped<S>>()) return std::tuple(states, states);
  else {
    using Y = std::remove_cvref_t<decltype(ops::call_with(body, states))>;
    using C = std::remove_cvref_t<decltype(ops::call_with(go_on, states))>;
    if constexpr (!ops::gives_outputs_and_states<Y, S, are_untyped<Y>>()) return std::tuple(states, states);
    else if constexpr (!ops::is_untyped<C>) return ops::is_condition<C>(), std::tuple(states, states);
    else {
      auto const begins = ops::call_with(go_on, states);
      region_composer w(ops::info<ops::while_loop>);
      w.operands(begins);
      w.operands(states);
      w.of.states = parts_in<S>;
      w.of.most = Most;
      w.open();
      auto const y = ops::call_with(body, w.arguments(states, "state"));
      w.outputs(y);
      w.outputs(ops::call_with(go_on, std::get<1>(y)));
      w.close();
      return finish_loop(w, y);
    }
  }
}
template <class C, class Then, class Otherwise>
auto cond_in(composing const&, C const& condition, Then const& then, Otherwise const& otherwise) {
  using Y = std::remove_cvref_t<decltype(then())>;
  if constexpr (!ops::is_untyped<C>) return ops::is_condition<C>(), then();
  else if constexpr (!ops::gives_the_same<Y, std::remove_cvref_t<decltype(otherwise())>, are_untyped<Y>>()) return then();
  else {
    region_composer w(ops::info<ops::cond>);
    w.operands(condition);
    w.open();
    auto const y = then();
    w.outputs(y);
    w.close();
    w.open();
    w.outputs(otherwise());
    w.close();
    w.finish(parts_in<Y>);
    return w.results(y);
  }
}

}  // namespace sinter::sym::inline SINTER_ISA
