// SPDX-License-Identifier: Apache-2.0
// Graphs in words: an extent with the dimensions it is computed from, a node with the layer that wrote it, a graph with one line per node.
#pragma once
#include <climits>
#include <cstdio>
#include <string>

#include "../core/error.hpp"
#include "graph.hpp"

namespace sinter {

namespace detail::inline SINTER_ISA {
// The rows of a dimension_table, wherever they lie.
struct dimension_rows {
  dimension const *first, *last;
  dimension const* begin() const { return first; }
  dimension const* end() const { return last; }
};
inline std::string text_of(extent e, dimension_rows rows, bool factor = false);
inline std::string text_of(size s, dimension_rows rows) {
  std::string r;
  for (dimension const& d : rows)
    while (d.from != dimension::origin::product && divides(s, d.value, s)) {
      if (!r.empty()) r += '*';
      r += text_of(d.code, rows, true);
    }
  return r.empty() ? std::to_string(s.k) : s.k == 1 ? r : r + "*" + std::to_string(s.k);
}
// `factor`: a sum stands in parentheses.
inline std::string text_of(extent e, dimension_rows rows, bool factor) {
  for (dimension const& d : rows) {
    if (d.code != e || d.from == dimension::origin::input) continue;
    if (d.from == dimension::origin::product) return text_of(d.value, rows);
    std::string const b = text_of(d.b, rows);
    std::string sum(factor ? "(" : "");  // piece by piece: GCC 12 warns of what `"(" + sum` becomes at -O3
    sum += text_of(d.a, rows);
    if (b[0] != '-') sum += '+';
    sum += b;
    if (factor) sum += ')';
    return sum;
  }
  // Numbers below -named_base are names; the others, down from 0, are what a sum takes away.
  return e < 0 && e > -named_base ? std::to_string(e) : to_string(e);
}
}  // namespace detail::inline SINTER_ISA
inline namespace SINTER_ISA {

// An extent and a shape with the dimensions that the graph computes: batch*10, batch+3. A dynamic dimension without a name is "?".
template <class Rows> std::string to_string_in(extent e, Rows const& rows) { return detail::text_of(e, {rows.begin(), rows.end()}); }
inline std::string to_string(extent e, dimension_table const& t) { return to_string_in(e, t.rows); }
inline std::string to_string(dims const& s, dimension_table const& t) {
  if (s.rank < 0) return "(unknown)";
  std::string r = "(";
  for (int i = 0; i < s.rank; ++i) r += (i ? ", " : "") + to_string(s.d[i], t);
  return r + (s.rank == 1 ? ",)" : ")");
}

inline std::string in_words(double v) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%g", v);
  return digits;
}
// Where a node comes from: the path of its layer and, where it is a part of one, the composite operation (see passes/expand.hpp).
struct written_by {
  std::string layer, composite;
};
inline written_by origin_of(graph const& g, node const& k) {
  std::string_view const name = k.op->kind == family::leaf ? std::string_view{} : g.str(k.name);
  std::size_t const at = name.find(composite_mark);
  if (at == name.npos) return {std::string(name), {}};
  return {std::string(name.substr(0, at)), std::string(name.substr(at + 1))};
}
// A node in words: `hidden.weight`, `1e-05`, `norm.layer_norm.mean`.
inline std::string label_of(graph const& g, int i) {
  node const& k = g.nodes[i];
  if (*k.op == constant_op) {
    if (k.data != 1) return "constant " + to_string(k.type.shape, g.dimensions);
    std::uint64_t const v = g.data[k.index];
    if (!is_floating(k.type.type)) return std::to_string(static_cast<std::int64_t>(v));
    return in_words(std::bit_cast<double>(v));
  }
  if (k.op->kind == family::leaf) return std::string(k.name.n ? g.str(k.name) : k.op->name) + (k.name.n ? "" : std::to_string(k.index));
  auto const [layer, composite] = origin_of(g, k);
  return layer + (layer.empty() ? "" : ".") + composite + (composite.empty() ? "" : ".") + std::string(k.op->name);
}

// The attributes of a node: axis=1, keepdims=true.
inline std::string attributes_in_words(graph const& g, node const& k) {
  std::string r;
  std::int64_t const* at = g.words_of(k);
  auto const array = [&](char const* first, char const* last) {
    std::string a = first;
    std::int64_t const n = *at++;
    for (std::int64_t i = 0; i < n; ++i) a += (i ? ", " : "") + (*at == INT_MIN ? "open" : std::to_string(*at)), ++at;
    return a + last;
  };
  for (int i = 0; i < k.op->n_fields; ++i) {
    r += (i ? ", " : "") + std::string(k.op->fields[i].name) + "=";
    switch (k.op->fields[i].kind) {
      case attribute_kind::truth: r += *at++ ? "true" : "false"; break;
      case attribute_kind::whole: r += std::to_string(*at++); break;
      case attribute_kind::real: r += in_words(std::bit_cast<double>(*at++)); break;
      case attribute_kind::type: r += name_of(static_cast<dtype>(*at++)); break;
      case attribute_kind::number: {
        bool const whole = *at++ != 0;
        r += whole ? std::to_string(*at) : in_words(std::bit_cast<double>(*at));
        ++at;
        break;
      }
      case attribute_kind::extents: {
        dims s;
        s.rank = static_cast<int>(*at++);
        for (int j = 0; j < s.rank; ++j) s.d[j] = *at++;
        r += to_string(s, g.dimensions);
        break;
      }
      case attribute_kind::list: r += array("[", "]"); break;
    }
  }
  return r;
}

// One line for each node:
//   %0 = data0: float32 (batch, 64)
//   %3 = hidden.fully_connected.product(%0, %1) [transpose_a=false, transpose_b=true]: float32 (batch, 128)
//   returns %3
inline std::string to_string(graph const& g) {
  std::string r;
  for (int i = 0; i < g.nodes.size(); ++i) {
    node const& k = g.nodes[i];
    r += "%" + std::to_string(i) + " = " + label_of(g, i);
    for (int j = 0; j < k.in.n; ++j) r += (j ? ", %" : "(%") + std::to_string(g.operand(k, j));
    if (k.in.n) r += ")";
    if (std::string const a = attributes_in_words(g, k); !a.empty()) r += " [" + a + "]";
    if (k.op->kind == family::result) r += "[" + std::to_string(k.index) + "]";
    if (k.type.type != dtype::none) r += ": " + std::string(name_of(k.type.type)) + " " + to_string(k.type.shape, g.dimensions);
    r += "\n";
  }
  r += "returns";
  for (int j = 0; j < g.outputs.size(); ++j) r += (j ? ", %" : " %") + std::to_string(g.outputs[j]);
  return r + "\n";
}

}  // namespace SINTER_ISA
}  // namespace sinter
