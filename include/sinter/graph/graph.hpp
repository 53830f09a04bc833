// SPDX-License-Identifier: Apache-2.0
// The graph: a value, made of flat arrays. The compiler holds it in a constant, a program in a variable.
#pragma once
#include <string_view>

#include "../core/error.hpp"
#include "number.hpp"
#include "op.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// The leaves' rows: these three belong to the graph itself.
}  // namespace SINTER_ISA
namespace detail::inline SINTER_ISA {
constexpr op_info leaf(std::string_view name, format_names formats) {
  op_info r;
  r.name = name;
  r.id = hash_of(name);
  r.formats = formats;
  return r;
}
}  // namespace detail::inline SINTER_ISA
inline namespace SINTER_ISA {
inline constexpr op_info input_op = detail::leaf("input", {"null", ""});
inline constexpr op_info parameter_op = detail::leaf("parameter", {"null", ""});
inline constexpr op_info constant_op = detail::leaf("constant", {"_full", "Constant"});

struct span_of {
  int at = 0, n = 0;
  constexpr bool operator==(span_of const&) const = default;
};

struct node {
  op_info const* op = nullptr;
  span_of in;            // its operands, in graph::operands
  int attrs = -1;        // its attributes, in graph::attrs
  array_type type;
  int index = -1;        // which input, which parameter of the model, or where a constant's data begins
  int data = 0;          // how many elements a constant holds: all, or one that fills the shape
  span_of name;          // a leaf's name; of others the path of the block that wrote it (see composite_mark)
};
// Behind it a node's name says which composite operation the node is a part of: "norm/layer_norm".
inline constexpr char composite_mark = '/';

// An F.print: what it says and which node it shows.
struct print_note {
  span_of label;
  int node = -1;
};

struct graph {
  list<node> nodes;
  list<int> operands;
  list<attributes> attrs;
  list<std::uint64_t> data;  // constants: the bits of a double, an int64, or 0 and 1
  list<char> chars;
  list<int> outputs;
  list<print_note> prints;
  dimension_table dimensions;
  int inputs = 0;
  span_of scope;  // the path of the block whose operations are being appended

  constexpr std::string_view str(span_of s) const { return {chars.data() + s.at, static_cast<std::size_t>(s.n)}; }
  constexpr span_of intern(std::string_view s) {
    span_of r{chars.size(), static_cast<int>(s.size())};
    chars.reserve(chars.size() + r.n);
    for (char c : s) chars.push(c);
    return r;
  }
  // The name of the nodes that stand for k: they are parts of it, where it is composite. Only graphs that people read have names.
  constexpr span_of scope_of(node const& k) {
    if (k.op->kind != family::composite || chars.empty() || str(k.name).find(composite_mark) != std::string_view::npos) return k.name;
    span_of const r{chars.size(), k.name.n + 1 + static_cast<int>(k.op->name.size())};
    chars.reserve(chars.size() + r.n);
    for (int i = 0; i < k.name.n; ++i) chars.push(chars[k.name.at + i]);
    chars.push(composite_mark);
    for (char c : k.op->name) chars.push(c);
    return r;
  }
  constexpr int operand(node const& n, int i) const { return operands[n.in.at + i]; }
  constexpr attributes attributes_of(node const& n) const { return n.attrs < 0 ? attributes{} : attrs[n.attrs]; }
  constexpr family kind(int i) const { return nodes[i].op->kind; }
  constexpr bool is(int i, op_info const& op) const { return *nodes[i].op == op; }

  constexpr int append(node n) {
    nodes.push(n);
    return nodes.size() - 1;
  }
  // Appends an operation whose type is known.
  constexpr int append(op_info const& op, array_type const& type, int const* in, int n, attributes const& a) {
    node k;
    k.op = &op;
    k.type = type;
    k.in = {operands.size(), n};
    for (int i = 0; i < n; ++i) operands.push(in[i]);
    if (a.n) {
      k.attrs = attrs.size();
      attrs.push(a);
    }
    k.name = scope;
    return append(k);
  }
  // Appends an operation and lets its own rule say the type; a rule that fails returns -1 and fills `why`.
  constexpr int apply(op_info const& op, int const* in, int n, attributes const& a, inferred& why) {
    array_type types[max_operands]{};
    list<array_type> many;
    array_type const* t = types;
    if (n > max_operands) {
      for (int i = 0; i < n; ++i) many.push(nodes[in[i]].type);
      t = many.data();
    } else {
      for (int i = 0; i < n; ++i) types[i] = nodes[in[i]].type;
    }
    why = op.infer(t, n, a, dimensions);
    if (why.what != problem::none) return -1;
    return append(op, why.type, in, n, a);
  }
  // The same for operands that fit: those of a rewrite, or of a composite operation's definition.
  template <class... I> constexpr int make(op_info const& op, attributes const& a, I... in) {
    int const operands_[]{in..., 0};
    inferred why;
    int const made = apply(op, operands_, sizeof...(in), a, why);
    if (made < 0) throw error("sinter: a rewrite made an operation whose operands do not fit");
    return made;
  }
  // A constant that fills `shape` with one value, given by its bits.
  constexpr int fill(dtype t, dims const& shape, std::uint64_t bits) {
    node k;
    k.op = &constant_op;
    k.type = {t, shape};
    k.index = data.size();
    k.data = 1;
    data.push(bits);
    return append(k);
  }
  constexpr int scalar(dtype t, double v);

  static constexpr int max_operands = 4;
};

// The graph in static storage, without names. The compilers limit the steps of one constant evaluation, so a large network is traced
// in one and planned in another.
struct graph_sizes {
  int nodes = 0, operands = 0, attrs = 0, data = 0, outputs = 0, dimensions = 0, equalities = 0, maps = 0;
};
constexpr graph_sizes sizes_of(graph const& g) {
  graph_sizes r{g.nodes.size(),   g.operands.size(),        g.attrs.size(),           g.data.size(),
                g.outputs.size(), g.dimensions.rows.size(), g.dimensions.equal.size()};
  for (node const& k : g.nodes) r.maps += k.op->mapped;
  return r;
}
// N: at least the sizes of the graph.
template <graph_sizes N> struct frozen_graph {
  bounded_list<node, N.nodes> nodes;
  bounded_list<int, N.operands> operands;
  bounded_list<attributes, N.attrs> attrs;
  bounded_list<std::uint64_t, N.data> data;
  bounded_list<int, N.outputs> outputs;
  bounded_list<dimension, N.dimensions> dimensions;
  bounded_list<equality, N.equalities> equalities;
  bool full = false;
  int inputs = 0, maps = 0;
  constexpr explicit frozen_graph(graph const& g)
      : nodes(g.nodes),
        operands(g.operands),
        attrs(g.attrs),
        data(g.data),
        outputs(g.outputs),
        dimensions(g.dimensions.rows),
        equalities(g.dimensions.equal),
        full(g.dimensions.full),
        inputs(g.inputs),
        maps(sizes_of(g).maps) {}
  constexpr bool overflow() const {
    return nodes.overflow || operands.overflow || attrs.overflow || data.overflow || outputs.overflow || dimensions.overflow ||
           equalities.overflow;
  }
  constexpr graph thaw() const {
    graph g;
    nodes.copy_to(g.nodes);
    operands.copy_to(g.operands);
    attrs.copy_to(g.attrs);
    data.copy_to(g.data);
    outputs.copy_to(g.outputs);
    dimensions.copy_to(g.dimensions.rows);
    equalities.copy_to(g.dimensions.equal);
    g.dimensions.full = full;
    g.inputs = inputs;
    return g;
  }
};

constexpr int graph::scalar(dtype t, double v) { return fill(t, dims{}, bits_of(t, v)); }

}  // namespace SINTER_ISA
}  // namespace sinter
