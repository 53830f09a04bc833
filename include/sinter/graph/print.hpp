// SPDX-License-Identifier: Apache-2.0
// Graphs as text: an extent with the dimensions it is computed from, a node with the layer that wrote it, a graph with one line per node.
#pragma once
#include <climits>
#include <string>

#include "../core/letters.hpp"
#include "graph.hpp"

namespace sinter {

namespace detail::inline SINTER_ISA {
// The rows of a dimension_table, wherever they are stored.
struct dimension_rows {
  dimension const *first, *last;
  constexpr dimension const* begin() const { return first; }
  constexpr dimension const* end() const { return last; }
};
constexpr letters text_of(extent e, dimension_rows rows, bool factor = false);
constexpr letters text_of(size s, dimension_rows rows) {
  letters r;
  for (dimension const& d : rows)
    while (d.from != dimension::origin::product && divides(s, d.value, s)) {
      if (!r.empty()) r += '*';
      r += text_of(d.code, rows, true);
    }
  if (r.empty()) return in_digits(s.k);
  if (s.k != 1) r += "*" + in_digits(s.k);
  return r;
}
// `factor`: a sum or a quotient is put in parentheses.
constexpr letters text_of(extent e, dimension_rows rows, bool factor) {
  for (dimension const& d : rows) {
    if (d.code != e || d.from == dimension::origin::input) continue;
    if (d.from == dimension::origin::product) return text_of(d.value, rows);
    bool const divided = d.from == dimension::origin::quotient;
    letters const b = text_of(d.b, rows, divided);
    letters r(factor ? "(" : "");
    r += text_of(d.a, rows, divided);
    if (divided) r += '/';
    else if (!b.view().starts_with('-')) r += '+';
    r += b;
    if (factor) r += ')';
    return r;
  }
  // Extents below -named_base are names; other negative ones are numbers that a sum subtracts.
  if (e > -named_base) return in_digits(e);
  if (!is_named(e)) return "?";
  char name[16]{};
  unpack_name(e, name);
  return name;
}
}  // namespace detail::inline SINTER_ISA
inline namespace SINTER_ISA {

// An extent and a shape with the dimensions that the graph computes: batch*10, batch+3. A dynamic dimension without a name is "?".
template <class Rows> constexpr letters in_words(extent e, Rows const& rows) { return detail::text_of(e, {rows.begin(), rows.end()}); }
constexpr letters in_words(dims const& s, dimension_table const& t) {
  if (s.rank < 0) return "(unknown)";
  letters r = "(";
  for (int i = 0; i < s.rank; ++i) r += (i ? ", " : "") + in_words(s.d[i], t.rows);
  return r + (s.rank == 1 ? ",)" : ")");
}
template <class Rows> std::string to_string_in(extent e, Rows const& rows) { return std::string(in_words(e, rows).view()); }
inline std::string to_string(extent e, dimension_table const& t) { return to_string_in(e, t.rows); }
inline std::string to_string(dims const& s, dimension_table const& t) { return std::string(in_words(s, t).view()); }

// Where a node comes from: the path of its layer and, where it is a part of one, the composite operation (see passes/expand.hpp).
struct written_by {
  std::string_view layer, composite;
  bool is_own = false;  // not the layer's name but that of the node alone
};
constexpr written_by origin_of(graph const& g, node const& k) {
  std::string_view const name = k.op->kind == family::leaf ? std::string_view{} : g.str(k.name);
  std::size_t const at = name.rfind(composite_mark);
  if (at == name.npos) return {name, {}};
  return {name.substr(0, at), name.substr(at + 1), at + 1 == name.size()};
}
// A node as text: `hidden.weight`, `1e-05`, `norm.layer_norm.mean`.
constexpr letters label_of(graph const& g, int i) {
  node const& k = g.nodes[i];
  if (*k.op == constant_op) {
    if (k.data != 1) return "constant " + in_words(k.type.shape, g.dimensions);
    std::uint64_t const v = g.data[k.index];
    if (!is_floating(k.type.type)) return in_digits(static_cast<std::int64_t>(v));
    return in_words(std::bit_cast<double>(v));
  }
  if (k.op->kind == family::leaf && k.name.n) return g.str(k.name);
  if (k.op->kind == family::leaf) return k.op->name + in_digits(k.index);
  auto const [layer, composite, is_own] = origin_of(g, k);
  letters r = layer;
  if (!layer.empty()) r += ".";
  r += composite;
  if (!composite.empty()) r += ".";
  return r + k.op->name;
}

// The attributes of a node: axis=1, keepdims=true.
constexpr letters attributes_in_words(graph const& g, node const& k) {
  letters r;
  std::int64_t const* at = g.words_of(k);
  auto const array = [&] {
    letters a = "[";
    std::int64_t const n = *at++;
    for (std::int64_t i = 0; i < n; ++i) a += (i ? ", " : "") + (*at == INT_MIN ? letters("open") : in_digits(*at)), ++at;
    return a + "]";
  };
  for (int i = 0; i < k.op->n_fields; ++i) {
    r += (i ? ", " : "") + letters(k.op->fields[i].name) + "=";
    switch (k.op->fields[i].kind) {
      case attribute_kind::truth: r += *at++ ? "true" : "false"; break;
      case attribute_kind::whole: r += in_digits(*at++); break;
      case attribute_kind::real: r += in_words(std::bit_cast<double>(*at++)); break;
      case attribute_kind::type: r += name_of(static_cast<dtype>(*at++)); break;
      case attribute_kind::number: {
        bool const whole = *at++ != 0;
        r += whole ? in_digits(*at) : in_words(std::bit_cast<double>(*at));
        ++at;
        break;
      }
      case attribute_kind::extents: {
        dims s;
        s.rank = static_cast<int>(*at++);
        for (int j = 0; j < s.rank; ++j) s.d[j] = *at++;
        r += in_words(s, g.dimensions);
        break;
      }
      case attribute_kind::list: r += array(); break;
    }
  }
  return r;
}

// One line for each node:
//   %0 = data0: float32 (batch, 64)
//   %3 = hidden.fully_connected.product(%0, %1) [transpose_a=false, transpose_b=true]: float32 (batch, 128)
//   returns %3
inline std::string to_string(graph const& g) {
  letters r;
  for (int i = 0; i < g.nodes.size(); ++i) {
    node const& k = g.nodes[i];
    r += "%" + in_digits(i) + " = " + label_of(g, i);
    for (int j = 0; j < k.in.n; ++j) r += (j ? ", %" : "(%") + in_digits(g.operand(k, j));
    if (k.in.n) r += ")";
    if (letters const a = attributes_in_words(g, k); !a.empty()) r += " [" + a + "]";
    if (k.op->kind == family::result) r += "[" + in_digits(k.index) + "]";
    if (k.type.type != dtype::none) r += ": " + letters(name_of(k.type.type)) + " " + in_words(k.type.shape, g.dimensions);
    r += "\n";
  }
  r += "returns";
  for (int j = 0; j < g.outputs.size(); ++j) r += (j ? ", %" : " %") + in_digits(g.outputs[j]);
  return std::string((r + "\n").view());
}

}  // namespace SINTER_ISA
namespace detail::inline SINTER_ISA {
constexpr letters expression_of(graph const& g, int i, bool nested) {
  node const& k = g.nodes[i];
  if (k.in.n == 0) return label_of(g, i);
  constexpr struct {
    std::string_view name;
    char sign;
  } operators[]{{"add", '+'}, {"subtract", '-'}, {"multiply", '*'}, {"divide", '/'}};
  for (auto const& o : operators) {
    if (k.op->name != o.name || k.in.n != 2) continue;
    letters r(nested ? "(" : "");
    r += expression_of(g, g.operand(k, 0), true);
    r += o.sign;
    r += expression_of(g, g.operand(k, 1), true);
    if (nested) r += ')';
    return r;
  }
  letters r(k.op->name);
  for (int j = 0; j < k.in.n; ++j) {
    r += j ? ", " : "(";
    r += expression_of(g, g.operand(k, j), false);
  }
  return r + ")";
}
}  // namespace detail::inline SINTER_ISA
inline namespace SINTER_ISA {

// A result as an expression: (1+2)+(3+4), relu(data0*2). What is used twice is written twice, so this is for small graphs.
inline std::string expression(graph const& g, int result = 0) {
  return std::string(detail::expression_of(g, g.outputs[result], false).view());
}

}  // namespace SINTER_ISA
}  // namespace sinter
