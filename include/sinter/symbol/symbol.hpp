// SPDX-License-Identifier: Apache-2.0
// Symbols that the program composes while it runs: the same F, operators and blocks, of variables whose shapes may not be known yet. A symbol
// is an output of a node; nodes never change, so that symbols share them.
#pragma once
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "../core/error.hpp"
#include "../graph/print.hpp"
#include "../ops/all.hpp"
#include "../ops/rule.hpp"

namespace sinter {

class symbol;

namespace sym::inline SINTER_ISA {

class array;
class executor;
// What is said of variables, by their names. A dtype of none is the variable's own, or float32; so is a shape that is not known.
using types_by_name = std::map<std::string, array_type>;
using arrays_by_name = std::map<std::string, array>;
// Of all arguments and outputs, in the order of list_arguments() and list_outputs().
template <class What> struct of_all {
  std::vector<What> arguments, outputs;
};

// An operation and its keywords. The types of its operands come later, so that its attributes are a function of them.
struct called {
  op_info const* op = nullptr;
  std::function<words(operand_types)> attributes;
  int results = 1;
  int first_promoted = 0;  // the operands from here on share a dtype; -1: none do
  // Extents of an operand that follow from the others, those of weights for example.
  std::function<void(list<array_type>& in)> complete;
};

// A variable, a number, or an operation of other symbols.
struct composed {
  std::string name;
  std::shared_ptr<called const> call;
  std::vector<symbol> in;
  std::map<std::string, std::string> attributes;  // what users note
  array_type type{dtype::none, unknown_dims};  // of a variable: what is known beforehand; of a number: its C++ type
  number value;
  bool is_number = false;
  // Of a variable that is a parameter of a block: who it is, its shape as far as it is known by now, and its values in a shape.
  void const* parameter = nullptr;
  std::function<dims()> known_shape;
  std::function<std::byte*(dims const&)> values;

  composed() = default;
  composed(composed const&) = default;
  composed& operator=(composed const&) = delete;
  ~composed();
  bool is_variable() const { return !call && !is_number; }
};

}  // namespace sym::inline SINTER_ISA

// One or several outputs of composed operations.
//   symbol const x = sym::var("x"), y = sigmoid(x * 2) + 1;
//   y.eval({{"x", numbers}})                                        symbol/executor.hpp
class symbol {
 public:
  using untyped = void;

  SINTER_UNAVAILABLE("a branch cannot depend on a symbol; use F.where") SINTER_OWN explicit operator bool() const { return true; }

  // Output i of a node.
  SINTER_OWN explicit symbol(std::shared_ptr<sym::composed> node, int i = 0) : outputs_{{std::move(node), i}} {}
  // Several symbols as one, whose outputs come in this order.
  SINTER_OWN static symbol group(std::vector<symbol> const& all) {
    if (all.empty()) throw error("sinter: a group of no symbols has no outputs");
    symbol r;
    for (symbol const& s : all) r.outputs_.insert(r.outputs_.end(), s.outputs_.begin(), s.outputs_.end());
    return r;
  }
  SINTER_OWN int outputs() const { return static_cast<int>(outputs_.size()); }
  SINTER_OWN symbol operator[](int i) const {
    if (i < 0 || i >= outputs())
      throw error("sinter: a symbol with " + std::to_string(outputs()) + " outputs has no output " + std::to_string(i));
    symbol r;
    r.outputs_.push_back(outputs_[static_cast<std::size_t>(i)]);
    return r;
  }
  // By its name in list_outputs(), with or without `_output`.
  SINTER_OWN symbol operator[](std::string_view name) const {
    for (int i = 0; i < outputs(); ++i)
      if (name_of_output(i) == name || node(i).name == name) return (*this)[i];
    throw error("sinter: no output of this symbol is called `" + std::string(name) + "`; list_outputs() tells their names");
  }
  SINTER_OWN std::string const& name() const {
    if (outputs() != 1)
      throw error("sinter: a symbol with " + std::to_string(outputs()) + " outputs has no name; s[0] is the first of them");
    return node(0).name;
  }
  // A symbol never changes, so it is its own copy.
  SINTER_OWN symbol copy() const { return *this; }
  SINTER_OWN symbol contiguous() const { return *this; }
  // The same under another name.
  [[nodiscard]] SINTER_OWN symbol named(std::string name) const {
    symbol r = changed();
    r.outputs_[0].node->name = std::move(name);
    return r;
  }
  // What users note at a node; empty if there is nothing.
  SINTER_OWN std::string attr(std::string const& key) const {
    static_cast<void>(name());
    auto const& all = node(0).attributes;
    auto const at = all.find(key);
    return at == all.end() ? "" : at->second;
  }
  [[nodiscard]] SINTER_OWN symbol with_attr(std::string const& key, std::string value) const {
    symbol r = changed();
    r.outputs_[0].node->attributes[key] = std::move(value);
    return r;
  }
  // The names of the variables that the outputs depend on, parameters of blocks among them, each before its first use.
  SINTER_OWN std::vector<std::string> list_arguments() const {
    std::vector<std::string> r;
    for (sym::composed const* k : nodes())
      if (k->is_variable()) r.push_back(k->name);
    return r;
  }
  SINTER_OWN std::vector<std::string> list_outputs() const {
    std::vector<std::string> r;
    r.reserve(outputs_.size());
    for (int i = 0; i < outputs(); ++i) r.push_back(name_of_output(i));
    return r;
  }
  // All that was computed on the way, as outputs: y.get_internals()["relu0"].
  SINTER_OWN symbol get_internals() const {
    symbol r;
    for (auto const& node : shared_nodes())
      for (int i = 0; !node->is_number && i < (node->call ? node->call->results : 1); ++i) r.outputs_.push_back({node, i});
    return r;
  }
  // What follows from the shapes and dtypes of some variables for all others and the outputs; shapes that do not fit are a shape_error.
  SINTER_OWN sym::of_all<array_type> infer(sym::types_by_name const& given = {}) const;
  SINTER_OWN sym::of_all<dims> infer_shape(std::map<std::string, dims> const& given = {}) const;
  SINTER_OWN sym::of_all<dtype> infer_type(std::map<std::string, dtype> const& given = {}) const;
  // The graph that a compiled network of it has: to_string(graph), viz::to_dot(make_plan(graph)).
  SINTER_OWN graph graph_of(sym::types_by_name const& given = {}) const;
  // The values of the outputs; those of parameters are their own, unless they are among the arguments.
  SINTER_OWN std::vector<sym::array> eval(sym::arrays_by_name const& arguments) const;
  SINTER_OWN std::vector<sym::array> eval() const;
  // The same to be run again.
  SINTER_OWN sym::executor bind(sym::arrays_by_name const& arguments) const;
  SINTER_OWN sym::executor bind() const;

  // All nodes, operands first.
  SINTER_OWN std::vector<sym::composed const*> nodes() const {
    std::vector<sym::composed const*> r;
    for (auto const& k : shared_nodes()) r.push_back(k.get());
    return r;
  }
  SINTER_OWN sym::composed const& node(int i) const { return *outputs_[static_cast<std::size_t>(i)].node; }
  SINTER_OWN int index(int i) const { return outputs_[static_cast<std::size_t>(i)].i; }

 private:
  friend struct sym::composed;
  using handle = std::shared_ptr<sym::composed>;
  struct output {
    handle node;
    int i = 0;
  };
  std::vector<output> outputs_;

  SINTER_OWN symbol() = default;
  SINTER_OWN std::string name_of_output(int i) const {
    sym::composed const& k = node(i);
    if (!k.call) return k.name;
    return k.name + "_output" + (k.call->results > 1 ? std::to_string(index(i)) : "");
  }
  SINTER_OWN symbol changed() const {
    static_cast<void>(name());
    return symbol(std::make_shared<sym::composed>(node(0)), index(0));
  }
  // Without recursion: a chain may be longer than a stack is deep.
  SINTER_OWN std::vector<handle> shared_nodes() const {
    std::vector<handle> r;
    std::set<sym::composed const*> met;
    struct visit {
      handle node;
      std::size_t next = 0;
    };
    for (output const& o : outputs_) {
      std::vector<visit> path;
      if (met.insert(o.node.get()).second) path.push_back({o.node});
      while (!path.empty()) {
        visit& v = path.back();
        if (v.next == v.node->in.size()) {
          r.push_back(std::move(v.node));
          path.pop_back();
        } else if (handle const& k = v.node->in[v.next++].outputs_[0].node; met.insert(k.get()).second) path.push_back({k});
      }
    }
    return r;
  }
};

namespace sym::inline SINTER_ISA {

inline composed::~composed() {
  std::vector<symbol> rest = std::move(in);
  while (!rest.empty()) {
    symbol const s = std::move(rest.back());
    rest.pop_back();
    if (s.outputs_.empty() || s.outputs_[0].node.use_count() > 1) continue;
    std::vector<symbol>& inner = s.outputs_[0].node->in;
    for (symbol& k : inner) rest.push_back(std::move(k));
    inner.clear();
  }
}

// A name for an operation: relu0, relu1, ... in each thread.
inline std::string fresh_name(std::string_view op) {
  static thread_local std::map<std::string, int, std::less<>> used;
  return std::string(op) + std::to_string(used[std::string(op)]++);
}

// -1 for an extent that is not known, as NumPy has it.
constexpr dims with_unknown(dims s) {
  for (int i = 0; i < s.rank; ++i)
    if (s.d[i] == -1) s.d[i] = unknown_extent;
  return s;
}
// A free variable. What is not said of its shape and dtype follows when the symbol is evaluated, also single extents, written -1; without a
// dtype it is float32.
inline symbol var(std::string name, dims const& shape = unknown_dims, dtype type = dtype::none) {
  auto k = std::make_shared<composed>();
  k->name = std::move(name);
  k->type = {type, with_unknown(shape)};
  return symbol(std::move(k));
}
inline symbol group(std::vector<symbol> const& all) { return symbol::group(all); }

// The parameters of the blocks that are called with symbols, while the outermost of them is: each is one variable, named as in files.
struct naming {
  std::map<void const*, std::string> names;
  std::map<void const*, symbol> variables;
};
inline thread_local naming* names_now = nullptr;
class names_of_block {
 public:
  // visit(note) calls note(parameter, name) for each parameter of the block.
  explicit names_of_block(auto const& visit) {
    if (names_now) return;
    visit([&](auto const& p, std::string_view name) { mine_.names.emplace(&p, name); });
    names_now = &mine_;
  }
  names_of_block(names_of_block const&) = delete;
  names_of_block& operator=(names_of_block const&) = delete;
  ~names_of_block() {
    if (names_now == &mine_) names_now = nullptr;
  }

 private:
  naming mine_;
};

template <class Op, class... A> inline constexpr ops::given_to<Op> given_in = ops::keywords_given<Op, A...>();
template <class Op, class... A> std::shared_ptr<called const> call_of() {
  static auto const all = [] {
    auto r = std::make_shared<called>();
    r->op = &ops::info<Op>;
    r->attributes = [](operand_types in) { return pack(ops::attributes_for<Op>(given_in<Op, A...>, in)); };
    r->results = ops::results_of<Op>(given_in<Op, A...>);
    r->first_promoted = ops::promotes<Op>() ? ops::first_promoted<Op>() : -1;
    if constexpr (requires(list<array_type>& in, ops::attributes_of<Op> const& a) { Op::complete(in, a); })
      r->complete = [](list<array_type>& in) { Op::complete(in, ops::attributes_for<Op>(given_in<Op, A...>, {in.data(), in.size()})); };
    return r;
  }();
  return all;
}

// The F of symbols.
struct composing : ops::all_members<composing> {
  template <class Op, class... A>
  static constexpr bool fits = ((ops::is_keyword<A> || ops::is_untyped<A> || std::is_arithmetic_v<A>) && ...);

  template <class Op, class... A> auto operator()(Op, A const&... a) const { return call<Op>(a...); }
  template <class Op, class... A> auto call(A const&... a) const {
    static_assert(!ops::wants_arrays<Op>() || !(std::is_arithmetic_v<A> || ...), "sinter: " SINTER_SAY_WANTS_ARRAY);
    auto k = std::make_shared<composed>();
    k->name = fresh_name(Op::name);
    k->call = call_of<Op, A...>();
    (add_operand(*k, a), ...);
    if constexpr (!ops::has_several<Op>) return symbol(std::move(k));
    else
      return [&]<int... I>(std::integer_sequence<int, I...>) {
        return std::tuple{symbol(k, I)...};
      }(std::make_integer_sequence<int, ops::results_of<Op>(ops::keywords_given<Op, A...>())>{});
  }
  template <class Op, class... A> auto refused() const { return ops::for_each_result<Op, A...>(var("refused")); }
  // For the time of a block's call: see names_of_block.
  auto names_of(auto const& visit) const { return names_of_block(visit); }
  // A parameter of a block, in a shape of which some extents may be unknown.
  template <class P> symbol variable(P const& p, dims const& shape) const {
    void const* const who = &p.storage();
    if (names_now)
      if (auto const at = names_now->variables.find(who); at != names_now->variables.end() && at->second.node(0).type.shape == shape)
        return at->second;
    auto k = std::make_shared<composed>();
    k->type = {dtype_of<typename P::value_type>, shape};
    k->parameter = who;
    k->known_shape = [p] { return p.shape(); };
    k->values = [p](dims const& s) { return reinterpret_cast<std::byte*>(p.use(s)); };
    symbol r(std::move(k));
    if (!names_now) return r.named("parameter");
    auto const name = names_now->names.find(&p);
    r = r.named(name == names_now->names.end() ? "parameter" : name->second);
    names_now->variables.emplace(who, r);
    return r;
  }
  // Which symbol it is; its values are there when it is evaluated.
  void print(char const* label, symbol const& x) const { std::cout << label << " symbol " << x.name() << "\n"; }

 private:
  static void add_operand(composed& k, auto const& a) {
    if constexpr (ops::is_untyped<std::remove_cvref_t<decltype(a)>>) {
      static_cast<void>(a.name());  // one output
      k.in.push_back(a);
    } else if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(a)>>) {
      auto n = std::make_shared<composed>();
      n->is_number = true;
      n->type = ops::arg_of<std::remove_cvref_t<decltype(a)>>::type::type;
      n->value = number(a);
      k.in.push_back(symbol(std::move(n)));
    } else static_assert(ops::is_keyword<std::remove_cvref_t<decltype(a)>>);
  }
};
// Control flow runs functions of tensors.
template <class... A> symbol foreach_in(composing const&, A const&...) {
  static_assert(sizeof...(A) == 0, "sinter: F.foreach takes tensors, and no symbols of a running program yet");
  return var("refused");
}
template <int Most, class... A> symbol while_in(composing const&, A const&...) {
  static_assert(sizeof...(A) == 0, "sinter: F.while_loop takes tensors, and no symbols of a running program yet");
  return var("refused");
}
template <class... A> symbol cond_in(composing const&, A const&...) {
  static_assert(sizeof...(A) == 0, "sinter: F.cond takes tensors, and no symbols of a running program yet; F.where takes them");
  return var("refused");
}

// A line for each variable and operation, and the outputs.
inline std::ostream& write(std::ostream& out, symbol const& s) {
  auto const name_in = [](symbol const& x) {
    composed const& k = x.node(0);
    if (k.is_number) return std::string(k.value.is_whole ? in_digits(k.value.whole).view() : in_words(k.value.real).view());
    return k.name + (k.call && k.call->results > 1 ? "[" + std::to_string(x.index(0)) + "]" : "");
  };
  for (composed const* k : s.nodes()) {
    if (k->is_number) continue;
    out << k->name;
    if (k->is_variable()) {
      if (k->type.shape.rank >= 0) out << " " << to_string(k->type.shape);
      if (k->type.type != dtype::none) out << " " << name_of(k->type.type);
    } else {
      out << " = " << k->call->op->name << "(";
      for (std::size_t i = 0; i < k->in.size(); ++i) out << (i ? ", " : "") << name_in(k->in[i]);
      out << ")";
    }
    out << "\n";
  }
  out << "outputs:";
  for (std::string const& name : s.list_outputs()) out << " " << name;
  return out << "\n";
}
}  // namespace sym::inline SINTER_ISA

inline namespace SINTER_ISA {
constexpr sym::composing space_of(symbol const&) { return {}; }
inline std::ostream& operator<<(std::ostream& out, symbol const& s) { return sym::write(out, s); }
}  // namespace SINTER_ISA

}  // namespace sinter
