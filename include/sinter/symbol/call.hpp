// SPDX-License-Identifier: Apache-2.0
// Calls whose operations the program knows while it runs, as one that reads a file does:
//   symbol const y = sym::call("sum", {x}, {{"axis", int_list{1}}, {"keepdims", true}}, "total")[0];
// They are composed as those of F, and refused for the same reasons; what F checks while it compiles is an error here.
#pragma once
#include <algorithm>

#include "composing.hpp"

namespace sinter::sym::inline SINTER_ISA {

using symbols = std::vector<symbol>;

// An operation that can be called by its name.
struct callable {
  op_info const* op = nullptr;
  std::string_view usage;  // a correct call
  bool wants_arrays = false;  // no operand may be a plain number
  std::shared_ptr<called> (*call)(keyword_values const& keywords, std::string const& name) = nullptr;
};

template <class Op> std::shared_ptr<called> called_with(keyword_values const& keywords, std::string const& name) {
  auto r = std::make_shared<called>();
  auto const k = keywords_reader<Op>::read(keywords, name);
  r->op = &ops::info<Op>;
  r->keywords = keywords;
  r->attributes = [k](operand_types in) { return pack(ops::attributes_for<Op>(k, in)); };
  r->results = ops::results_of<Op>(k);
  r->first_promoted = ops::promotes<Op>() ? ops::first_promoted<Op>() : -1;
  if constexpr (requires(list<array_type>& in, ops::attributes_of<Op> const& a) { Op::complete(in, a); })
    r->complete = [k](list<array_type>& in) { Op::complete(in, ops::attributes_for<Op>(k, {in.data(), in.size()})); };
  return r;
}
template <class Op> callable callable_of() {
  std::string_view usage = ops::op_name<Op>;
  if constexpr (requires { ops::function<Op>::usage; }) usage = ops::function<Op>::usage;
  return {&ops::info<Op>, usage, ops::wants_arrays<Op>(), &called_with<Op>};
}

// Every operation of F, in the order of the letters.
inline std::vector<callable> const& callables() {
  static auto const all = []<class... Op>(ops::list_of<Op...>) {
    std::vector<callable> r{callable_of<Op>()...};
    std::sort(r.begin(), r.end(), [](callable const& a, callable const& b) { return a.op->name < b.op->name; });
    return r;
  }(ops::all_ops{});
  return all;
}
// Null where F has none of that name.
inline callable const* find_callable(std::string_view name) {
  auto const& all = callables();
  auto const at = std::lower_bound(all.begin(), all.end(), name, [](callable const& a, std::string_view n) { return a.op->name < n; });
  return at == all.end() || at->op->name != name ? nullptr : &*at;
}

// The results of a call, a symbol each. Operands are symbols with one output each. Without a name it gets one of its own.
inline symbols compose(std::shared_ptr<called const> call, symbols const& operands, std::string name) {
  auto k = std::make_shared<composed>();
  place_operation(*k, call->op->name);
  k->is_named = !name.empty();
  if (k->is_named) k->name = std::move(name);
  for (symbol const& s : operands) {
    static_cast<void>(s.name());  // one output
    k->in.push_back(s);
  }
  int const n = call->results;
  k->call = std::move(call);
  symbols r;
  for (int i = 0; i < n; ++i) r.emplace_back(k, i);
  return r;
}

inline constexpr int most_results = 1 << 16;
// What a call of this operation is, behind the checks that F makes while it compiles.
inline std::shared_ptr<called> called_for(callable const& f, symbols const& operands, keyword_values const& keywords, std::string name) {
  if (name.empty()) name = f.op->name;
  auto const refuse = [&](std::string const& why) { throw error("sinter: " + name + ": " + why + "; call it as " + std::string(f.usage)); };
  if (!f.op->arity.holds(static_cast<int>(operands.size()))) refuse(std::to_string(operands.size()) + " are too many or too few operands");
  bool const numbers = std::any_of(operands.begin(), operands.end(), [](symbol const& s) { return s.outputs() && s.node(0).is_number; });
  if (f.wants_arrays && numbers) refuse(SINTER_SAY_WANTS_ARRAY);
  auto made = f.call(keywords, name);
  if (made->results > most_results) refuse(std::to_string(made->results) + " are too many results");
  return made;
}
// The operation of F that has this name; an error about the node `name` where there is none.
inline callable const& callable_named(std::string_view op, std::string const& name) {
  if (callable const* const f = find_callable(op)) return *f;
  throw error("sinter: " + (name.empty() ? "a call" : name) + ": sinter has no operation `" + std::string(op) + "`");
}
inline symbols call(std::string_view op, symbols const& operands, keyword_values const& keywords = {}, std::string name = {}) {
  auto made = called_for(callable_named(op, name), operands, keywords, name);
  return compose(std::move(made), operands, std::move(name));
}

}  // namespace sinter::sym::inline SINTER_ISA
