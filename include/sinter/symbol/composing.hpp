// SPDX-License-Identifier: Apache-2.0
// The F of symbols: what it is called with becomes a node, with the parameters of the blocks that are called with symbols as variables.
#pragma once
#include <iostream>

#include "../core/parts.hpp"
#include "../nn/parameter.hpp"
#include "symbol.hpp"

namespace sinter {
namespace sym::inline SINTER_ISA {

// The body of control flow that is being composed, or 0.
inline thread_local std::uint64_t scope_now = 0;

// The blocks that are called with symbols, while the outermost of them is. Each parameter is one variable, named as in files.
struct naming {
  std::map<void const*, std::string> names;
  std::map<std::pair<void const*, void const*>, std::string> blocks;  // by address and type_tag
  std::string layer;  // the path of the block that is called now
  std::map<std::string, int> used;  // names of operations in layers
  std::map<void const*, symbol> variables;
  std::shared_ptr<assignments> assigned = std::make_shared<assignments>();
};
inline thread_local naming* names_now = nullptr;
class names_of_block {
 public:
  // visit(note, enter) calls note(parameter, name) for each parameter and enter(address, type_tag, path) for each block of `block`.
  names_of_block(void const* block, void const* type, auto const& visit) {
    if (names_now) {
      before_ = names_now->layer;
      if (auto const at = names_now->blocks.find({block, type}); at != names_now->blocks.end()) names_now->layer = at->second;
      return;
    }
    visit([&](auto const& p, std::string_view name) { mine_.names.emplace(&p, name); },
          [&](void const* b, void const* t, std::string_view path) { mine_.blocks.emplace(std::pair(b, t), path); });
    names_now = &mine_;
  }
  names_of_block(names_of_block const&) = delete;
  names_of_block& operator=(names_of_block const&) = delete;
  ~names_of_block() {
    if (names_now == &mine_) names_now = nullptr;
    else if (names_now) names_now->layer = std::move(before_);
  }
  // The results of the block's call know what it assigned.
  void finish(auto& results) const {
    if (names_now == &mine_ && !mine_.assigned->all.empty())
      results = map_parts(results, [&]<class Y>(Y const& y) {
        if constexpr (ops::is_untyped<Y>) return Y(y.assigning(mine_.assigned));
        else return y;
      });
  }

 private:
  naming mine_;
  std::string before_;  // the layer
};
// Notes where an operation is composed, and names it: hidden.fully_connected, hidden.add, hidden.add_1 in layers, elsewhere relu0, relu1, ...
inline void place_operation(composed& k, std::string_view op) {
  k.scope = scope_now;
  if (!names_now || names_now->layer.empty()) {
    k.name = fresh_name(op);
    return;
  }
  k.layer = names_now->layer;
  k.name = k.layer + "." + std::string(op);
  if (int const before = names_now->used[k.name]++; before > 0) k.name += "_" + std::to_string(before);
}

template <class Op, class... A> inline constexpr ops::given_to<Op> given_in = ops::keywords_given<Op, A...>();
template <class Op, class... A> std::shared_ptr<called const> call_of() {
  static auto const all = [] {
    auto r = std::make_shared<called>();
    r->op = &ops::info<Op>;
    r->as_given = note_keywords(r->keywords, ops::keywords_of<Op>{}, given_in<Op, A...>);
    r->attributes = [](operand_types in) { return pack(ops::attributes_for<Op>(given_in<Op, A...>, in)); };
    r->results = ops::results_of<Op>(given_in<Op, A...>);
    r->first_promoted = ops::promotes<Op>() ? ops::first_promoted<Op>() : -1;
    if constexpr (requires(list<array_type>& in, ops::attributes_of<Op> const& a) { Op::complete(in, a); })
      r->complete = [](list<array_type>& in) { Op::complete(in, ops::attributes_for<Op>(given_in<Op, A...>, {in.data(), in.size()})); };
    return r;
  }();
  return all;
}

// A plain number as an operand: it takes the dtype of the arrays beside it.
symbol number_symbol(auto v) {
  auto n = std::make_shared<composed>();
  n->is_number = true;
  n->type = ops::arg_of<decltype(v)>::type::type;
  n->value = number(v);
  return symbol(std::move(n));
}

// The F of symbols.
struct composing : ops::all_members<composing> {
  template <class Op, class... A>
  static constexpr bool fits = ((ops::is_keyword<A> || ops::is_untyped<A> || std::is_arithmetic_v<A>) && ...);

  template <class Op, class... A> auto operator()(Op, A const&... a) const { return call<Op>(a...); }
  template <class Op, class... A> auto call(A const&... a) const {
    static_assert(!ops::wants_arrays<Op>() || !(std::is_arithmetic_v<A> || ...), "sinter: " SINTER_SAY_WANTS_ARRAY);
    auto k = std::make_shared<composed>();
    place_operation(*k, ops::op_name<Op>);
    k->call = call_of<Op, A...>();
    (add_operand(*k, a), ...);
    if constexpr (!ops::has_several<Op>) return symbol(std::move(k));
    else
      return [&]<int... I>(std::integer_sequence<int, I...>) {
        return std::tuple{symbol(k, I)...};
      }(std::make_integer_sequence<int, ops::results_of<Op>(ops::keywords_given<Op, A...>())>{});
  }
  template <class Op, class... A> auto refused() const { return ops::for_each_result<Op, A...>(sym::var("refused")); }
  // For the time of a block's call: see names_of_block.
  auto names_of(void const* block, void const* type, auto const& visit) const { return names_of_block(block, type, visit); }
  // A parameter of a block, in a shape of which some extents may be unknown.
  template <class P> symbol variable(P const& p, dims const& shape) const {
    void const* const who = &p.storage();
    if (names_now) {
      for (assignment& a : names_now->assigned->all)
        if (a.who == who) return a.read.push_back(shape), a.value;
      if (auto const at = names_now->variables.find(who); at != names_now->variables.end() && at->second.node(0).type.shape == shape)
        return at->second;
    }
    auto k = std::make_shared<composed>();
    k->type = {dtype_of<typename P::value_type>, shape};
    k->known_shape = [p] { return p.shape(); };
    k->values = [p](dims const& s) {
      p.value_in(s).watch();
      return reinterpret_cast<std::byte*>(p.use(s));
    };
    k->who = who;
    symbol r(std::move(k));
    if (!names_now) return r.named("parameter");
    auto const name = names_now->names.find(&p);
    r = r.named(name == names_now->names.end() ? "parameter" : name->second);
    names_now->variables.emplace(who, r);
    return r;
  }
  // Gives a state of a block the values that `value` has when a run is done.
  template <class P> void assign_later(P const& p, symbol const& value) const {
    static_cast<void>(value.name());  // one output
    if (scope_now != 0)
      throw error(
          "sinter: this network assigns a state in the function of a foreach, while_loop or cond; return the value, and assign it behind "
          "the loop");
    using T = typename P::value_type;
    void const* const who = &p.storage();
    std::vector<assignment>& all = names_now->assigned->all;
    for (assignment& a : all)
      if (a.who == who) return static_cast<void>(a.value = value);
    auto const name = names_now->names.find(static_cast<nn::parameter_of<T> const*>(&p));
    all.push_back({who,
                   name == names_now->names.end() ? "state" : name->second,
                   {dtype_of<T>, p.shape().rank < 0 ? P::declared_shape::value : p.shape()},
                   value,
                   {},
                   [p](dims const& s) -> sinter::executor::any_value& { return p.value_in(s); },
                   [p](dims const& s, std::byte const* from) { p.assign(s, reinterpret_cast<T const*>(from)); }});
  }
  // A key for random numbers, which each run draws.
  symbol key() const {
    static thread_local std::int64_t drawn = 0;
    if (scope_now != 0)
      throw error(
          "sinter: this network draws random numbers in the function of a foreach, while_loop or cond; draw them outside, for all turns");
    auto k = std::make_shared<composed>();
    k->name = fresh_name("key");
    k->type = {dtype::int64, dims{}};
    k->key = drawn++;
    return symbol(std::move(k));
  }
  // Which symbol it is; its values are there when it is evaluated.
  void print(char const* label, symbol const& x) const { std::cout << label << " symbol " << x.name() << "\n"; }

 private:
  static void add_operand(composed& k, auto const& a) {
    if constexpr (ops::is_untyped<std::remove_cvref_t<decltype(a)>>) {
      static_cast<void>(a.name());  // one output
      k.in.push_back(a);
    } else if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(a)>>) {
      k.in.push_back(number_symbol(a));
    } else static_assert(ops::is_keyword<std::remove_cvref_t<decltype(a)>>);
  }
};

}  // namespace sym::inline SINTER_ISA

inline namespace SINTER_ISA {
constexpr sym::composing space_of(symbol const&) { return {}; }
}  // namespace SINTER_ISA

}  // namespace sinter
