// SPDX-License-Identifier: Apache-2.0
// Composes symbols whose types are known at once: what ONNX's operators do depends on shapes, and on elements that stand for shapes.
#pragma once
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../core/reshape_codes.hpp"
#include "../symbol/call.hpp"
#include "../symbol/held.hpp"
#include "proto.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

// A value of the model: its symbol, and its dtype and shape. In a shape of numbers alone, but for what is written as a type: there a dimension
// may have a name (INPUTS), and what is computed with its extent is refused, if it cannot be written with the name.
struct term {
  symbol s;
  array_type type;
  int rank() const { return type.shape.rank; }
  extent operator[](int i) const { return number(type.shape.d[i]); }
  extent size() const {
    for (int i = 0; i < rank(); ++i) number(type.shape.d[i]);
    return type.shape.size();
  }
  // To write in a new shape, or as the end of a part of it, where no number is wanted.
  extent free(int i) const { return type.shape.d[i]; }
  std::int64_t end(int i) const { return type.shape.d[i] < 0 ? std::int64_t{open} : type.shape.d[i]; }

 private:
  static extent number(extent e) {
    if (e < 0)
      throw shape_error("sinter: it needs a number for " + (is_named(e) ? "dimension `" + to_string(e) + "`" : "an extent that has none"));
    return e;
  }
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
  // The types of the model's inputs, their values, if there are any yet, and the file that errors name.
  composer(sym::types_by_name const& types, sym::arrays_by_name const& inputs, std::string const& file)
      : types_(types), inputs_(inputs), file_(file) {}

  // The results of an operation of F. What its operands do not fit is an error that names the node.
  terms results(std::string_view op, terms const& in, keywords k = {}) {
    for (term const& t : in)
      if (open_.contains(key_of(t))) return {of_extents(op, in, k)};
    for (auto& [key, value] : k)
      if (dims* const to = std::get_if<dims>(&value)) *to = spelled(op, *to, in);
    sym::symbols operands;
    list<array_type> types;
    for (term const& t : in) operands.push_back(t.s), types.push(t.type);
    auto const checked = sym::called_for(sym::callable_named(op, {}), operands, k, {});
    sym::symbols const made = sym::compose(checked, operands, name_);
    sym::called const& c = *checked;
    words const attributes = c.attributes({types.data(), types.size()});
    inferred const r = c.op->infer({types.data(), types.size()}, attributes.data(), dimensions_);
    if (r.what != problem::none) refuse(op, types, r.what);
    if (dimensions_.full) refuse(op, types, problem::too_many_dimensions);
    terms all;
    for (int i = 0; i < c.results; ++i)
      all.push_back(
          {made[static_cast<std::size_t>(i)], i == 0 ? r.type : c.op->result(i, {types.data(), types.size()}, attributes.data(), r.type)});
    for (term const& result : all) note_size(op, result.type);
    return all;
  }
  term call(std::string_view op, terms const& in, keywords const& k = {}) { return results(op, in, k)[0]; }

  term input(std::string const& name) {
    array_type const& t = types_.at(name);
    int const index = inputs_declared_++;
    for (int i = 0; i < t.shape.rank; ++i) dimensions_.declare(t.shape.d[i], index, i);
    return {sym::var(name, t.shape, t.type), t};
  }
  // Elements that are known; `name` is what it is called as a parameter, if no input of the model is called so: inner graphs may use its name.
  term constant(sym::array const& a, std::string name) {
    if (types_.contains(name)) name = sym::fresh_name(name);
    term r{sym::held(std::move(name), a), {a.type(), a.shape()}};
    known_.insert_or_assign(key_of(r), std::pair(r, a));
    return r;
  }
  // The same of what stands at `where` in the model: a body has it once, however many turns are written out.
  term initializer(tensor const& where, sym::array (*array_in)(tensor const&)) {
    auto const known = initializers_.find(&where);
    return known != initializers_.end() ? known->second
                                        : initializers_.emplace(&where, constant(array_in(where), where.name)).first->second;
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
    if (auto const at = open_.find(key_of(t)); at != open_.end())
      fail("it needs a number for what follows from " + words_of(at->second.second));
    if (auto const at = known_.find(key_of(t)); at != known_.end()) return at->second.second;
    sym::arrays_by_name given;
    for (std::string const& name : t.s.list_arguments()) {
      if (!types_.contains(name)) continue;
      read_.insert(name);
      auto const at = inputs_.find(name);
      if (at == inputs_.end()) fail("it depends on the elements of input " + io::in_quotes(name));
      given.insert(*at);
    }
    sym::array const r = t.s.eval(given)[0];
    known_.insert_or_assign(key_of(t), std::pair(t, r));
    return r;
  }
  // Whether its elements are those of the file, or were computed before.
  bool is_constant(term const& t) const { return known_.contains(key_of(t)); }
  std::set<std::string> const& read() const { return read_; }

  // ---- integers that are extents, of which some have no numbers: no values of the network, but what shapes are made of

  using extents = std::vector<extent>;
  bool is_open(term const& t) const { return open_.contains(key_of(t)); }
  // Integers in this shape and dtype; the elements of a term that gives such ones, or numbers.
  term of_extents(dtype type, dims const& shape, extents const& v) {
    if (std::all_of(v.begin(), v.end(), [](extent e) { return e > -named_base; })) {
      sym::array a(type, shape);
      with_type(type, [&]<class T>(T*) {
        for (std::size_t i = 0; i < v.size(); ++i) reinterpret_cast<T*>(a.data())[i] = static_cast<T>(v[i]);
      });
      return constant(a, sym::fresh_name("constant"));
    }
    term r{sym::var(sym::fresh_name("extents"), shape, type), {type, shape}};
    open_.insert_or_assign(key_of(r), std::pair(r, v));
    return r;
  }
  extents extents_of(term const& t) {
    if (auto const at = open_.find(key_of(t)); at != open_.end()) return at->second.second;
    if (is_floating(t.type.type)) fail("an operand is " + in_words(t.type) + ", and integers are wanted there");
    sym::array const a = elements(t);
    extents r(static_cast<std::size_t>(a.shape().size()));
    with_type(a.type(), [&]<class T>(T*) {
      auto const* const from = reinterpret_cast<T const*>(a.data());
      for (std::size_t i = 0; i < r.size(); ++i)
        r[i] = static_cast<extent>(from[i]);  // NOLINT(bugprone-signed-char-misuse): int8 is a number
    });
    return r;
  }
  // The product of extents of which some may have names.
  extent product(extent a, extent b) {
    if (a <= -named_base || b <= -named_base)
      for (extent const e : {a, b})
        if (e < 0 && dimensions_.size_of(e) == sinter::size{}) fail("it multiplies the extent " + to_string(e));
    return a < 0 || b < 0 ? dimensions_.extent_of(dimensions_.size_of(a) * dimensions_.size_of(b)) : a * b;
  }

  // The node that is composed now: its name, and what errors call it.
  void begin(std::string name, std::string described) { name_ = std::move(name), described_ = std::move(described); }
  template <class Error = shape_error> [[noreturn]] void fail(std::string const& reason) const {
    throw node_error<Error>("sinter: " + file_ + ": " + described_ + ": " + reason);
  }
  std::string const& file() const { return file_; }
  // The largest array so far, in words: for errors where memory is short.
  std::string const& largest() const { return largest_; }

 private:
  sym::types_by_name const& types_;
  sym::arrays_by_name const& inputs_;
  dimension_table dimensions_;  // those with names, and those that follow from them
  int inputs_declared_ = 0;
  std::map<std::pair<sym::composed const*, int>, std::pair<term, extents>> open_;
  std::map<std::pair<sym::composed const*, int>, std::pair<term, sym::array>> known_;
  std::map<tensor const*, term> initializers_;
  std::set<std::string> read_;
  std::string const& file_;
  std::string name_, described_, largest_;
  std::int64_t most_bytes_ = 0;

  static std::pair<sym::composed const*, int> key_of(term const& t) { return {&t.s.node(0), t.s.index(0)}; }
  static std::string words_of(extents const& v) {
    for (extent const e : v)
      if (is_named(e)) return "dimension `" + to_string(e) + "`";
    return "extents that have none";
  }
  // Dimensions that are computed have no name: one of them follows from the others.
  dims spelled(std::string_view op, dims const& given, terms const& in) const {
    if (given.fixed()) return given;
    dims const to = op == "reshape" ? with_one_open(given, in[0].type.shape) : given;
    for (int i = 0; i < to.rank; ++i)
      if (to.d[i] < -1 && !is_named(to.d[i])) fail("it needs a number for an extent that follows from others");
    return to;
  }
  // Operations that arrange extents, and their products.
  term of_extents(std::string_view op, terms const& in, keywords const& k) {
    static constexpr std::string_view arrange[] = {"concat", "expand_dims", "identity", "reshape", "slice", "squeeze", "stack", "take"};
    dtype type = in[0].type.type;
    if (op == "cast") {
      type = std::get<dtype>(k.at("as"));
      if (type == dtype::int32 || type == dtype::int64) return of_extents(type, in[0].type.shape, extents_of(in[0]));
    } else if (op == "multiply" && (in[0].rank() == 0 || in[1].rank() == 0 || in[0].type.shape == in[1].type.shape)) {
      extents const a = extents_of(in[0]), b = extents_of(in[1]);
      extents r(in[0].rank() == 0 ? b : a);
      for (std::size_t i = 0; i < r.size(); ++i) r[i] = product(a[in[0].rank() == 0 ? 0 : i], b[in[1].rank() == 0 ? 0 : i]);
      return of_extents(type, in[in[0].rank() == 0 ? 1 : 0].type.shape, r);
    } else if (std::find(std::begin(arrange), std::end(arrange), op) != std::end(arrange) && (op != "take" || !is_open(in[1]))) {
      sym::symbols wide;
      for (term const& t : in) {
        extents const v = extents_of(t);
        sym::array a(dtype::int64, t.type.shape);
        std::copy(v.begin(), v.end(), reinterpret_cast<std::int64_t*>(a.data()));
        wide.push_back(sym::held("extents", a));
      }
      sym::array const r = sym::call(op, wide, k)[0].eval()[0];
      auto const* const first = reinterpret_cast<std::int64_t const*>(r.data());
      return of_extents(type, r.shape(), {first, first + r.shape().size()});
    }
    for (term const& t : in)
      if (auto const at = open_.find(key_of(t)); at != open_.end())
        fail(std::string(op) + " needs a number for " + words_of(at->second.second));
    fail(std::string(op) + " needs numbers");
  }
  void note_size(std::string_view op, array_type const& t) {
    if (!t.shape.fixed()) return;
    if (!is_countable(t.shape)) fail(std::string(op) + " gives an array of too many elements");
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
