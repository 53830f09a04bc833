// SPDX-License-Identifier: Apache-2.0
// A graph of sinter as one of ONNX: its nodes one after the other, composite ones that ONNX has not by their definitions.
#pragma once
#include <bit>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "../graph/print.hpp"
#include "../io/array.hpp"
#include "../ops/all.hpp"
#include "proto.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

using names = std::vector<std::string>;

inline attribute attribute_of(std::string name, std::int64_t v) {
  attribute a;
  a.name = std::move(name), a.type = attribute_type::whole, a.whole = v;
  return a;
}
inline attribute attribute_of(std::string name, int v) { return attribute_of(std::move(name), std::int64_t{v}); }
inline attribute attribute_of(std::string name, double v) {
  attribute a;
  a.name = std::move(name), a.type = attribute_type::real, a.real = static_cast<float>(v);
  return a;
}
inline attribute attribute_of(std::string name, char const* v) {
  attribute a;
  a.name = std::move(name), a.type = attribute_type::string, a.string = v;
  return a;
}
inline attribute attribute_of(std::string name, std::vector<std::int64_t> v) {
  attribute a;
  a.name = std::move(name), a.type = attribute_type::wholes, a.wholes = std::move(v);
  return a;
}
inline attribute attribute_of(std::string name, graph v) {
  attribute a;
  a.name = std::move(name), a.type = attribute_type::graph;
  a.graphs.push_back(std::move(v));
  return a;
}

// What the graphs of a model have in common: no two values have the same name.
struct all_names {
  std::set<std::string> taken;
  // The name, or one with a number behind it where it is taken.
  std::string fresh(std::string const& like) {
    std::string r = like.empty() ? "value" : like;
    for (int i = 1; !taken.insert(r).second; ++i) r = like + "_" + std::to_string(i);
    return r;
  }
};

class graph_writer;
// How an operation is written.
struct writer_row {
  std::string_view op;
  void (*write)(graph_writer&, int);
};
writer_row const* find_writer(std::string_view op);

class graph_writer {
 public:
  graph_writer(sinter::graph const& from, all_names& names_of_model, sinter::graph const& whole)
      : g(from), names_(names_of_model), whole_(whole) {
    g.dimensions = whole.dimensions;  // definitions may compute more
  }
  sinter::graph g;  // definitions are appended to it
  onnx::graph to;
  void name(int i, std::string s) { values_.insert_or_assign({i, 0}, std::move(s)); }
  std::string fresh(std::string const& like) { return names_.fresh(like); }
  void write() {
    int const n = g.nodes.size();  // without the definitions
    for (int i = 0; i < n; ++i) write(i);
    writing_ = -1;
  }
  // What a node is called: by itself, or as its layer and its operation.
  std::string name_of(int i) const {
    written_by const from = origin_of(g, g.nodes[i]);
    return from.is_own ? std::string(from.layer) : std::string(label_of(g, i).view());
  }
  // The name of a node's result.
  std::string const& of(int i) const {
    auto const at = values_.find({i, 0});
    if (at == values_.end()) fail(i, "its operand has several results");
    return at->second;
  }
  sinter::node const& node_at(int i) const { return g.nodes[i]; }
  int operand(int i, int j) const { return g.operand(g.nodes[i], j); }
  std::string const& in(int i, int j) const { return of(operand(i, j)); }
  array_type const& type(int i) const { return g.nodes[i].type; }
  array_type const& type_in(int i, int j) const { return type(operand(i, j)); }
  int operands(int i) const { return g.nodes[i].in.n; }
  template <class Op> ops::attributes_of<Op> attributes(int i) const { return ops::attributes_in<Op>(g, g.nodes[i]); }
  [[noreturn]] void fail(int i, std::string const& why) const {
    throw error("sinter: " + std::string(label_of(g, i).view()) + " is not written as ONNX: " + why);
  }

  // Node i, or the operation of which it is a part, has no writer.
  [[noreturn]] void refuse_operation(int i) const {
    int const shown = defined_ < 0 ? i : defined_;
    std::string const what = "node " + io::in_quotes(name_of(shown)) + " (" + std::string(g.nodes[shown].op->name) + ")";
    std::string const part = defined_ < 0 ? "this operation" : std::string(g.nodes[i].op->name) + ", which it is made of";
    throw error("sinter: " + what + " is not written as ONNX: sinter does not write " + part);
  }

  // An operation of ONNX that is a part of how a node is written; the name of its result.
  std::string emit(std::string op, names inputs, std::vector<attribute> a = {}, std::string const& like = {}) {
    std::string const name = part_called(like.empty() ? op : like);
    return emit_as(name, std::move(op), std::move(inputs), std::move(a));
  }
  std::string emit_as(std::string const& like, std::string op, names inputs, std::vector<attribute> a = {}) {
    names out{fresh(like)};
    emit_to(out, std::move(op), std::move(inputs), std::move(a));
    return out[0];
  }
  void emit_to(names outputs, std::string op, names inputs, std::vector<attribute> a = {}) {
    onnx::node n;
    n.name = outputs[0];
    n.op = std::move(op), n.inputs = std::move(inputs), n.outputs = std::move(outputs), n.attributes = std::move(a);
    to.nodes.push_back(std::move(n));
  }
  // Node i is this operation.
  void give(int i, std::string op, names inputs, std::vector<attribute> a = {}) {
    name(i, emit_as(name_of(i), std::move(op), std::move(inputs), std::move(a)));
  }
  void give_result(int i, int k, std::string s) { values_.insert_or_assign({i, k}, std::move(s)); }

  // What the operation is written with, where ONNX has no such one.
  void write_definition(int i) {
    sinter::node const k = g.nodes[i];
    list<int> in;
    for (int j = 0; j < k.in.n; ++j) in.push(g.operand(k, j));
    words const a = g.copy_of_attributes(k);
    int const first = g.nodes.size(), outer = defined_;
    g.scope = g.scope_of(k);
    int const done = k.op->expand(g, {in.data(), in.size()}, a.data());
    if (outer < 0) defined_ = i;
    for (int j = first; j <= done; ++j) write(j);
    defined_ = outer;
    for (auto at = values_.lower_bound({done, 0}); at != values_.end() && at->first.first == done; ++at)
      give_result(i, at->first.second, at->second);
  }

  // ---- constants

  std::string initializer(std::string const& like, array_type const& t, std::byte const* from) {
    tensor r;
    r.name = fresh(like);
    r.type = element_of(t.type);
    for (int k = 0; k < t.shape.rank; ++k) r.shape.push_back(t.shape.d[k]);
    r.data.assign(from, from + t.shape.size() * sinter::bytes_of(t.type));
    to.initializers.push_back(std::move(r));
    return to.initializers.back().name;
  }
  // One that is a part of how a node is written.
  std::string constant(std::string const& like, array_type const& t, std::byte const* from) {
    return initializer(part_called(like), t, from);
  }
  std::string whole_numbers(std::vector<std::int64_t> const& v, std::string const& like) {
    return constant(like, {dtype::int64, {static_cast<extent>(v.size())}}, reinterpret_cast<std::byte const*>(v.data()));
  }
  // A number as constants store them.
  std::string number_of(dtype t, std::uint64_t bits) {
    std::byte bytes[8]{};
    with_type(t, [&]<class T>(T*) {
      T const v = sinter::element_of<T>(bits);
      std::memcpy(bytes, &v, sizeof v);
    });
    return constant("number", {t, {}}, bytes);
  }
  template <class V> std::string number_of(dtype t, V v) { return number_of(t, bits_of(t, v)); }
  // A shape as an operand, dynamic extents computed from the inputs.
  std::string shape_of(dims const& s) {
    std::vector<std::int64_t> v;
    v.reserve(static_cast<std::size_t>(s.rank));
    for (int k = 0; k < s.rank; ++k) v.push_back(s.d[k]);
    if (s.fixed()) return whole_numbers(v, "shape");
    names parts;
    for (int k = 0; k < s.rank; ++k) parts.push_back(extent_of(s.d[k]));
    return parts.size() == 1 ? parts[0] : emit("Concat", parts, {attribute_of("axis", 0)}, "shape");
  }
  // One extent, a vector of one number.
  std::string extent_of(extent e) {
    if (e >= 0) return whole_numbers({e}, "extent");
    for (sinter::dimension const& d : g.dimensions.rows) {
      if (d.code != e) continue;
      if (d.from == sinter::dimension::origin::input)
        return emit("Shape", {input_names.at(static_cast<std::size_t>(d.input))},
                    {attribute_of("start", d.axis), attribute_of("end", d.axis + 1)}, "extent");
      if (d.from == sinter::dimension::origin::sum) return emit("Add", {extent_of(d.a), extent_of(d.b)}, {}, "extent");
      if (d.from == sinter::dimension::origin::quotient) return emit("Div", {extent_of(d.a), extent_of(d.b)}, {}, "extent");
      return product_of(d.value);
    }
    if (e > -named_base) return whole_numbers({e}, "extent");  // what a sum subtracts
    throw error("sinter: a dynamic dimension that no input has is not written as ONNX");
  }
  names input_names, parameter_names;  // of the whole
  sinter::graph const& whole() const { return whole_; }
  all_names& all() { return names_; }

 private:
  all_names& names_;
  sinter::graph const& whole_;
  std::map<std::pair<int, int>, std::string> values_;
  int writing_ = -1;  // the node that is written
  int defined_ = -1;  // the node whose definition is written, of several in one another the outermost

  // The name of a part of the node that is written.
  std::string part_called(std::string const& like) const { return writing_ < 0 ? like : name_of(writing_) + "." + like; }
  std::string product_of(size s) {
    std::string r = whole_numbers({s.k}, "extent");
    for (int row = 0; row < g.dimensions.rows.size(); ++row)
      for (std::uint64_t p = s.power_of(row); p > 0; --p) r = emit("Mul", {r, extent_of(g.dimensions.rows[row].code)}, {}, "extent");
    return r;
  }
  void write(int i) {
    sinter::node const k = g.nodes[i];
    if (values_.contains({i, 0})) return;
    writing_ = k.op->kind == family::leaf ? -1 : i;
    if (k.op->kind == family::leaf) return write_leaf(i);
    if (k.op->kind == family::tuple) {
      for (int j = 0; j < k.in.n; ++j) give_result(i, j, of(g.operand(k, j)));
      return;
    }
    if (k.op->kind == family::result) {
      auto const at = values_.find({g.operand(k, 0), k.index});
      if (at == values_.end()) fail(i, "one of its results is missing");
      return name(i, at->second);
    }
    if (writer_row const* const row = find_writer(k.op->name)) return row->write(*this, i);
    if (k.op->kind != family::composite) refuse_operation(i);
    write_definition(i);
  }
  void write_leaf(int i) {
    sinter::node const k = g.nodes[i];
    if (*k.op == parameter_op) return name(i, parameter_names.at(static_cast<std::size_t>(k.index)));
    if (*k.op == input_op) return name(i, input_names.at(static_cast<std::size_t>(k.index)));
    if (k.data == 1) {
      std::string const one = number_of(k.type.type, g.data[k.index]);
      return name(i, k.type.shape.rank == 0 ? one : emit("Expand", {one, shape_of(k.type.shape)}, {}, "constant"));
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>(k.type.shape.size() * sinter::bytes_of(k.type.type)));
    with_type(k.type.type, [&]<class T>(T*) {
      for (int j = 0; j < k.data; ++j) {
        T const v = sinter::element_of<T>(g.data[k.index + j]);
        std::memcpy(bytes.data() + static_cast<std::size_t>(j) * sizeof v, &v, sizeof v);
      }
    });
    name(i, constant("constant", k.type, bytes.data()));
  }
};

}  // namespace detail
}  // namespace sinter::onnx::inline SINTER_ISA
