// SPDX-License-Identifier: Apache-2.0
// From a fused graph to a plan: operands with their strides, steps with their phases, buffers with their lifetimes.
#pragma once
#include <optional>

#include "map.hpp"
#include "phases.hpp"

namespace sinter::detail::inline SINTER_ISA {

class plan_builder {
 public:
  // `at`: where each array of the graph lies; `f`: which nodes one kernel computes.
  constexpr plan_builder(graph g, passes::placement at, passes::fusion f) : p{}, at_(std::move(at)), f_(std::move(f)) {
    p.g = std::move(g);
  }
  plan p;

  constexpr void run() {
    graph const& g = p.g;
    int const n = g.nodes.size();
    stored_.resize(n, 0);
    buffer_.resize(n, -1);
    step_.resize(n, -1);
    // Values that leave their kernel: those that another kernel reads, and outputs.
    for (int o : g.outputs) mark_stored(o, -1);
    for (int i = 0; i < n; ++i)
      if (f_.of[i] >= 0)
        for (int j = 0; j < g.nodes[i].in.n; ++j) mark_stored(g.operand(g.nodes[i], j), f_.of[i]);
    for (int j = 0; j < g.outputs.size(); ++j) {
      int o = g.outputs[j];
      while (g.kind(o) == family::view) o = g.operand(g.nodes[o], 0);
      buffer_info& b = p.buffers[buffer_of(o)];
      b.where = storage::output;
      b.index = j;
      p.results.push(g.nodes[g.outputs[j]].type);
    }
    list<list<int>> members(f_.groups.size());
    for (int i = 0; i < n; ++i)
      if (f_.of[i] >= 0) members[f_.of[i]].push(i);
    list<int> order;
    for (int q = 0; q < f_.groups.size(); ++q)
      if (f_.groups[q].parent == q) order.push(q);
    sort_by_position(order);
    number_.resize(f_.groups.size(), -1);
    for (int q = 0; q < order.size(); ++q) number_[order[q]] = q;
    for (int q : order) add_group(f_.groups[q], members[q]);
    for (passes::missed const& m : f_.misses) p.misses.push(m);
    for (buffer_info& b : p.buffers)
      if (b.where == storage::output) b.last = p.groups.size();
  }

 private:
  passes::placement at_;
  passes::fusion f_;
  list<char> stored_;
  list<int> buffer_, step_, number_;

  constexpr void sort_by_position(list<int>& order) const {
    list<int> by(order.empty() ? 0 : max_position(order) + 1, -1);
    for (int q : order) by[f_.groups[q].position] = q;
    order.shrink(0);
    for (int q : by)
      if (q >= 0) order.push(q);
  }
  constexpr int max_position(list<int> const& order) const {
    int m = 0;
    for (int q : order)
      if (f_.groups[q].position > m) m = f_.groups[q].position;
    return m;
  }
  constexpr void mark_stored(int o, int reader) {
    graph const& g = p.g;
    while (g.kind(o) == family::view) o = g.operand(g.nodes[o], 0);
    if (g.kind(o) == family::join) {
      for (int j = 0; j < g.nodes[o].in.n; ++j) mark_stored(g.operand(g.nodes[o], j), -1);
    } else if (f_.of[o] >= 0 && f_.of[o] != reader) stored_[o] = 1;
  }
  // The buffer that node o (no view) is read from or written to.
  constexpr int buffer_of(int o) {
    int const home = at_.buffer[o];
    if (buffer_[home] >= 0) return buffer_[home];
    node const& k = p.g.nodes[home];
    buffer_info b;
    b.type = k.type.type;
    b.elements = p.g.dimensions.elements(k.type.shape);
    b.node = home;
    b.home = p.buffers.size();
    if (*k.op == input_op) b.where = storage::input, b.index = k.index;
    else if (*k.op == constant_op) {
      b.where = storage::constant, b.index = k.index, b.data = k.data;
      if (k.data == 1) b.elements = {1, 0};
    } else if (*k.op == parameter_op) {
      b.where = storage::parameter;
      b.index = -1;
      for (int j = 0; j < p.parameter_at.size(); ++j)
        if (p.parameter_at[j] == k.index) b.index = j;
      if (b.index < 0) {
        b.index = p.parameter_at.size();
        p.parameter_at.push(k.index);
        p.parameter_types.push(k.type);
        ++p.parameters;
      }
    }
    buffer_[home] = p.buffers.size();
    p.buffers.push(b);
    return buffer_[home];
  }

  // Node o as an operand in the first `rank` loops, aligned on the right.
  constexpr operand access_of(int o, int rank, bool written) {
    graph const& g = p.g;
    operand r;
    dims const& s = g.nodes[o].type.shape;
    layout const& l = at_.where[o];
    int base = o;
    while (g.kind(base) == family::view && !at_.copied[base]) base = g.operand(g.nodes[base], 0);
    r.buffer = buffer_of(base);
    r.type = g.nodes[o].type.type;
    r.written = written;
    r.touched = {1, 0};
    bool const one = g.is(base, constant_op) && g.nodes[base].data == 1;  // whatever view it is read through
    if (!one) r.offset = l.offset;
    for (int i = 1; i <= s.rank; ++i) {
      if (s.d[s.rank - i] == 1 || one) continue;
      r.stride[rank - i] = l.stride[s.rank - i];
      if (!(l.stride[s.rank - i] == size{})) r.touched = r.touched * g.dimensions.size_of(s.d[s.rank - i]);
    }
    return r;
  }
  constexpr int find_or_add(group& q, operand const& r) {
    for (int j = 0; j < q.operands.n; ++j) {
      operand const& o = p.operands[q.operands.at + j];
      bool same = o.buffer == r.buffer && o.offset == r.offset && o.written == r.written && o.windowed == r.windowed;
      for (int i = 0; i < q.rank && same; ++i) same = o.stride[i] == r.stride[i];
      if (same) return j;
    }
    p.operands.push(r);
    return q.operands.n++;
  }
  constexpr void live(int buffer, int q, bool written) {
    buffer_info& b = p.buffers[buffer];
    if (written && (b.first < 0 || q < b.first)) b.first = q;
    if (q > b.last) b.last = q;
  }

  constexpr void add_group(passes::fused_group const& from, list<int> const& members) {
    graph& g = p.g;
    group q;
    q.kind = from.kind;
    q.steps.at = p.steps.size();
    q.operands.at = p.operands.size();
    q.anchor = from.anchor;
    int const id = p.groups.size();
    dims space = g.nodes[from.shape].type.shape;
    if (q.kind == kernel_kind::opaque) return add_opaque(q, from.anchor);
    bool const is_product = q.kind == kernel_kind::product;
    q.rank = space.rank + (is_product ? 1 : 0);
    for (int i = 0; i < space.rank; ++i) q.extents[i] = g.dimensions.size_of(space.d[i]);
    bool transposed[2]{};
    std::optional<loops_by_role> map;
    if (is_product && g.nodes[from.anchor].op->mapped) {
      map.emplace(g, from.anchor);
      q.rank = map->loops();
      for (int i = 0; i < q.rank; ++i) q.extents[i] = map->extent(i);
    } else if (is_product) {
      auto const a = ops::attributes_in<ops::product>(g, g.nodes[from.anchor]);
      transposed[0] = a.transpose_a;
      transposed[1] = a.transpose_b;
      dims const& x = g.nodes[g.operand(g.nodes[from.anchor], 0)].type.shape;
      q.extents[space.rank] = g.dimensions.size_of(x.d[x.rank - (transposed[0] ? 2 : 1)]);
    }
    for (int i : members) {
      node const& k = g.nodes[i];
      step_info s;
      s.op = k.op;
      s.type = k.type.type;
      s.node = i;
      s.n = k.in.n;
      s.prologue = f_.prologue[i] != 0;
      s.row = q.kind == kernel_kind::rows && (k.op->kind == family::reduction || !(k.type.shape == space));
      for (int j = 0; j < k.in.n; ++j) {
        int const o = g.operand(k, j);
        if (f_.of[o] >= 0 && f_.of[o] == f_.of[i]) {
          s.from[j] = step_[o];
          continue;
        }
        bool const own = k.op->kind == family::product;
        int const which = own ? j : s.prologue ? 0 : 2;
        int const rank = map && which < 2 ? g.nodes[g.operand(g.nodes[from.anchor], which)].type.shape.rank : space.rank;
        operand r = access_of(o, rank, false);
        if (map) r = map->moved(r, which);
        else if (is_product) r = product_operand(r, which, transposed, space.rank, own);
        s.from[j] = -1 - find_or_add(q, r);
        live(r.buffer, id, false);
      }
      step_[i] = p.steps.size() - q.steps.at;
      p.steps.push(s);
      ++q.steps.n;
    }
    q.inputs = q.operands.n;
    for (int j = 0; j < q.steps.n; ++j) {
      step_info& s = p.steps[q.steps.at + j];
      if (!stored_[s.node]) continue;
      operand r = access_of(s.node, space.rank, true);
      if (map) r = map->moved(r, 2);
      s.store = q.operands.n;
      p.operands.push(r);
      ++q.operands.n;
      live(r.buffer, id, true);
    }
    if (q.kind == kernel_kind::rows) rows_first(p, q, from.axes);
    else if (q.kind == kernel_kind::pointwise) collapse(p, q, 0, q.rank);
    else if (map) collapse_mapped(p, q, *map);
    else if (q.rank > 3) collapse(p, q, 0, q.rank - 3);
    set_modes(p, q);
    if (q.kind == kernel_kind::rows) set_phases(p, q);
    p.groups.push(q);
  }

  // The operands of a product run over (m, k) and (k, n), those of its prologue over (m, k), those of its epilogue over (m, n).
  // Loops: batch, m, n, k.
  constexpr operand product_operand(operand r, int which, bool const* transposed, int rank, bool own) const {
    if (which == 2) return r;
    size const last = r.stride[rank - 1], before = r.stride[rank - 2];
    bool const swap = own && transposed[which];
    size const row = swap ? last : before, column = swap ? before : last;
    r.stride[rank - 2] = which == 0 ? row : size{};
    r.stride[rank - 1] = which == 0 ? size{} : column;
    r.stride[rank] = which == 0 ? column : row;
    return r;
  }

  constexpr void add_opaque(group& q, int i) {
    graph& g = p.g;
    node const& k = g.nodes[i];
    list<int> results(k.op->several ? g.results_of(k) : 1, i);
    for (int o = i + 1; o < g.nodes.size(); ++o)
      if (g.kind(o) == family::result && g.operand(g.nodes[o], 0) == i) results[g.nodes[o].index] = o;
    step_info s;
    s.op = k.op;
    s.type = g.nodes[results[0]].type.type;
    s.node = i;
    q.attributes = k.attributes;
    q.shapes = {p.shapes.size(), results.size() + k.in.n};
    p.shapes.resize(q.shapes.at + q.shapes.n);
    q.inputs = k.in.n;
    s.store = q.inputs;
    for (int j = 0; j < q.shapes.n; ++j) {
      bool const written = j >= q.inputs;
      int const o = written ? results[j - q.inputs] : g.operand(k, j);
      dims const& shape = g.nodes[o].type.shape;
      operand const r = access_of(o, shape.rank, written);
      p.operands.push(r);
      ++q.operands.n;
      p.shapes[q.shapes.at + (written ? j - q.inputs : results.size() + j)] = shape;
      live(r.buffer, p.groups.size(), written);
    }
    dims const& space = g.nodes[results[0]].type.shape;
    q.rank = space.rank;
    for (int j = 0; j < q.rank; ++j) q.extents[j] = g.dimensions.size_of(space.d[j]);
    p.steps.push(s);
    ++q.steps.n;
    p.groups.push(q);
  }
};

}  // namespace sinter::detail::inline SINTER_ISA
