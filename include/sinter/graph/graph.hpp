// SPDX-License-Identifier: Apache-2.0
// The graph: a value, made of flat arrays. The compiler holds it in a constant, a program in a variable.
#pragma once
#include <string_view>

#include "../core/error.hpp"
#include "../core/hash.hpp"
#include "number.hpp"
#include "op.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// The nodes that are no operations: leaves, and the results of operations with several.
}  // namespace SINTER_ISA
namespace detail::inline SINTER_ISA {
constexpr op_info leaf(std::string_view name, format_names formats) {
  op_info r;
  r.name = name;
  r.id = hash_of(name);
  r.formats = formats;
  return r;
}
constexpr op_info part(std::string_view name, family kind) {
  op_info r = leaf(name, {});
  r.kind = kind;
  return r;
}
}  // namespace detail::inline SINTER_ISA
inline namespace SINTER_ISA {
inline constexpr op_info input_op = detail::leaf("input", {"null", ""});
inline constexpr op_info parameter_op = detail::leaf("parameter", {"null", ""});
inline constexpr op_info constant_op = detail::leaf("constant", {"_full", "Constant"});
inline constexpr op_info result_op = detail::part("result", family::result);
inline constexpr op_info tuple_op = detail::part("tuple", family::tuple);

struct span_of {
  int at = 0, n = 0;
  constexpr bool operator==(span_of const&) const = default;
};

struct node {
  op_info const* op = nullptr;
  span_of in;            // its operands, in graph::operands
  span_of attributes;    // in graph::attributes
  array_type type;       // none where there are several results
  int index = -1;        // which input, parameter of the model or result, or where a constant's data begins
  int data = 0;  // how many elements a constant holds: all, or one that fills the shape; a parameter: 1 where a run changes it
  span_of name;  // a leaf's name; of others the path of the block that wrote it (see composite_mark)
};
// In a node's name it is followed by the composite operation that the node is a part of: `norm`, the mark, `layer_norm`. With nothing behind it,
// what is before it is the node's own name.
inline constexpr char composite_mark = '\x1f';

// An F.print: what it says and which node it shows.
struct print_note {
  span_of label;
  int node = -1;
};

struct graph {
  list<node> nodes;
  list<int> operands;
  words attributes;
  list<std::uint64_t> data;  // constants: the bits of a double, an int64, or 0 and 1
  list<char> chars;
  list<int> outputs;
  list<int> updates;  // the parameters that a run changes (-1: no single one): their next values are the last outputs, in this order
  list<int> body_reads;  // where it changes some: pairs of a body and a parameter that it reads, itself or in a body of its own
  list<print_note> prints;
  dimension_table dimensions;
  list<graph>
      bodies;  // the subgraphs that its control flow runs (ops/region.hpp); they share its dimensions, and have no bodies of their own
  int inputs = 0;
  span_of scope;  // the path of the block whose operations are being appended

  constexpr std::string_view str(span_of s) const { return {chars.data() + s.at, static_cast<std::size_t>(s.n)}; }
  constexpr span_of intern(std::string_view s) {
    span_of const r{chars.size(), static_cast<int>(s.size())};
    char* const to = chars.extend(r.n);
    for (int i = 0; i < r.n; ++i) to[i] = s[static_cast<std::size_t>(i)];
    return r;
  }
  // The name for nodes that replace k. If k is composite, they are parts of it. Only graphs that are printed have names.
  constexpr span_of scope_of(node const& k) {
    if (k.op->kind != family::composite || chars.empty()) return k.name;
    int const mark = static_cast<int>(str(k.name).rfind(composite_mark)), n = mark < 0 ? k.name.n : mark;
    if (mark >= 0 && mark + 1 < k.name.n) return k.name;
    span_of const r{chars.size(), n + 1 + static_cast<int>(k.op->name.size())};
    char* to = chars.extend(r.n);
    for (int i = 0; i < n; ++i) *to++ = chars[k.name.at + i];
    *to++ = composite_mark;
    for (char c : k.op->name) *to++ = c;
    return r;
  }
  // Of each parameter of the model, which of the updates is its own, or -1; as far as there are updates.
  constexpr list<int> update_of_parameter() const {
    list<int> r;
    for (int u = 0; u < updates.size(); ++u) {
      if (updates[u] >= r.size()) r.resize(2 * updates[u] + 1, -1);
      if (updates[u] >= 0) r[updates[u]] = u;
    }
    return r;
  }
  // How many outputs are results of the network.
  constexpr int results() const { return outputs.size() - updates.size(); }
  constexpr int operand(node const& n, int i) const { return operands[n.in.at + i]; }
  constexpr std::int64_t const* words_of(node const& n) const { return attributes.data() + n.attributes.at; }
  constexpr words copy_of_attributes(node const& n) const {
    words w;
    for (int i = 0; i < n.attributes.n; ++i) w.push(words_of(n)[i]);
    return w;
  }
  constexpr bool same_attributes(node const& a, node const& b) const {
    if (a.attributes.n != b.attributes.n) return false;
    for (int i = 0; i < a.attributes.n; ++i)
      if (words_of(a)[i] != words_of(b)[i]) return false;
    return true;
  }
  constexpr family kind(int i) const { return nodes[i].op->kind; }
  constexpr bool is(int i, op_info const& op) const { return *nodes[i].op == op; }

  constexpr int append(node n) { return nodes.push(n), nodes.size() - 1; }
  // Appends an operation whose type is known.
  constexpr int append(op_info const& op, array_type const& type, operand_nodes in, words const& a = {}) {
    span_of const of{operands.size(), in.n}, with{attributes.size(), a.size()};
    if (in.n > 0) {
      int* const to = operands.extend(in.n);
      for (int i = 0; i < in.n; ++i) to[i] = in.data[i];
    }
    if (with.n > 0) {
      std::int64_t* const to = attributes.extend(with.n);
      std::int64_t const* const from = a.data();
      for (int i = 0; i < with.n; ++i) to[i] = from[i];
    }
    return append({&op, of, with, type, -1, 0, scope});
  }
  // Appends an operation, whose own rule gives the type. If the rule fails, this returns -1 and fills `why`.
  constexpr int apply(op_info const& op, operand_nodes in, words const& a, inferred& why) {
    list<array_type> types;
    array_type* const to = types.extend(in.n);
    for (int i = 0; i < in.n; ++i) to[i] = nodes[in.data[i]].type;
    return apply(op, in, to, a, why);
  }
  // The same where the operands' types are at hand.
  constexpr int apply(op_info const& op, operand_nodes in, array_type const* types, words const& a, inferred& why) {
    why = op.infer({types, in.n}, a.data(), dimensions);
    if (why.what != problem::none) return -1;
    return append(op, op.several ? array_type{} : why.type, in, a);
  }
  // Result i of node `of`, an operation with several.
  constexpr int result(int of, int i) {
    node const k = nodes[of];
    if (*k.op == tuple_op) return operands[k.in.at + i];
    node r;
    r.op = &result_op;
    r.type = type_of_result(k, i);
    r.in = {operands.size(), 1};
    r.index = i;
    r.name = scope;
    operands.push(of);
    return append(r);
  }
  constexpr array_type type_of_result(node const& k, int i) const {
    list<array_type> const types = types_of_operands(k);
    dimension_table t = dimensions;
    operand_types const in{types.data(), types.size()};
    return k.op->result(i, in, words_of(k), k.op->infer(in, words_of(k), t).type);
  }
  constexpr int results_of(node const& k) const { return k.op->results(words_of(k)); }
  constexpr list<array_type> types_of_operands(node const& k) const {
    list<array_type> types;
    for (int j = 0; j < k.in.n; ++j) types.push(nodes[operand(k, j)].type);
    return types;
  }
  constexpr int tuple(operand_nodes of) { return append(tuple_op, {}, of); }
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
};

// The graph in static storage, without names and bodies. The compilers limit the steps of one constant evaluation, so a large network is traced
// in one and planned in another.
struct graph_sizes {
  int nodes = 0, operands = 0, attributes = 0, data = 0, outputs = 0, dimensions = 0, equalities = 0, maps = 0;
  int memory = 0;  // buffers that control flow may need beside those of nodes
  int updates = 0, body_reads = 0;
  constexpr graph_sizes twice() const {
    graph_sizes n = *this;
    for (int* const k : {&n.nodes, &n.operands, &n.attributes, &n.data, &n.outputs, &n.dimensions, &n.equalities, &n.maps, &n.memory,
                         &n.updates, &n.body_reads})
      *k *= 2;
    return n;
  }
};
constexpr graph_sizes sizes_of(graph const& g) {
  graph_sizes r{g.nodes.size(),   g.operands.size(),        g.attributes.size(),      g.data.size(),
                g.outputs.size(), g.dimensions.rows.size(), g.dimensions.equal.size()};
  for (node const& k : g.nodes) {
    r.maps += k.op->mapped;
    if (k.op->kind == family::opaque && k.op->several) r.memory += k.in.n + 2;
  }
  r.updates = g.updates.size();
  r.body_reads = g.body_reads.size();
  return r;
}
struct overflowed {};  // says that a graph did not fit
// N: at least the sizes of the graph.
template <graph_sizes N> struct frozen_graph {
  bounded_list<node, N.nodes> nodes;
  bounded_list<int, N.operands> operands;
  bounded_list<std::int64_t, N.attributes> attributes;
  bounded_list<std::uint64_t, N.data> data;
  bounded_list<int, N.outputs> outputs;
  bounded_list<dimension, N.dimensions> dimensions;
  bounded_list<equality, N.equalities> equalities;
  bounded_list<int, N.updates> updates;
  bounded_list<int, N.body_reads> body_reads;
  bool full = false;
  int inputs = 0, maps = 0, memory = 0;
  constexpr explicit frozen_graph(graph const& g)
      : nodes(g.nodes),
        operands(g.operands),
        attributes(g.attributes),
        data(g.data),
        outputs(g.outputs),
        dimensions(g.dimensions.rows),
        equalities(g.dimensions.equal),
        updates(g.updates),
        body_reads(g.body_reads),
        full(g.dimensions.full),
        inputs(g.inputs),
        maps(sizes_of(g).maps),
        memory(sizes_of(g).memory) {}
  constexpr explicit frozen_graph(overflowed) { nodes.overflow = true; }
  constexpr bool overflow() const {
    return nodes.overflow || operands.overflow || attributes.overflow || data.overflow || outputs.overflow || dimensions.overflow ||
           equalities.overflow || updates.overflow || body_reads.overflow;
  }
  constexpr graph_sizes sizes() const {
    return {nodes.count,      operands.count, attributes.count, data.count,    outputs.count,   dimensions.count,
            equalities.count, maps,           memory,           updates.count, body_reads.count};
  }
  // Its lists are read where they are: nodes and operands must not be written to.
  constexpr graph thaw() const& {
    graph g;
    g.nodes = nodes.read();
    g.operands = operands.read();
    g.attributes = attributes.read();
    g.data = data.read();
    g.outputs = outputs.read();
    g.dimensions.rows = dimensions.read();
    g.dimensions.equal = equalities.read();
    g.updates = updates.read();
    g.body_reads = body_reads.read();
    g.dimensions.full = full;
    g.inputs = inputs;
    return g;
  }
  graph thaw() const&& = delete;
};

constexpr int graph::scalar(dtype t, double v) { return fill(t, dims{}, bits_of(t, v)); }

}  // namespace SINTER_ISA
}  // namespace sinter
