// SPDX-License-Identifier: Apache-2.0
// Operations on numbers of 8 and 16 bits, as operations on float32 and int32: the narrow dtypes are how arrays are stored, and no kernel
// computes in them. `expand` does this before it writes an operation in terms of others, so that a softmax of float16 is rounded once.
#pragma once
#include <algorithm>

#include "../ops/elementwise.hpp"
#include "../ops/region.hpp"
#include "rewrite.hpp"

namespace sinter::passes::inline SINTER_ISA {

namespace detail {
// What an operation computes with; one that moves the elements of its first operand may yet be told where by the others.
constexpr int first_computed(node const& k) { return k.op->moves ? 1 : 0; }
// Whether node i computes with narrow numbers.
constexpr bool is_widened(graph const& g, int i) {
  node const& k = g.nodes[i];
  int const first = first_computed(k);
  bool narrow = first == 0 && is_narrow(k.type.type);
  int const* const in = g.operands.data() + k.in.at;
  for (int j = first; j < k.in.n && !narrow; ++j) narrow = is_narrow(g.nodes[in[j]].type.type);
  if (!narrow || ops::is_region(k.op->id)) return false;
  switch (k.op->kind) {
    case family::leaf: return *k.op == constant_op;
    case family::elementwise: return *k.op != ops::info<ops::cast> || !ops::is_one_step(g.nodes[in[0]].type.type, k.type.type);
    case family::reduction:
    case family::product:
    case family::opaque:
    case family::composite: return true;
    default: return false;
  }
}
constexpr int cast_to(graph& g, int i, dtype t) { return g.nodes[i].type.type == t ? i : ops::make<ops::cast>(g, {t}, i); }
// In several steps where no kernel casts in one.
constexpr int cast_in_steps(graph& g, int i, dtype t) {
  dtype const from = g.nodes[i].type.type;
  if (from == t || ops::is_one_step(from, t)) return cast_to(g, i, t);
  int const wide = cast_to(g, i, computed_in(from));
  return ops::is_one_step(g.nodes[wide].type.type, t) ? cast_to(g, wide, t) : cast_to(g, cast_to(g, wide, computed_in(t)), t);
}
// The constant that node i casts, if every number in it is one of i's dtype, or -1.
constexpr int constant_behind(graph const& g, int i) {
  node const& k = g.nodes[i];
  if (*k.op != ops::info<ops::cast>) return -1;
  int const o = g.operand(k, 0);
  node const& c = g.nodes[o];
  if (*c.op != constant_op || c.data != 1 || c.type.type != computed_in(k.type.type)) return -1;
  return cast_bits(c.type.type, k.type.type, g.data[c.index]) == g.data[c.index] ? o : -1;
}
constexpr int wide_operand(graph& g, int i) {
  int const c = constant_behind(g, i);
  return c >= 0 ? c : cast_to(g, i, computed_in(g.nodes[i].type.type));
}
// The attributes of node k, with the dtypes in which it computes.
constexpr words wide_attributes(graph const& g, node const& k) {
  words a = g.copy_of_attributes(k);
  int at = 0;
  for (int f = 0; f < k.op->n_fields; ++f) switch (k.op->fields[f].kind) {
      case attribute_kind::type:
        a[at] = static_cast<std::int64_t>(computed_in(static_cast<dtype>(a[at])));
        ++at;
        break;
      case attribute_kind::number: at += 2; break;
      case attribute_kind::extents:
      case attribute_kind::list: at += 1 + static_cast<int>(a[at]); break;
      default: ++at;
    }
  return a;
}
// Appends what node i, an operation, computes in; its results are to be cast by `narrowed`.
constexpr int computing_node(graph& g, int i) {
  node const k = g.nodes[i];
  list<int> in;
  for (int j = 0; j < k.in.n; ++j) in.push(j < first_computed(k) ? g.operand(k, j) : wide_operand(g, g.operand(k, j)));
  inferred why;
  int const made = g.apply(*k.op, {in.data(), in.size()}, wide_attributes(g, k), why);
  if (made < 0) throw error("sinter: an operation on numbers of fewer than 32 bits cannot be computed in more");
  return made;
}
// Whether a reduction may have no elements to reduce.
constexpr bool may_be_empty(graph const& g, node const& k) {
  dims const& s = g.nodes[g.operand(k, 0)].type.shape;
  return std::any_of(s.d, s.d + s.rank, [](extent e) { return e <= 0; });
}
// The results of node i in its own dtypes, from `done`, which computes them.
constexpr int narrowed(graph& g, int i, int done) {
  node const k = g.nodes[i];
  if (k.op->narrowed && is_narrow(k.type.type) && may_be_empty(g, k)) done = k.op->narrowed(g, done, k.type.type);
  if (!k.op->several) return cast_to(g, done, k.type.type);
  list<int> results;
  for (int j = 0, n = g.results_of(k); j < n; ++j) results.push(cast_to(g, g.result(done, j), g.type_of_result(k, j).type));
  return g.tuple({results.data(), results.size()});
}
// A constant, which has no place among those of kernels, as a cast of one that has.
constexpr int narrow_constant(graph& g, int i) {
  node c = g.nodes[i];
  dtype const t = c.type.type;
  c.type.type = computed_in(t);
  return cast_to(g, g.append(c), t);
}
}  // namespace detail

}  // namespace sinter::passes::inline SINTER_ISA
