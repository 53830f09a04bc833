// SPDX-License-Identifier: Apache-2.0
// Decides where every array lies: views read their operand's buffer, the operands of a concat are written into its buffer.
#pragma once
#include "../ops/all.hpp"
#include "rewrite.hpp"

namespace sinter::passes::inline SINTER_ISA {

struct placement {
  list<int> buffer;     // the node whose buffer holds the elements of node i
  list<layout> where;   // and how they lie there
  list<char> copied;    // a view that strides cannot express: its operand must be copied first; a join that has no place in another
};

constexpr bool has_kernel(graph const& g, int i) {
  family const k = g.kind(i);
  return k == family::elementwise || k == family::reduction || k == family::product || k == family::opaque;
}

namespace detail {
// Places the operands of join i in its buffer; false when an offset would have too many terms.
constexpr bool place_branches(graph& g, int i, placement& p) {
  node const k = g.nodes[i];
  int const axis = unpack<ops::axis_attribute>(g.words_of(k)).axis;
  extent before = 0;
  for (int j = 0; j < k.in.n; ++j) {
    int const o = g.operand(k, j);
    layout l = p.where[i];
    if (!l.offset.add(g.dimensions.size_of(before) * l.stride[axis])) return false;
    p.buffer[o] = p.buffer[i];
    p.where[o] = l;
    before = g.dimensions.sum(before, g.nodes[o].type.shape.d[axis]);
  }
  return true;
}
// Of each product, the transposed view that alone reads it and leaves its last axis in place, or -1; empty where there is none.
constexpr list<int> turned_products(graph const& g) {
  list<int> turned;
  for (int i = 0; i < g.nodes.size(); ++i) {
    node const& k = g.nodes[i];
    if (!g.is(i, ops::info<ops::transpose>) || g.kind(g.operand(k, 0)) != family::product) continue;
    int_list const axes = ops::attributes_in<ops::transpose>(g, k).axes;
    if (axes[axes.n - 1] != axes.n - 1) continue;
    if (turned.empty()) turned.resize(g.nodes.size(), -1);
    turned[g.operand(k, 0)] = i;
  }
  if (turned.empty()) return turned;
  list<int> uses(g.nodes.size(), 0);
  for (node const& k : g.nodes)
    for (int j = 0; j < k.in.n; ++j) ++uses[g.operand(k, j)];
  for (int o : g.outputs) ++uses[o];
  for (int i = 0; i < g.nodes.size(); ++i)
    if (uses[i] != 1) turned[i] = -1;
  return turned;
}
// exact. A product is written in the order of the view that alone reads it: so nothing is copied where the view's axes are merged.
constexpr layout turned_layout(graph const& g, int view) {
  node const& k = g.nodes[view];
  layout const l = row_major(k.type.shape, g.dimensions);
  int_list const axes = ops::attributes_in<ops::transpose>(g, k).axes;
  layout r;
  for (int i = 0; i < axes.n; ++i) r.stride[axes[i]] = l.stride[i];
  return r;
}
}  // namespace detail

constexpr placement place(graph& g) {
  int const n = g.nodes.size();
  list<int> const turned = detail::turned_products(g);
  placement p{list<int>(n, -1), list<layout>(n), list<char>(n, 0)};
  node const* const nodes = g.nodes.data();  // calls of their functions would cost a constant evaluation steps
  int* const buffer = p.buffer.begin();
  layout* const where = p.where.begin();
  for (int i = n - 1; i >= 0; --i) {  // backwards, so that a join places its operands before they are visited
    family const kind = nodes[i].op->kind;
    if (kind == family::view) continue;
    if (buffer[i] < 0) {
      buffer[i] = i;
      where[i] = turned.empty() || turned[i] < 0 ? row_major(nodes[i].type.shape, g.dimensions) : detail::turned_layout(g, turned[i]);
    }
    if (kind != family::join || detail::place_branches(g, i, p)) continue;
    p.copied[i] = 1;
    buffer[i] = i;
    where[i] = row_major(nodes[i].type.shape, g.dimensions);
    detail::place_branches(g, i, p);
  }
  for (int i = 0; i < n; ++i) {
    if (nodes[i].op->kind != family::view) continue;
    node const& k = nodes[i];
    int const o = g.operand(k, 0);
    buffer[i] = buffer[o];
    if (!k.op->view(where[o], nodes[o].type.shape, k.type.shape, g.words_of(k), g.dimensions, where[i])) {
      p.copied[i] = 1;
      buffer[i] = i;
      where[i] = row_major(k.type.shape, g.dimensions);
    }
  }
  return p;
}

namespace detail {
constexpr int copy_of(graph& r, int i) {
  node const k = r.nodes[i];
  r.scope = k.op->kind == family::leaf ? span_of{} : k.name;
  return r.append(ops::info<ops::identity>, k.type, {&i, 1});
}
// The node with a kernel whose result a view reads whole and in the order of memory, or -1. `turned`: as turned_products finds them.
constexpr int whole_source(graph const& g, int i, list<int> const& turned = {}) {
  while (g.kind(i) == family::view) {
    int const o = g.operand(g.nodes[i], 0);
    if (!g.nodes[i].op->keeps_order && (turned.empty() || turned[o] != i)) return -1;
    i = o;
  }
  return i;
}
// Whether an operation that never fuses can read node o: all its elements are contiguous and in order.
constexpr bool in_a_row(graph const& g, placement const& p, int o) {
  dims const& s = g.nodes[o].type.shape;
  int base = o;
  while (g.kind(base) == family::view && !p.copied[base]) base = g.operand(g.nodes[base], 0);
  if (g.is(base, constant_op) && g.nodes[base].data == 1 && !(g.dimensions.elements(s) == size{1, 0})) return false;
  return is_row_major(p.where[o], s, g.dimensions);
}
// Whether a node of this kind may need a copy of an operand.
constexpr bool may_need_copy(op_info const& op) {
  return op.kind == family::view || op.kind == family::join || op.kind == family::opaque || op.mapped;
}
// True if node i is a product with a map whose second factor is a view in another order, as in the gradient of a convolution's input, and which reads it
// so often that a copy takes less time. Parameters are brought into the order of kernels once.
constexpr bool reads_often(graph const& g, placement const& p, int i, int j) {
  node const& k = g.nodes[i];
  int base = g.operand(k, j);
  if (!k.op->mapped || j != 1 || g.kind(base) != family::view || is_row_major(p.where[base], g.nodes[base].type.shape, g.dimensions))
    return false;
  size const all = g.dimensions.elements(g.nodes[base].type.shape);
  while (g.kind(base) == family::view) base = g.operand(g.nodes[base], 0);
  if (g.is(base, parameter_op) || !all.fixed() || all.k < 2048) return false;
  auto const map = ops::attributes_in<ops::mapped_product>(g, k);
  dims const first = g.nodes[g.operand(k, 0)].type.shape;
  std::int64_t columns = 1;
  for (int at = 0; at < map.loops; ++at) {
    ops::product_map::loop const& l = map.loop_at[at];
    if (l.first < 0 || l.second >= 0 || l.result < 0) continue;
    extent const n = l.n == ops::product_map::taken ? first.d[l.first] : l.n;
    if (n < 0) return false;
    columns *= n;
  }
  return columns >= 100;
}
// True if node i needs a copy of its operand j, now that all have their places.
constexpr bool needs_copy(graph const& g, placement const& p, int i, int j) {
  int const o = g.operand(g.nodes[i], j);
  switch (g.kind(i)) {
    case family::product: return reads_often(g, p, i, j);
    case family::view: return p.copied[i];
    case family::join: return g.kind(o) == family::join && p.copied[o];
    case family::opaque: return !in_a_row(g, p, o);
    default: return false;
  }
}
// Of each operand, whether its operation cannot read it where it lies; empty where that is true of none.
constexpr list<char> operands_to_copy(graph& g) {
  list<char> copied;
  bool possible = false;
  for (node const *k = g.nodes.begin(), *end = g.nodes.end(); k != end && !possible; ++k) possible = may_need_copy(*k->op);
  if (possible) {
    placement const p = place(g);
    for (int i = 0; i < g.nodes.size(); ++i)
      for (int j = 0; may_need_copy(*g.nodes[i].op) && j < g.nodes[i].in.n; ++j)
        if (needs_copy(g, p, i, j)) {
          if (copied.empty()) copied.resize(g.operands.size(), 0);
          copied[g.nodes[i].in.at + j] = 1;
        }
  }
  return copied;
}
// Puts an identity in front of these operands.
constexpr graph copy_operands(graph& g, list<char> const& copied) {
  graph r = without_nodes(g);
  list<int> to(g.nodes.size(), -1);
  for (int i = 0; i < g.nodes.size(); ++i) {
    list<int> in;
    for (int j = 0; j < g.nodes[i].in.n; ++j) {
      int const o = to[g.operand(g.nodes[i], j)];
      in.push(copied[g.nodes[i].in.at + j] ? copy_of(r, o) : o);
    }
    to[i] = copy_node(g, i, r, to);
    for (int j = 0; j < in.size(); ++j) r.operands[r.nodes[to[i]].in.at + j] = in[j];
  }
  finish(g, r, to);
  placement const now = place(r);
  for (int i = 0; i < r.nodes.size(); ++i)
    if (r.kind(i) == family::view && now.copied[i])
      throw error(
          "sinter: a slice or flip begins elsewhere than its operand along more dynamic axes than a view can say; take some in a step of "
          "its own");
  return r;
}
// Whether an output can be written where node o, which computes it, has its result.
constexpr bool gives_output(graph const& g, int o) {
  return o >= 0 && (has_kernel(g, o) || g.kind(o) == family::result || g.kind(o) == family::join);
}
// The copies of what is joined: a branch that no kernel computes, or that has a place of its own, an output's or another join's.
constexpr graph copy_joined(graph& g) {
  bool any = false;
  for (node const *k = g.nodes.begin(), *end = g.nodes.end(); k != end && !any; ++k) any = k->op->kind == family::join;
  graph r;
  if (!any) {  // not `return std::move(g)`: nvcc would forget to destroy the lists below
    r = std::move(g);
    return r;
  }
  list<char> taken(g.nodes.size(), 0);
  for (int j = 0; j < g.outputs.size(); ++j)
    if (int const o = whole_source(g, g.outputs[j]); gives_output(g, o)) taken[o] = 1;
  r = without_nodes(g);
  list<int> to(g.nodes.size(), -1);
  for (int i = 0; i < g.nodes.size(); ++i) {
    node const& k = g.nodes[i];
    if (k.op->kind != family::join) {
      to[i] = copy_node(g, i, r, to);
      continue;
    }
    list<int> in;
    for (int j = 0; j < k.in.n; ++j) {
      int const o = g.operand(k, j);
      bool const in_place =
          g.kind(o) == family::elementwise || g.kind(o) == family::reduction || g.kind(o) == family::product || g.kind(o) == family::join;
      if (in_place && !taken[o]) {
        taken[o] = 1;
        in.push(to[o]);
      } else in.push(copy_of(r, to[o]));
    }
    r.scope = k.name;
    to[i] = r.append(*k.op, k.type, {in.data(), in.size()}, r.copy_of_attributes(k));
  }
  finish(g, r, to);
  return r;
}
// The copies of outputs that no kernel computes, or that are returned twice or joined.
constexpr void copy_outputs(graph& g) {
  list<char> taken(g.nodes.size(), 0);
  for (node const *k = g.nodes.begin(), *end = g.nodes.end(); k != end; ++k)
    for (int j = 0; k->op->kind == family::join && j < k->in.n; ++j) taken[g.operand(*k, j)] = 1;
  list<int> const turned = turned_products(g);
  for (int j = 0; j < g.outputs.size(); ++j) {
    int const o = whole_source(g, g.outputs[j], turned);
    if (gives_output(g, o) && !taken[o]) taken[o] = 1;
    else {
      g.outputs[j] = copy_of(g, g.outputs[j]);
      taken.push(1);
    }
  }
}
}  // namespace detail

// exact. Puts an identity where an array has to be copied: a branch of a concat that is no kernel's result or has another place already, the operand
// of a view that strides cannot express, an operand that is not contiguous of an operation that never fuses, the second factor of a product with a
// map that is read often and not in its own order, and an output that no kernel computes, not even by such a copy, or that is returned twice.
constexpr graph insert_copies(graph g) {
  graph r = detail::copy_joined(g);
  list<char> const copied = detail::operands_to_copy(r);
  if (!copied.empty()) r = detail::copy_operands(r, copied);
  detail::copy_outputs(r);
  return r;
}

}  // namespace sinter::passes::inline SINTER_ISA
