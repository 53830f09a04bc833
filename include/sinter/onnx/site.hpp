// SPDX-License-Identifier: Apache-2.0
// One node of a model while it is composed: its operands, its attributes and what it becomes.
#pragma once
#include <cstring>
#include <limits>
#include <optional>

#include "../io/array.hpp"
#include "composer.hpp"
#include "proto.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

// A tensor of a file as an array.
inline sym::array array_of(tensor const& t) {
  dtype const type = dtype_of(t.type);
  std::string const what = "sinter: tensor " + io::in_quotes(t.name) + " of " + std::string(name_of(t.type)) + " " + io::to_string(t.shape);
  if (!has_tensors(type)) throw dtype_error(what + ": there are no tensors of this type");
  if (t.is_external) throw error(what + " lies in another file, " + io::in_quotes(t.external.location) + ", which is not read");
  if (t.shape.size() > static_cast<std::size_t>(max_rank)) throw shape_error(what + ": an array has at most 8 dimensions");
  dims shape;
  for (std::int64_t e : t.shape) shape.push(e);
  sym::array a(type, shape);
  if (!t.data.empty()) std::memcpy(a.data(), t.data.data(), t.data.size());
  return a;
}

class site;
class environment;
inline constexpr int any_number = std::numeric_limits<int>::max();
// One operator, in the opsets from `since` to `until` (0: the newest): how many inputs it takes at most, its attributes, and what becomes of
// a node. Instead of a function it may have the name of the operation of F that does the same.
struct operator_row {
  std::string_view name;
  int since, until;
  int most_inputs;
  std::string_view attributes;  // with spaces between them
  std::string_view plain;
  void (*compose)(site&) = nullptr;
};

class site {
 public:
  site(composer& on, environment& where, node const& of, int opset_of_model, std::vector<std::optional<term>> in)
      : c(on), around(where), n(of), opset(opset_of_model), in_(std::move(in)) {}
  composer& c;
  environment& around;
  node const& n;
  int opset;
  terms results;

  int operands() const { return static_cast<int>(in_.size()); }
  bool has(int i) const { return i < operands() && in_[static_cast<std::size_t>(i)]; }
  term const& operator[](int i) const {
    if (!has(i)) fail("operand " + std::to_string(i) + " is missing");
    return *in_[static_cast<std::size_t>(i)];
  }
  terms all() const {
    terms r;
    for (int i = 0; i < operands(); ++i) r.push_back((*this)[i]);
    return r;
  }
  int outputs() const { return static_cast<int>(n.outputs.size()); }
  bool wants(int i) const { return i < outputs() && !n.outputs[static_cast<std::size_t>(i)].empty(); }

  void give(term t) { results.push_back(std::move(t)); }
  term operator()(std::string_view op, terms const& in, keywords const& k = {}) { return c.call(op, in, k); }
  template <class V> term number(V v, dtype t) { return c.number_of(t, v); }
  template <class V> term beside(term const& t, V v) { return c.number_of(t.type.type, v); }
  [[noreturn]] void fail(std::string const& reason) const { c.fail(reason); }

  // ---- attributes

  attribute const* find(std::string_view name, attribute_type type) const {
    for (attribute const& a : n.attributes) {
      if (a.name != name) continue;
      if (a.type != type) fail("attribute " + a.name + " is of another type than its operator gives it");
      return &a;
    }
    return nullptr;
  }
  std::int64_t whole(std::string_view name, std::int64_t otherwise) const {
    attribute const* const a = find(name, attribute_type::whole);
    return a ? a->whole : otherwise;
  }
  // One without which the node means nothing.
  std::int64_t wanted_whole(std::string_view name) const {
    if (!find(name, attribute_type::whole)) fail("the attribute " + std::string(name) + " is missing");
    return whole(name, 0);
  }
  bool truth(std::string_view name, bool otherwise) const {
    std::int64_t const v = whole(name, otherwise);
    if (v != 0 && v != 1) fail("the attribute " + std::string(name) + " is " + std::to_string(v) + ", and 1 is yes, 0 no");
    return v == 1;
  }
  double real(std::string_view name, double otherwise) const {
    attribute const* const a = find(name, attribute_type::real);
    return a ? double{a->real} : otherwise;
  }
  std::string text(std::string_view name, std::string const& otherwise) const {
    attribute const* const a = find(name, attribute_type::string);
    return a ? a->string : otherwise;
  }
  std::optional<std::vector<std::int64_t>> wholes(std::string_view name) const {
    attribute const* const a = find(name, attribute_type::wholes);
    if (a) return a->wholes;
    return std::nullopt;
  }

  std::vector<double> real_list(std::string_view name) const {
    attribute const* const a = find(name, attribute_type::reals);
    return a ? std::vector<double>(a->reals.begin(), a->reals.end()) : std::vector<double>{};
  }

  // ---- numbers that decide shapes

  // The elements of an operand of integers.
  std::vector<std::int64_t> integers(int i) { return integers((*this)[i]); }
  std::vector<std::int64_t> integers(term const& t) {
    if (t.type.type != dtype::int64 && t.type.type != dtype::int32)
      fail("an operand is " + in_words(t.type) + ", and integers are wanted there");
    sym::array const a = c.elements(t);
    std::vector<std::int64_t> r(static_cast<std::size_t>(a.shape().size()));
    for (std::size_t k = 0; k < r.size(); ++k)
      r[k] = t.type.type == dtype::int64 ? reinterpret_cast<std::int64_t const*>(a.data())[k]
                                         : reinterpret_cast<std::int32_t const*>(a.data())[k];
    return r;
  }
  // The same as extents, of which some may have no numbers.
  std::vector<extent> extents(int i) { return c.is_open((*this)[i]) ? c.extents_of((*this)[i]) : integers(i); }
  // The elements of an operand of any dtype.
  std::vector<double> reals(term const& t) {
    sym::array const a = c.elements(t);
    std::vector<double> r(static_cast<std::size_t>(a.shape().size()));
    with_type(t.type.type, [&]<class T>(T*) {
      for (std::size_t k = 0; k < r.size(); ++k) r[k] = static_cast<double>(reinterpret_cast<T const*>(a.data())[k]);
    });
    return r;
  }
  std::int64_t integer(int i) {
    auto const all = integers(i);
    if (all.size() != 1) fail("operand " + std::to_string(i) + " is " + in_words((*this)[i].type) + ", and one number is wanted there");
    return all[0];
  }
  // A number of any dtype that is known: for keywords.
  sinter::number known_number(term const& t) {
    if (t.size() != 1) fail("an operand is " + in_words(t.type) + ", and one number is wanted there");
    sym::array const a = c.elements(t);
    return with_type(t.type.type, [&]<class T>(T*) -> sinter::number {
      T const v = *reinterpret_cast<T const*>(a.data());
      if constexpr (std::is_integral_v<T>) return sinter::number(static_cast<std::int64_t>(v));
      else return sinter::number(static_cast<double>(v));
    });
  }
  // An axis from the front.
  int axis(std::int64_t a, int rank) const {
    if (a < -rank || a >= rank) fail("axis " + std::to_string(a) + " is none of " + std::to_string(rank));
    return static_cast<int>(a < 0 ? a + rank : a);
  }
  dims shape(std::vector<std::int64_t> const& v) const {
    if (v.size() > static_cast<std::size_t>(max_rank))
      fail("an array would have " + std::to_string(v.size()) + " dimensions, and has at most 8");
    dims r;
    for (std::int64_t e : v) r.push(e);
    return r;
  }
  int_list list(std::vector<std::int64_t> const& v) const {
    shape(v);
    int_list r;
    for (std::int64_t e : v) r.push(e);
    return r;
  }
  // ---- what many operators do

  term cast(term const& t, dtype to) { return t.type.type == to ? t : c.call("cast", {t}, {{"as", to}}); }
  term reshape(term const& t, dims const& to) { return c.call("reshape", {t}, {{"into", to}}); }
  term stretch(term const& t, dims const& to) { return t.type.shape == to ? t : c.call("broadcast_to", {t}, {{"into", to}}); }
  // An operand that must stretch to the shape of the other, for an operation that does so itself.
  term stretched_beside(term const& t, term const& other) {
    bool fits = t.rank() <= other.rank();
    for (int i = 1; fits && i <= t.rank(); ++i) fits = t.free(t.rank() - i) == 1 || t.free(t.rank() - i) == other.free(other.rank() - i);
    return fits ? t : stretch(t, other.type.shape);
  }
  // One axis from `begin` to `end`, both from the front.
  term part(term const& t, int axis, std::int64_t begin, std::int64_t end) {
    int_list from, to;
    for (int i = 0; i < t.rank(); ++i) from.push(i == axis ? begin : 0), to.push(i == axis ? end : t.end(i));
    return c.call("slice", {t}, {{"begin", from}, {"end", to}});
  }
  // All operands of a dtype in another one.
  void cast_operands(dtype from, dtype to) {
    for (std::optional<term>& t : in_)
      if (t && t->type.type == from) t = cast(*t, to);
  }
  // A vector along one axis of so many.
  term along(term const& t, int axis, int rank) {
    dims s;
    for (int i = 0; i < rank; ++i) s.push(i == axis ? t.free(0) : 1);
    return reshape(t, s);
  }
  term positions(std::int64_t many, dtype type = dtype::int64) {
    ops::number_list v;
    v.at[v.n++] = sinter::number(many);
    return c.call("arange", {}, {{"values", v}, {"as", type}});
  }

 private:
  std::vector<std::optional<term>> in_;
};

// An operator that is composed of several operations, which would each round to float16 or bfloat16, and add so: in float32, and the results are
// rounded once.
template <void (*Compose)(site&)> void in_float32(site& k) {
  dtype const t = k[0].type.type;
  bool const narrow = is_floating(t) && is_narrow(t);
  if (narrow) k.cast_operands(t, computed_in(t));
  Compose(k);
  if (!narrow) return;
  for (term& r : k.results)
    if (r.type.type == computed_in(t)) r = k.cast(r, t);
}

// The quotient of integers, which ONNX cuts towards 0.
inline term divided_towards_zero(site& k, term const& a, term const& b) {
  term const below = k("floor_divide", {a, b}), zero = k.beside(a, 0);
  term const inexact = k("not_equal", {k("multiply", {below, b}), a});
  term const negative = k("not_equal", {k("lesser", {a, zero}), k("lesser", {b, zero})});
  return k("add", {below, k.cast(k("logical_and", {inexact, negative}), a.type.type)});
}

}  // namespace detail
}  // namespace sinter::onnx::inline SINTER_ISA
