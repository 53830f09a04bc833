// SPDX-License-Identifier: Apache-2.0
// Composes symbols whose types are known at once: what ONNX's operators do depends on shapes, and on elements that stand for shapes.
#pragma once
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../symbol/call.hpp"
#include "../symbol/held.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

// A value of the model: its symbol, and its dtype and shape, which is of numbers alone.
struct term {
  symbol s;
  array_type type;
  int rank() const { return type.shape.rank; }
  extent operator[](int i) const { return type.shape.d[i]; }
};
using terms = std::vector<term>;
using keywords = sym::keyword_values;

inline std::string in_words(array_type const& t) { return std::string(sinter::name_of(t.type)) + " " + to_string(t.shape); }

// An error that names the file and the node.
struct names_node {};
template <class Error> struct node_error : Error, names_node {
  explicit node_error(std::string const& sentence) : Error(sentence) {}
};

class composer {
 public:
  // The values of the model's inputs, and the file that errors name.
  composer(sym::arrays_by_name const& inputs, std::string const& file) : inputs_(inputs), file_(file) {}

  // The results of an operation of F. What its operands do not fit is an error that names the node.
  terms results(std::string_view op, terms const& in, keywords const& k = {}) {
    sym::symbols operands;
    list<array_type> types;
    for (term const& t : in) operands.push_back(t.s), types.push(t.type);
    auto const checked = sym::called_for(sym::callable_named(op, {}), operands, k, {});
    sym::symbols const made = sym::compose(checked, operands, name_);
    sym::called const& c = *checked;
    words const attributes = c.attributes({types.data(), types.size()});
    dimension_table t;
    inferred const r = c.op->infer({types.data(), types.size()}, attributes.data(), t);
    if (r.what != problem::none) refuse(op, types, r.what);
    terms all;
    for (int i = 0; i < c.results; ++i)
      all.push_back(
          {made[static_cast<std::size_t>(i)], i == 0 ? r.type : c.op->result(i, {types.data(), types.size()}, attributes.data(), r.type)});
    for (term const& result : all) note_size(op, result.type);
    return all;
  }
  term call(std::string_view op, terms const& in, keywords const& k = {}) { return results(op, in, k)[0]; }

  term input(std::string const& name) {
    sym::array const& a = inputs_.at(name);
    return {sym::var(name, a.shape(), a.type()), {a.type(), a.shape()}};
  }
  // Elements that are known; `name` is what it is called as a parameter, if no input of the model is called so: inner graphs may use its name.
  term constant(sym::array const& a, std::string name) {
    if (inputs_.contains(name)) name = sym::fresh_name(name);
    term r{sym::held(std::move(name), a), {a.type(), a.shape()}};
    known_.insert_or_assign(key_of(r), std::pair(r, a));
    return r;
  }
  term constant(std::vector<std::int64_t> const& v) {
    sym::array a(dtype::int64, {static_cast<extent>(v.size())});
    std::copy(v.begin(), v.end(), reinterpret_cast<std::int64_t*>(a.data()));
    return constant(a, sym::fresh_name("constant"));
  }
  // A number, of rank 0 or of a shape.
  template <class V> term number_of(dtype type, V v, dims const& shape = {}) {
    ops::number_list n;
    n.at[n.n++] = number(v);
    return call("full", {}, {{"into", shape}, {"values", n}, {"as", type}});
  }

  // The elements, computed now. Those of the model's inputs that they depend on are noted: what is composed holds for these alone.
  sym::array elements(term const& t) {
    if (auto const at = known_.find(key_of(t)); at != known_.end()) return at->second.second;
    sym::arrays_by_name given;
    for (std::string const& name : t.s.list_arguments())
      if (auto const at = inputs_.find(name); at != inputs_.end()) given.insert(*at), read_.insert(name);
    sym::array const r = t.s.eval(given)[0];
    known_.insert_or_assign(key_of(t), std::pair(t, r));
    return r;
  }
  // Whether its elements are those of the file, or were computed before.
  bool is_constant(term const& t) const { return known_.contains(key_of(t)); }
  std::set<std::string> const& read() const { return read_; }

  // The node that is composed now: its name, and what errors call it.
  void begin(std::string name, std::string described) { name_ = std::move(name), described_ = std::move(described); }
  template <class Error = shape_error> [[noreturn]] void fail(std::string const& reason) const {
    throw node_error<Error>("sinter: " + file_ + ": " + described_ + ": " + reason);
  }
  std::string const& file() const { return file_; }
  // The largest array so far, in words: for errors where memory is short.
  std::string const& largest() const { return largest_; }

 private:
  sym::arrays_by_name const& inputs_;
  std::map<std::pair<sym::composed const*, int>, std::pair<term, sym::array>> known_;
  std::set<std::string> read_;
  std::string const& file_;
  std::string name_, described_, largest_;
  std::int64_t most_bytes_ = 0;

  static std::pair<sym::composed const*, int> key_of(term const& t) { return {&t.s.node(0), t.s.index(0)}; }
  void note_size(std::string_view op, array_type const& t) {
    if (!t.shape.fixed() || !is_countable(t.shape)) fail(std::string(op) + " gives an array of too many elements");
    std::int64_t const size = t.shape.size() * bytes_of(t.type);
    if (size <= most_bytes_) return;
    most_bytes_ = size;
    largest_ = "its largest array, of " + described_ + ", is " + in_words(t) + " and has " + std::to_string(t.shape.size()) + " elements";
  }
  [[noreturn]] void refuse(std::string_view op, list<array_type> const& types, problem what) const {
    std::string of;
    for (array_type const& t : types) of += (of.empty() ? "" : ", ") + in_words(t);
    fail(std::string(op) + " of " + of + ": " + std::string(sentence(what)));
  }
};

}  // namespace detail
}  // namespace sinter::onnx::inline SINTER_ISA
