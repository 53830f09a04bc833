// SPDX-License-Identifier: Apache-2.0
// How a trace is written down.
#pragma once
#include "../ops/region.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// What is wrong with a trace. Recorded, not thrown: the hybridized network turns it into one sentence.
// `refused`: the compiler has printed why.
enum class trace_error : std::int8_t {
  none,
  foreign_parameter,
  operands,
  number,
  state,
  refused,
  left_body,
  state_in_body,
  key_in_body,
  two_shapes,
  no_gradient,
  captured,
  independent,
  nothing_trained
};

// Control flow traces its bodies on tapes of their own, each beside the one that it was opened on.
class tape {
 public:
  graph g;
  trace_error wrong = trace_error::none;
  bool named = true;
  bool prints = false;  // whether the network calls F.print: with names, the graph says what
  span_of wrong_at;  // the path of the block where it went wrong
  op_info const* without_gradient = nullptr;  // the operation
  // Inputs that are classes: whoever runs the graph refuses those that are none.
  struct classes_of {
    int input = 0;
    extent classes = 0;
  };
  list<classes_of> labels;

  constexpr int input(dtype t, dims const& s, std::string_view name) {
    node k;
    k.op = &input_op;
    k.type = {t, s};
    k.index = g.inputs++;
    for (int i = 0; i < s.rank; ++i) k.type.shape.d[i] = g.dimensions.declare(s.d[i], k.index, i);
    if (named) k.name = g.intern(name);
    return g.append(k);
  }
  // One more input behind those of the network: a key for random numbers, which whoever runs the graph draws.
  constexpr int key() {
    if (outer_) fail(trace_error::key_in_body);
    return input(dtype::int64, dims{}, "key");
  }
  // The model's parameters in the order of a visit; a parameter is known by its address.
  constexpr void declare(void const* who, std::string_view name) { known_.push({who, -1, named ? g.intern(name) : span_of{}}); }
  // Blocks in the order of a visit, so that a block can say where it stands.
  // `type` tells a block from its own first member, which has the same address.
  constexpr void declare_block(void const* who, void const* type, std::string_view path) { blocks_.push({who, -1, g.intern(path), type}); }
  constexpr bool empty() const { return known_.empty() && blocks_.empty(); }
  // Room for as many operations as parameters: a list that grows makes all its elements again, which takes steps of a constant evaluation.
  constexpr void reserve() { g.nodes.reserve(2 * known_.size()); }

  constexpr int parameter(void const* who, dtype t, dims const& s) {
    if (outer_) return parameter_in_body(who, t, s);
    entry* const known = known_.begin();
    for (int k = 0, n = known_.size(); k < n; ++k) {  // parameters are met in order, so the hint is nearly always right
      int const at = (hint_ + k) % n;
      if (known[at].who != who) continue;
      entry& e = known[at];
      hint_ = at + 1;
      if (e.assigned >= 0) {
        if (g.nodes[e.assigned].type == array_type{t, s}) return e.assigned;
        fail(trace_error::state);
      }
      return e.node < 0 ? e.node = parameter_node(at, t, s, e.name) : in_one_shape(e.node, at, t, s);
    }
    fail(trace_error::foreign_parameter);
    return parameter_node(0, t, s, {});
  }
  // Its node, or -1 where nothing has read it yet.
  constexpr int node_of(void const* who) const {
    for (entry const& e : known_)
      if (e.who == who) return e.node;
    return -1;
  }
  // Node `label` holds classes, if it is an input.
  constexpr void note_classes(int label, extent classes) {
    if (!outer_ && *g.nodes[label].op == input_op) labels.push({g.nodes[label].index, classes});
  }
  // Gives a state the values of a node, which reads of it are from here on.
  constexpr void assign(void const* who, tape const* of, int node) {
    if (outer_) return fail(trace_error::state_in_body);
    node = local(of, node);
    for (entry& e : known_)
      if (e.who == who) {
        e.assigned = node;
        return;
      }
    fail(trace_error::foreign_parameter);
  }
  // The last values of the states that were assigned become outputs behind those of the network.
  constexpr void finish_updates() {
    entry const* const known = known_.begin();
    for (int k = 0, n = known_.size(); k < n; ++k)
      if (known[k].assigned >= 0) {
        g.outputs.push(known[k].assigned);
        g.updates.push(k);
      }
    ops::finish_updates(g);
  }
  constexpr void fail(trace_error e) {
    tape& all = whole();
    if (all.wrong != trace_error::none) return;
    all.wrong = e;
    all.wrong_at = outer_ ? all.g.intern(g.str(g.scope)) : g.scope;
  }
  // Enters a block; returns the scope to go back to.
  constexpr span_of enter(void const* block, void const* type) {
    if (!named) return g.scope;
    span_of const before = g.scope;
    tape& all = whole();
    for (int k = 0; k < all.blocks_.size(); ++k) {
      int const at = (all.block_hint_ + k) % all.blocks_.size();
      if (all.blocks_[at].type != type || all.blocks_[at].who != block) continue;
      all.block_hint_ = at + 1;
      g.scope = outer_ ? g.intern(all.g.str(all.blocks_[at].name)) : all.blocks_[at].name;
      break;
    }
    return before;
  }
  constexpr void leave(span_of before) { g.scope = before; }
  constexpr tape& whole() { return outer_ ? outer_->whole() : *this; }
  // The tape on which operations are written down now: that of the body that is being traced.
  constexpr tape& now() { return outer_ || current_ ? whole().innermost() : *this; }
  // Begins a body; the operations that follow belong to it until it is closed.
  constexpr tape& open() {
    auto* const body = new tape;
    body->outer_ = this;
    body->named = named;
    body->g.dimensions = std::move(g.dimensions);
    body->g.scope = named ? body->g.intern(g.str(g.scope)) : span_of{};
    whole().bodies_.push(body);
    whole().current_ = body;
    return *body;
  }
  constexpr int argument(array_type const& type) {
    node k;
    k.op = &input_op;
    k.type = type;
    k.index = g.inputs++;
    return g.append(k);
  }
  constexpr void leave_body() {
    whole().current_ = outer_->outer_ ? outer_ : nullptr;
    outer_->g.dimensions = g.dimensions;
  }
  // Makes it one of the network's bodies, and returns which.
  constexpr int finish_body() {
    list<graph>& all = whole().g.bodies;
    all.push(g);
    return all.size() - 1;
  }
  // A body takes what another one uses from outside as inputs, too, so that both are called alike.
  constexpr void capture_like(tape const& other) {
    for (link const& l : other.captured_) capture(l.outside);
  }
  // The nodes outside that a body uses, in the order of its inputs behind the arguments.
  constexpr int captured() const { return captured_.size(); }
  constexpr int captured(int i) const { return captured_[i].outside; }
  // Node `id` of tape `of` as a node of this one: what a body uses from outside becomes an input of it.
  constexpr int local(tape const* of, int id) { return of == this ? id : from_outside(of, id); }
  constexpr void forget_bodies() {
    for (tape* t : bodies_) delete t;
    bodies_.shrink(0);
  }
  // What a refused reading or writing of a symbol's elements refers to.
  template <class T> constexpr T& nowhere() {
    if constexpr (std::is_same_v<T, float>) return nowhere_.f;
    else if constexpr (std::is_same_v<T, double>) return nowhere_.d;
    else if constexpr (std::is_same_v<T, std::int32_t>) return nowhere_.i;
    else if constexpr (std::is_same_v<T, std::int64_t>) return nowhere_.l;
    else return nowhere_.b;
  }

 private:
  struct one_of_each {
    float f = 0;
    double d = 0;
    std::int32_t i = 0;
    std::int64_t l = 0;
    bool b = false;
  };
  struct entry {
    void const* who = nullptr;
    int node = -1;
    span_of name;
    void const* type = nullptr;
    int assigned = -1;
  };
  struct link {
    int outside = -1, node = -1;
  };
  list<entry> known_, blocks_;
  one_of_each nowhere_;
  int hint_ = 0, block_hint_ = 0;
  tape* outer_ = nullptr;  // of a body: what it was opened on
  tape* current_ = nullptr;  // of the whole: the innermost open body
  list<tape*> bodies_;  // of the whole: all of them, because symbols know theirs
  list<link> captured_, parameters_;

  constexpr tape& innermost() { return current_ ? *current_ : *this; }
  constexpr int parameter_in_body(void const* who, dtype t, dims const& s) {
    tape& all = whole();
    int at = 0;
    while (at < all.known_.size() && all.known_[at].who != who) ++at;
    if (at == all.known_.size()) {
      fail(trace_error::foreign_parameter);
      return parameter_node(0, t, s, {});
    }
    entry const& e = all.known_[at];
    if (e.assigned >= 0) {
      if (all.g.nodes[e.assigned].type == array_type{t, s}) return local(&all, e.assigned);
      fail(trace_error::state);
    }
    for (link const& l : parameters_)
      if (l.outside == at) return in_one_shape(l.node, at, t, s);
    parameters_.push({at, parameter_node(at, t, s, named ? g.intern(all.g.str(e.name)) : span_of{})});
    return parameters_.back().node;
  }
  // The node of a parameter, which all uses have in common: so its shape.
  constexpr int in_one_shape(int node, int at, dtype t, dims const& s) {
    if (g.nodes[node].type.shape == s) return node;
    fail(trace_error::two_shapes);
    return parameter_node(at, t, s, {});
  }
  constexpr int parameter_node(int at, dtype t, dims const& s, span_of name) {
    return g.append({&parameter_op, {}, {}, {t, s}, at, 0, name});
  }
  constexpr int from_outside(tape const* of, int id) {
    if (!outer_) {
      fail(trace_error::left_body);
      array_type const& type = of->g.nodes[id].type;
      return g.fill(type.type, type.shape, 0);
    }
    int const outside = outer_->local(of, id);
    node const& k = outer_->g.nodes[outside];
    if (*k.op == constant_op && k.data == 1) return g.fill(k.type.type, k.type.shape, outer_->g.data[k.index]);
    return capture(outside);
  }
  constexpr int capture(int outside) {
    for (link const& l : captured_)
      if (l.outside == outside) return l.node;
    int const node = argument(outer_->g.nodes[outside].type);
    captured_.push({outside, node});
    return node;
  }
};

}  // namespace SINTER_ISA
}  // namespace sinter
