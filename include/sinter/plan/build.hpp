// SPDX-License-Identifier: Apache-2.0
// From a fused graph to a plan: operands with their strides, steps with their phases, buffers with their lifetimes.
#pragma once
#include <optional>

#include "../ops/region.hpp"
#include "map.hpp"
#include "phases.hpp"

namespace sinter::detail::inline SINTER_ISA {

// What the builder keeps in mind between two kernels. The compiler plans a large network in several evaluations, each of which goes on where
// the one before has stopped.
struct build_notes {
  list<char> stored;  // of each node: whether its value leaves its kernel
  list<int> buffer, step;  // of each node: its buffer, and which step of its kernel computes it
  list<int> next;  // of each node: the next one of the same group
  list<int> first;  // of each group: its first node
  list<int> order;  // the groups as their kernels run
  list<int> parameter;  // of each parameter of the model: its number among those that the plan uses
};

class plan_builder {
 public:
  // `at`: where each array of the graph lies; `f`: which nodes one kernel computes.
  constexpr plan_builder(graph g, passes::placement at, passes::fusion f) : p{}, notes{}, at_(std::move(at)), f_(std::move(f)) {
    p.g = std::move(g);
  }
  plan p;
  build_notes notes;

  constexpr void run() {
    begin();
    add_groups(0, notes.order.size());
    finish();
  }
  // Before the first kernel: which values leave theirs, and the buffers of the outputs.
  constexpr void begin() {
    graph const& g = p.g;
    int const n = g.nodes.size();
    notes.stored.resize(n, 0);
    notes.buffer.resize(n, -1);
    notes.step.resize(n, -1);
    // Values that leave their kernel: those that another kernel reads, and outputs.
    for (int o : g.outputs) mark_stored(o, -1);
    node const* const nodes = g.nodes.data();
    int const *const operands = g.operands.data(), *const of = f_.of.data();
    for (int i = 0; i < n; ++i)
      if (of[i] >= 0)
        for (int j = nodes[i].in.at; j < nodes[i].in.at + nodes[i].in.n; ++j)
          if (of[operands[j]] != of[i]) mark_stored(operands[j], of[i]);
    for (int j = 0; j < g.outputs.size(); ++j) {
      int o = g.outputs[j];
      while (g.kind(o) == family::view) o = g.operand(g.nodes[o], 0);
      buffer_info& b = p.buffers[buffer_of(o)];
      b.where = storage::output;
      b.index = j;
      p.results.push(g.nodes[g.outputs[j]].type);
    }
    find_members();
    for (int q = 0; q < f_.groups.size(); ++q)
      if (f_.groups.data()[q].parent == q) notes.order.push(q);
    sort_by_position(notes.order);
  }
  // The kernels from `first` to `last` in their order. Those before `made` are in another plan, and so are their operands and steps.
  constexpr void add_groups(int first, int last, int made = 0) {
    made_ = made;
    for (int q = first; q < last; ++q) add_group(f_.groups[notes.order[q]], notes.first[notes.order[q]]);
  }
  // After the last kernel.
  constexpr void finish() {
    p.misses = std::move(f_.misses);
    for (buffer_info& b : p.buffers)
      if (b.where == storage::output) b.last = p.groups.size();
  }

  // Goes on with p.parameter_at.
  constexpr void number_parameters() {
    for (; p.parameters < p.parameter_at.size(); ++p.parameters) parameter(p.parameter_at[p.parameters]) = p.parameters;
  }
  // At least as many as there will be, after begin().
  constexpr int most_buffers() const {
    int most = sizes_of(p.g).memory;
    for (int i = 0; i < f_.of.size(); ++i)
      most +=
          at_.buffer.data()[i] == i && (f_.of.data()[i] < 0 || notes.stored.data()[i] || p.g.nodes.data()[i].op->kind == family::opaque);
    return most;
  }

 private:
  passes::placement at_;
  passes::fusion f_;
  int made_ = 0;

  constexpr void find_members() {
    int const *const of = f_.of.data(), n = f_.of.size();
    notes.next.resize(n, -1);
    notes.first.resize(f_.groups.size(), -1);
    int *const next = notes.next.begin(), *const first = notes.first.begin();
    for (int i = n - 1; i >= 0; --i)
      if (of[i] >= 0) next[i] = first[of[i]], first[of[i]] = i;
  }
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
    } else if (f_.of[o] >= 0 && f_.of[o] != reader) notes.stored[o] = 1;
  }
  // The buffer that node o (no view) is read from or written to.
  constexpr int buffer_of(int o) {
    int const home = at_.buffer[o];
    if (notes.buffer[home] >= 0) return notes.buffer[home];
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
      b.index = number_of_parameter(k);
    }
    notes.buffer[home] = p.buffers.size();
    p.buffers.push(b);
    return notes.buffer[home];
  }

  constexpr int& parameter(int index) {
    if (index >= notes.parameter.size()) notes.parameter.resize(2 * index + 8, -1);
    return notes.parameter[index];
  }
  // Which of the parameters that the plan uses this one is.
  constexpr int number_of_parameter(node const& k) {
    int& number = parameter(k.index);
    if (number < 0) {
      number = p.parameters++;
      p.parameter_at.push(k.index);
      p.parameter_types.push(k.type);
    }
    return number;
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

  // How a product reads its operands: each of them transposed or not, or through a map.
  struct product_access {
    bool transposed[2]{};
    std::optional<loops_by_role> map;
  };
  constexpr void add_group(passes::fused_group const& from, int first_node) {
    group q;
    q.kind = from.kind;
    q.steps.at = p.steps.size();
    q.operands.at = p.operands.size();
    q.anchor = from.anchor;
    if (q.kind == kernel_kind::opaque) return add_opaque(q, from.anchor);
    dims const space = p.g.nodes[from.shape].type.shape;
    product_access const access = set_loops(q, space);
    for (int i = first_node; i >= 0; i = notes.next[i]) add_step(q, i, space, access);
    q.inputs = q.operands.n;
    add_stores(q, space, access);
    if (q.kind == kernel_kind::rows) rows_first(p, q, from.axes);
    else if (q.kind == kernel_kind::pointwise) collapse(p, q, 0, q.rank);
    else if (access.map) collapse_mapped(p, q, *access.map);
    else if (q.rank > 3) collapse(p, q, 0, q.rank - 3);
    set_modes(p, q);
    if (q.kind == kernel_kind::rows) set_phases(p, q);
    p.groups.push(q);
  }
  // The loops of a kernel: over its shape, and for a product over what it adds up.
  constexpr product_access set_loops(group& q, dims const& space) const {
    graph const& g = p.g;
    product_access access;
    q.rank = space.rank;
    for (int i = 0; i < space.rank; ++i) q.extents[i] = g.dimensions.size_of(space.d[i]);
    if (q.kind != kernel_kind::product) return access;
    node const& anchor = g.nodes[q.anchor];
    if (anchor.op->mapped) {
      access.map.emplace(g, q.anchor);
      q.rank = access.map->loops();
      for (int i = 0; i < q.rank; ++i) q.extents[i] = access.map->extent(i);
      return access;
    }
    auto const a = ops::attributes_in<ops::product>(g, anchor);
    access.transposed[0] = a.transpose_a;
    access.transposed[1] = a.transpose_b;
    dims const& x = g.nodes[g.operand(anchor, 0)].type.shape;
    q.extents[q.rank++] = g.dimensions.size_of(x.d[x.rank - (a.transpose_a ? 2 : 1)]);
    return access;
  }
  constexpr void add_step(group& q, int i, dims const& space, product_access const& access) {
    node const& k = p.g.nodes[i];
    step_info s;
    s.op = k.op;
    s.type = k.type.type;
    s.node = i;
    s.n = k.in.n;
    s.prologue = f_.prologue[i] != 0;
    s.row = q.kind == kernel_kind::rows && (k.op->kind == family::reduction || !(k.type.shape == space));
    for (int j = 0; j < k.in.n; ++j) {
      int const o = p.g.operand(k, j);
      if (f_.of[o] >= 0 && f_.of[o] == f_.of[i]) {
        s.from[j] = notes.step[o];
        continue;
      }
      bool const own = k.op->kind == family::product;
      operand const r = read_access(q, o, own ? j : s.prologue ? 0 : 2, own, space, access);
      s.from[j] = -1 - find_or_add(q, r);
      live(r.buffer, made_ + p.groups.size(), false);
    }
    notes.step[i] = p.steps.size() - q.steps.at;
    p.steps.push(s);
    ++q.steps.n;
  }
  // Node o as an input of a kernel. `which`: with the loops of which side of a product, 2 for those of its result; `own`: it is a factor.
  constexpr operand read_access(group const& q, int o, int which, bool own, dims const& space, product_access const& access) {
    graph const& g = p.g;
    if (access.map) {
      int const rank = which < 2 ? g.nodes[g.operand(g.nodes[q.anchor], which)].type.shape.rank : space.rank;
      return access.map->moved(access_of(o, rank, false), which);
    }
    operand const r = access_of(o, space.rank, false);
    return q.kind == kernel_kind::product ? product_operand(r, which, access.transposed, space.rank, own) : r;
  }
  constexpr void add_stores(group& q, dims const& space, product_access const& access) {
    for (int j = 0; j < q.steps.n; ++j) {
      step_info& s = p.steps[q.steps.at + j];
      if (!notes.stored[s.node]) continue;
      operand r = access_of(s.node, space.rank, true);
      if (access.map) r = access.map->moved(r, 2);
      s.store = q.operands.n;
      p.operands.push(r);
      ++q.operands.n;
      live(r.buffer, made_ + p.groups.size(), true);
    }
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
    node const* const nodes = g.nodes.data();
    for (int o = i + 1; k.op->several && o < g.nodes.size(); ++o)
      if (nodes[o].op->kind == family::result && g.operand(nodes[o], 0) == i) results[nodes[o].index] = o;
    list<buffer_info> memory;
    if (ops::is_region(k.op->id)) memory = memory_of_region(k, results);
    step_info s;
    s.op = k.op;
    s.type = g.nodes[results[0]].type.type;
    s.node = i;
    int const written = results.size() + memory.size();
    q.attributes = k.attributes;
    q.shapes = {p.shapes.size(), written + k.in.n};
    p.shapes.extend(q.shapes.n);
    q.inputs = k.in.n;
    s.store = q.inputs;
    for (int j = 0; j < k.in.n; ++j)
      add_whole(q, access_of(g.operand(k, j), rank_of(g.operand(k, j)), false), g.nodes[g.operand(k, j)].type.shape);
    for (int o : results) add_whole(q, access_of(o, rank_of(o), true), g.nodes[o].type.shape);
    for (buffer_info& m : memory) {
      operand r;
      r.buffer = m.home = p.buffers.size();
      r.type = m.type;
      r.written = true;
      r.touched = m.elements;
      dims const shape = m.body < 0 ? g.nodes[m.node].type.shape : dims{1};
      m.node = i;
      p.buffers.push(m);
      add_whole(q, r, shape);
    }
    dims const& space = g.nodes[results[0]].type.shape;
    q.rank = space.rank;
    for (int j = 0; j < q.rank; ++j) q.extents[j] = g.dimensions.size_of(space.d[j]);
    p.steps.push(s);
    ++q.steps.n;
    p.groups.push(q);
  }
  constexpr int rank_of(int o) const { return p.g.nodes[o].type.shape.rank; }
  // An operand of an opaque operation: inputs come first. Shapes stand in the other order, those of what is written first.
  constexpr void add_whole(group& q, operand const& r, dims const& shape) {
    p.operands.push(r);
    p.shapes[q.shapes.at + (q.operands.n < q.inputs ? q.shapes.n - q.inputs + q.operands.n : q.operands.n - q.inputs)] = shape;
    ++q.operands.n;
    live(r.buffer, made_ + p.groups.size(), r.written);
  }
  // What control flow needs beside its results: a second place for each state, one for whether the loop goes on, and the bodies' arena.
  // Until they are added, `node` is the one that says a shape.
  constexpr list<buffer_info> memory_of_region(node const& k, list<int> const& results) const {
    graph const& g = p.g;
    auto const r = unpack<ops::region_info>(g.words_of(k));
    list<buffer_info> memory;
    auto const add = [&](int of) {
      buffer_info b;
      b.type = g.nodes[of].type.type;
      b.elements = g.dimensions.elements(g.nodes[of].type.shape);
      b.node = of;
      memory.push(b);
    };
    for (int j = 0; j < r.states; ++j) add(results[results.size() - r.states + j]);
    if (*k.op == ops::info<ops::while_loop>) add(g.operand(k, 0));
    buffer_info arena;
    arena.type = dtype::boolean;
    arena.elements = {1, 0};
    arena.body = r.body;
    arena.other = r.otherwise;
    memory.push(arena);
    return memory;
  }
};

}  // namespace sinter::detail::inline SINTER_ISA
