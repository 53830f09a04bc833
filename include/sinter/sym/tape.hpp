// SPDX-License-Identifier: Apache-2.0
// How a trace is written down.
#pragma once
#include "../graph/graph.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// What is wrong with a trace. Recorded, not thrown: the hybridized network turns it into one sentence.
// `refused`: the compiler has printed why.
enum class trace_error : std::int8_t { none, foreign_parameter, operands, refused };

class tape {
 public:
  graph g;
  trace_error wrong = trace_error::none;
  bool named = true;
  bool prints = false;  // whether the network calls F.print: with names, the graph says what
  span_of wrong_at;  // the path of the block where it went wrong

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
  constexpr int key() { return input(dtype::int64, dims{}, "key"); }
  // The model's parameters in the order of a visit; a parameter is known by its address.
  constexpr void declare(void const* who, std::string_view name) { known_.push({who, -1, g.intern(name)}); }
  // Blocks in the order of a visit, so that a block can say where it stands.
  // `type` tells a block from its own first member, which has the same address.
  constexpr void declare_block(void const* who, void const* type, std::string_view path) { blocks_.push({who, -1, g.intern(path), type}); }
  constexpr bool empty() const { return known_.empty() && blocks_.empty(); }

  constexpr int parameter(void const* who, dtype t, dims const& s) {
    for (int k = 0; k < known_.size(); ++k) {  // parameters are met in order, so the hint is nearly always right
      int const at = (hint_ + k) % known_.size();
      entry& e = known_[at];
      if (e.who != who) continue;
      hint_ = at + 1;
      if (e.node < 0) {
        node v;
        v.op = &parameter_op;
        v.type = {t, s};
        v.index = at;
        v.name = e.name;
        e.node = g.append(v);
      }
      return e.node;
    }
    fail(trace_error::foreign_parameter);
    node v;
    v.op = &parameter_op;
    v.type = {t, s};
    v.index = 0;
    return g.append(v);
  }
  constexpr void fail(trace_error e) {
    if (wrong != trace_error::none) return;
    wrong = e;
    wrong_at = g.scope;
  }
  // Enters a block; returns the scope to go back to.
  constexpr span_of enter(void const* block, void const* type) {
    span_of const before = g.scope;
    if (!named) return before;
    for (int k = 0; k < blocks_.size(); ++k) {
      int const at = (block_hint_ + k) % blocks_.size();
      if (blocks_[at].type != type || blocks_[at].who != block) continue;
      block_hint_ = at + 1;
      g.scope = blocks_[at].name;
      break;
    }
    return before;
  }
  constexpr void leave(span_of before) { g.scope = before; }
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
  };
  list<entry> known_, blocks_;
  one_of_each nowhere_;
  int hint_ = 0, block_hint_ = 0;
};

}  // namespace SINTER_ISA
}  // namespace sinter
