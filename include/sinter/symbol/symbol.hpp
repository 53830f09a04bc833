// SPDX-License-Identifier: Apache-2.0
// Symbols that the program composes while it runs: the same F, operators and blocks, of variables whose shapes may not be known yet. A symbol
// is an output of a node; nodes never change, so that symbols share them.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "../core/error.hpp"
#include "../core/index.hpp"
#include "../graph/print.hpp"
#include "../ops/all.hpp"
#include "../ops/rule.hpp"
#include "../run/value.hpp"
#include "keywords.hpp"

namespace sinter {

class symbol;

namespace sym::inline SINTER_ISA {

class array;
class results;
class executor;
struct forgotten_braces;
symbol group(std::vector<symbol> const& all);
// Integers alone would be an element.
template <class... I>
concept are_part_indices = sizeof...(I) > 0 && (is_index<I> && ...) && !(std::integral<I> && ...);
// What is said of variables, by their names. A dtype of none is the variable's own, or float32; so is a shape that is not known.
using types_by_name = std::map<std::string, array_type>;
using arrays_by_name = std::map<std::string, array>;
// Of all arguments and outputs, in the order of list_arguments() and list_outputs().
template <class What> struct of_all {
  std::vector<What> arguments, outputs;
};

// An operation as a file format has it: its name there and its attributes as text.
struct file_call {
  std::string_view format;
  std::string op;
  std::map<std::string, std::string> attributes;
  bool is_numpy = false;  // MXNet: in a graph of numpy shapes
};

// An operation and its keywords. The types of its operands come later, so that its attributes are a function of them.
struct called {
  op_info const* op = nullptr;
  keyword_values keywords;  // as the call gave them
  bool as_given = true;  // whether the keywords say it all
  std::function<words(operand_types)> attributes;
  int results = 1;
  int first_promoted = 0;  // the operands from here on share a dtype; -1: none do
  // Extents of an operand that follow from the others, those of weights for example.
  std::function<void(list<array_type>& in)> complete;
  // An operation that files have and F does not: its results, written with others when the types of its operands are known.
  std::function<std::vector<symbol>(std::vector<symbol> const& in, operand_types types)> definition;
  std::shared_ptr<file_call const> read;  // what stood in the file that it comes from
};

// What a call of a network leaves in its states, and the functions that control flow was given (control_flow.hpp).
struct assignments;
struct region;

// A variable, a number, or an operation of other symbols.
struct composed {
  std::string name;
  bool is_named = false;  // by the user or a file; else its name is that of its layer and its operation, or of this one and a number
  std::string layer;  // the path of the block that composed it, in the one that was called
  std::shared_ptr<called const> call;
  std::vector<symbol> in;
  std::map<std::string, std::string> attributes;  // what users note
  array_type type{dtype::none, unknown_dims};  // of a variable: what is known beforehand; of a number: its C++ type
  number value;
  bool is_number = false;
  // Of a variable that is a parameter of a block: its shape as far as it is known by now, and its values in a shape.
  std::function<dims()> known_shape;
  std::function<std::byte*(dims const&)> values;
  void const* who = nullptr;  // where it keeps them
  std::int64_t key = -1;  // of a variable for which a run draws a key for random numbers: these come in this order
  bool is_argument = false;  // a variable of a body of control flow
  std::uint64_t scope = 0;  // the body in which it was composed, or 0
  std::shared_ptr<region const> bodies;  // of control flow

  composed() = default;
  composed(composed const&) = default;
  composed& operator=(composed const&) = delete;
  ~composed();
  bool is_variable() const { return !call && !is_number && !is_argument && key < 0; }
};

}  // namespace sym::inline SINTER_ISA

// One or several outputs of composed operations.
//   symbol const x = sym::var("x"), y = sigmoid(x * 2) + 1;
//   y.eval({{"x", numbers}})                                        symbol/executor.hpp
class symbol {
 public:
  using untyped = void;

  SINTER_UNAVAILABLE("a branch cannot depend on a symbol; use F.where") SINTER_OWN explicit operator bool() const { return true; }
  // The part that indices choose, as of a tensor: y(all, range<1, 3>, 0, newaxis). Their numbers may be those of the running program.
  template <class... I>
    requires sym::are_part_indices<I...>
  SINTER_OWN symbol operator()(I const&... i) const;
  template <class... I>
  SINTER_UNAVAILABLE(
      "a symbol has no elements; y.eval({{\"x\", x}}) gives arrays, y(0, ellipsis) is a part of y, and y[1] its second output")
  SINTER_OWN float
  operator()(I const&...) const {
    return 0;
  }
  template <class T>
    requires requires { typename T::shape_type; }
  SINTER_UNAVAILABLE(
      "a symbol has no values; y.eval({{\"x\", x}})[0].as<nd::tensor<float, shape<2, 3>>>() is a tensor of those that it gets")
  SINTER_OWN
  operator T() const {
    return T{};
  }

  // Output i of a node.
  SINTER_OWN explicit symbol(std::shared_ptr<sym::composed> node, int i = 0) : outputs_{{std::move(node), i}} {}
  SINTER_OWN int outputs() const { return static_cast<int>(outputs_.size()); }
  SINTER_OWN symbol operator[](int i) const {
    if (i < 0 || i >= outputs())
      throw error("sinter: a symbol with " + std::to_string(outputs()) + (outputs() == 1 ? " output" : " outputs") + " has no output " +
                  std::to_string(i));
    symbol r;
    r.outputs_.push_back(outputs_[static_cast<std::size_t>(i)]);
    r.assigned_ = assigned_;
    return r;
  }
  // By its name in list_outputs(), with or without `_output`.
  SINTER_OWN symbol operator[](std::string_view name) const {
    int found = -1;
    for (int i = 0; i < outputs(); ++i) {
      if (name_of_output(i) != name && node(i).name != name) continue;
      if (found >= 0 && &node(i) != &node(found))
        throw error("sinter: two operations of this symbol are called `" + node(i).name + "`; named() gives one another name");
      if (found < 0) found = i;
    }
    if (found >= 0) return (*this)[found];
    throw error("sinter: no output of this symbol is called `" + std::string(name) +
                "`; list_outputs() tells their names, and get_internals() has the operations inside");
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
    if (name.empty()) throw error("sinter: an operation is called by a name of at least one letter");
    r.outputs_[0].node->name = std::move(name);
    r.outputs_[0].node->is_named = true;
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
  // MXNet's symbol JSON (symbol/json.hpp): what MXNet's load takes, as far as sinter has the operations. What is none is a file_error.
  template <class In = in_sinter> SINTER_OWN static symbol load_json(std::string_view text) {
    SINTER_RETURN_FROM("symbol/json.hpp", symbol_in_json(In{}, text, "symbol JSON"));
  }
  template <class In = in_sinter> SINTER_OWN static symbol load(std::string const& path) {
    SINTER_RETURN_FROM("symbol/json.hpp", symbol_in_file(In{}, path));
  }
  // The same way back: MXNet 1.9.1 loads it.
  template <class In = in_sinter> SINTER_OWN std::string tojson() const {
    SINTER_RETURN_FROM("symbol/json.hpp", json_of_symbol(In{}, *this));
  }
  template <class In = in_sinter> SINTER_OWN void save(std::string const& path) const {
    SINTER_CALL_FROM("symbol/json.hpp", save_symbol(In{}, *this, path));
  }
  // What follows from the shapes and dtypes of some variables for all others and the outputs; shapes that do not fit are a shape_error.
  SINTER_OWN sym::of_all<array_type> infer(sym::types_by_name const& given = {}) const;
  SINTER_OWN sym::of_all<dims> infer_shape(std::map<std::string, dims> const& given = {}) const;
  SINTER_OWN sym::of_all<dtype> infer_type(std::map<std::string, dtype> const& given = {}) const;
  // The graph that a compiled network of it has: to_string(graph), viz::to_dot(make_plan(graph)).
  SINTER_OWN graph graph_of(sym::types_by_name const& given = {}) const;
  // The values of the outputs; those of parameters are their own, unless they are among the arguments.
  SINTER_OWN sym::results eval(sym::arrays_by_name const& arguments) const;
  SINTER_OWN sym::results eval() const;
  // The same to be run again.
  SINTER_OWN sym::executor bind(sym::arrays_by_name const& arguments) const;
  SINTER_OWN sym::executor bind() const;
  SINTER_OWN sym::results eval(sym::forgotten_braces const&) const;
  SINTER_OWN sym::executor bind(sym::forgotten_braces const&) const;

  // The same, whose runs leave other values in states, too.
  SINTER_OWN symbol assigning(std::shared_ptr<sym::assignments const> all) const {
    symbol r = *this;
    r.assigned_.push_back(std::move(all));
    return r;
  }
  // What runs leave in states: also those of the networks that this one is composed of.
  SINTER_OWN std::vector<sym::assignments const*> assigned() const {
    std::vector<sym::assignments const*> r;
    walk(r);
    return r;
  }
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
  friend symbol sym::group(std::vector<symbol> const& all);
  using handle = std::shared_ptr<sym::composed>;
  struct output {
    handle node;
    int i = 0;
  };
  std::vector<output> outputs_;
  std::vector<std::shared_ptr<sym::assignments const>> assigned_;

  SINTER_OWN symbol() = default;
  SINTER_OWN std::string name_of_output(int i) const {
    sym::composed const& k = node(i);
    if (!k.call) return k.name;
    return k.name + "_output" + (k.call->results > 1 ? std::to_string(index(i)) : "");
  }
  SINTER_OWN symbol changed() const {
    static_cast<void>(name());
    symbol r(std::make_shared<sym::composed>(node(0)), index(0));
    r.assigned_ = assigned_;
    return r;
  }
  SINTER_OWN std::vector<handle> shared_nodes() const {
    std::vector<sym::assignments const*> assigned;
    return walk(assigned);
  }
  // Without recursion: a chain may be longer than a stack is deep. What is assigned comes behind the outputs.
  SINTER_OWN std::vector<handle> walk(std::vector<sym::assignments const*>& assigned) const;
};

namespace sym::inline SINTER_ISA {

// The values that a call of a network leaves in its states.
struct assignment {
  void const* who = nullptr;  // where the state keeps its values
  std::string name;
  array_type declared;
  symbol value;
  std::vector<dims> read;  // the shapes in which the network reads it afterwards
  std::function<sinter::executor::any_value&(dims const&)> state;  // throws where it has another shape
  std::function<void(dims const&, std::byte const*)> assign;
};
struct assignments {
  std::vector<assignment> all;
};

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

}  // namespace sym::inline SINTER_ISA

inline std::vector<symbol::handle> symbol::walk(std::vector<sym::assignments const*>& assigned) const {
  std::vector<handle> r;
  std::set<sym::composed const*> met;
  std::set<sym::assignments const*> known;
  std::vector<symbol const*> ends{this};
  auto const note = [&](symbol const& s) {
    for (auto const& a : s.assigned_)
      if (known.insert(a.get()).second) {
        assigned.push_back(a.get());
        for (sym::assignment const& one : a->all) ends.push_back(&one.value);
      }
  };
  struct visit {
    handle node;
    std::size_t next = 0;
  };
  for (std::size_t e = 0; e < ends.size(); ++e) {
    note(*ends[e]);
    for (std::size_t o = 0; o < ends[e]->outputs_.size(); ++o) {
      std::vector<visit> path;
      if (handle const& k = ends[e]->outputs_[o].node; met.insert(k.get()).second) path.push_back({k});
      while (!path.empty()) {
        visit& v = path.back();
        if (v.next == v.node->in.size()) {
          r.push_back(std::move(v.node));
          path.pop_back();
          continue;
        }
        symbol const& s = v.node->in[v.next++];
        note(s);
        if (handle const& k = s.outputs_[0].node; met.insert(k.get()).second) path.push_back({k});
      }
    }
  }
  return r;
}

namespace sym::inline SINTER_ISA {

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
inline void check_rank(std::string const& name, dims const& shape) {
  if (shape.rank < 0 && shape.d[0] > max_rank)
    throw shape_error("sinter: variable `" + name + "` has " + std::to_string(shape.d[0]) + " dimensions, and an array has at most " +
                      std::to_string(max_rank));
}
// A free variable. What is not said of its shape and dtype follows when the symbol is evaluated, also single extents, written -1; without a
// dtype it is float32.
inline symbol var(std::string name, dims const& shape = unknown_dims, dtype type = dtype::none) {
  check_rank(name, shape);
  if (name.empty()) throw error("sinter: a variable has a name, by which it is given values");
  auto k = std::make_shared<composed>();
  k->name = std::move(name);
  k->type = {type, with_unknown(shape)};
  return symbol(std::move(k));
}
// Several symbols as one, whose outputs come in this order.
inline symbol group(std::vector<symbol> const& all) {
  if (all.empty()) throw error("sinter: a group of no symbols has no outputs");
  symbol r;
  for (symbol const& s : all) {
    r.outputs_.insert(r.outputs_.end(), s.outputs_.begin(), s.outputs_.end());
    r.assigned_.insert(r.assigned_.end(), s.assigned_.begin(), s.assigned_.end());
  }
  return r;
}

}  // namespace sym::inline SINTER_ISA
}  // namespace sinter
