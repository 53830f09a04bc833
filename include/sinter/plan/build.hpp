// SPDX-License-Identifier: Apache-2.0
// From a fused graph to a plan: operands with their strides, steps with their phases, buffers with their lives.
#pragma once
#include "plan.hpp"

namespace sinter::detail {

class plan_builder {
 public:
  constexpr explicit plan_builder(graph g) : p{} {
    p.g = std::move(g);
    at_ = passes::place(p.g);
    f_ = passes::fuse(p.g);
  }
  plan p;

  constexpr void run() {
    graph const& g = p.g;
    int const n = g.nodes.size();
    stored_.resize(n, 0);
    buffer_.resize(n, -1);
    step_.resize(n, -1);
    // What leaves its kernel: read by another one, or an output.
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
    share_in_place();
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

  // Node o seen from loops over `space`, aligned on the right; `extra` loops stand behind it.
  constexpr operand access_of(int o, dims const& space, int rank, bool written) {
    graph const& g = p.g;
    operand r;
    dims const& s = g.nodes[o].type.shape;
    layout const& l = at_.where[o];
    int base = o;
    while (g.kind(base) == family::view && !at_.copied[base]) base = g.operand(g.nodes[base], 0);
    r.buffer = buffer_of(base);
    r.type = g.nodes[o].type.type;
    r.written = written;
    r.offset = l.offset;
    r.offset_extra = l.offset_extra;
    r.touched = {1, 0};
    bool const one = g.is(base, constant_op) && g.nodes[base].data == 1;
    for (int i = 1; i <= s.rank; ++i) {
      if (s.d[s.rank - i] == 1 || one) continue;
      r.stride[rank - i] = l.stride[s.rank - i];
      if (!(l.stride[s.rank - i] == size{})) r.touched = r.touched * g.dimensions.size_of(s.d[s.rank - i]);
    }
    (void)space;
    return r;
  }
  constexpr int find_or_add(group& q, operand const& r) {
    for (int j = 0; j < q.operands.n; ++j) {
      operand const& o = p.operands[q.operands.at + j];
      bool same = o.buffer == r.buffer && o.offset == r.offset && o.offset_extra == r.offset_extra && o.written == r.written;
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
    if (is_product) {
      attributes const a = g.attributes_of(g.nodes[from.anchor]);
      transposed[0] = a.v[0] != 0;
      transposed[1] = a.v[1] != 0;
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
        operand r = access_of(o, space, space.rank, false);
        if (is_product)
          r = product_operand(r, o,
                              k.op->kind == family::product ? j
                              : s.prologue                  ? 0
                                                            : 2,
                              transposed, space.rank, k.op->kind == family::product);
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
      operand const r = access_of(s.node, space, space.rank, true);
      s.store = q.operands.n;
      p.operands.push(r);
      ++q.operands.n;
      live(r.buffer, id, true);
    }
    if (q.kind == kernel_kind::rows) rows_first(q, from.axes);
    else if (q.kind == kernel_kind::pointwise) collapse(q, 0, q.rank);
    else { collapse_batch(q); }
    set_modes(q);
    if (q.kind == kernel_kind::rows) set_phases(q);
    p.groups.push(q);
  }

  // The operands of a product run over (m, k) and (k, n), those of its prologue over (m, k), those of its epilogue over (m, n).
  // Loops: batch, m, n, k.
  constexpr operand product_operand(operand r, int o, int which, bool const* transposed, int rank, bool own) const {
    (void)o;
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
    int const id = p.groups.size();
    step_info s;
    s.op = k.op;
    s.type = k.type.type;
    s.node = i;
    s.n = k.in.n;
    q.attrs = k.attrs;
    q.shapes[0] = k.type.shape;
    for (int j = 0; j < k.in.n; ++j) {
      int const o = g.operand(k, j);
      q.shapes[j + 1] = g.nodes[o].type.shape;
      operand r = access_of(o, q.shapes[j + 1], q.shapes[j + 1].rank, false);
      s.from[j] = -1 - q.operands.n;
      p.operands.push(r);
      ++q.operands.n;
      live(r.buffer, id, false);
    }
    q.inputs = q.operands.n;
    operand const r = access_of(i, k.type.shape, k.type.shape.rank, true);
    s.store = q.operands.n;
    p.operands.push(r);
    ++q.operands.n;
    live(r.buffer, id, true);
    q.rank = k.type.shape.rank;
    for (int j = 0; j < q.rank; ++j) q.extents[j] = g.dimensions.size_of(k.type.shape.d[j]);
    p.steps.push(s);
    ++q.steps.n;
    p.groups.push(q);
  }

  // Loops of extent 1 vanish, and neighbours that every operand runs through in one go become one. Works on loops [first, last).
  constexpr int collapse(group& q, int first, int last) {
    int to = first;
    for (int i = first; i < last; ++i) {
      if (q.extents[i] == size{1, 0}) continue;
      bool merge = to > first;
      for (int j = 0; j < q.operands.n && merge; ++j) {
        operand const& o = p.operands[q.operands.at + j];
        merge = o.stride[to - 1] == o.stride[i] * q.extents[i];
      }
      if (merge) {
        q.extents[to - 1] = q.extents[to - 1] * q.extents[i];
        for (int j = 0; j < q.operands.n; ++j) p.operands[q.operands.at + j].stride[to - 1] = p.operands[q.operands.at + j].stride[i];
      } else {
        q.extents[to] = q.extents[i];
        for (int j = 0; j < q.operands.n; ++j) p.operands[q.operands.at + j].stride[to] = p.operands[q.operands.at + j].stride[i];
        ++to;
      }
    }
    if (to == first) {  // a loop of one element
      q.extents[to] = {1, 0};
      for (int j = 0; j < q.operands.n; ++j) p.operands[q.operands.at + j].stride[to] = size{};
      ++to;
    }
    int const gone = last - to;
    for (int i = last; i < q.rank; ++i) {
      q.extents[i - gone] = q.extents[i];
      for (int j = 0; j < q.operands.n; ++j) p.operands[q.operands.at + j].stride[i - gone] = p.operands[q.operands.at + j].stride[i];
    }
    q.rank -= gone;
    return to - first;
  }
  constexpr void collapse_batch(group& q) {
    if (q.rank > 3) collapse(q, 0, q.rank - 3);
  }
  // Loops over rows first, then the reduced ones.
  constexpr void rows_first(group& q, std::int64_t axes) {
    int from[max_loop]{}, n = 0;
    for (int i = 0; i < q.rank; ++i)
      if (!((axes >> i) & 1)) from[n++] = i;
    int const rows = n;
    for (int i = 0; i < q.rank; ++i)
      if ((axes >> i) & 1) from[n++] = i;
    size extents[max_loop]{};
    for (int i = 0; i < q.rank; ++i) extents[i] = q.extents[from[i]];
    for (int i = 0; i < q.rank; ++i) q.extents[i] = extents[i];
    for (int j = 0; j < q.operands.n; ++j) {
      operand& o = p.operands[q.operands.at + j];
      size s[max_loop]{};
      for (int i = 0; i < q.rank; ++i) s[i] = o.stride[from[i]];
      for (int i = 0; i < q.rank; ++i) o.stride[i] = s[i];
    }
    int row_rank = rows;
    if (rows > 0) row_rank = collapse(q, 0, rows);
    collapse(q, row_rank, q.rank);
    q.row_rank = row_rank;
  }
  constexpr void set_modes(group& q) {
    int const inner = q.kind == kernel_kind::product ? q.rank - 2 : q.rank - 1;
    for (int j = 0; j < q.operands.n; ++j) {
      operand& o = p.operands[q.operands.at + j];
      o.mode = o.stride[inner] == size{}
                   ? (o.written && !(q.extents[inner] == size{1, 0}) && !(q.kind == kernel_kind::rows) ? access::strided : access::zero)
               : o.stride[inner] == size{1, 0} ? access::unit
                                               : access::strided;
      if (q.kind == kernel_kind::product && !o.written && is_prologue_operand(q, j))
        o.mode = o.stride[q.rank - 1] == size{} ? access::zero : o.stride[q.rank - 1] == size{1, 0} ? access::unit : access::strided;
    }
  }
  constexpr bool is_prologue_operand(group const& q, int j) const {
    for (int i = 0; i < q.steps.n; ++i) {
      step_info const& s = p.steps[q.steps.at + i];
      if (s.prologue)
        for (int k = 0; k < s.n; ++k)
          if (s.from[k] == -1 - j) return true;
    }
    return false;
  }

  // Rows: a reduction ends a phase, and what needs its value runs in the next. A step whose elements are needed in several phases is
  // computed again in each, unless an output can hold it meanwhile.
  constexpr void set_phases(group& q) {
    step_info* s = &p.steps[q.steps.at];
    for (int i = 0; i < q.steps.n; ++i) {
      for (int j = 0; j < s[i].n; ++j)
        if (s[i].from[j] >= 0 && s[s[i].from[j]].phase > s[i].phase) s[i].phase = s[s[i].from[j]].phase;
      if (s[i].op->kind == family::reduction) ++s[i].phase;
      if (s[i].phase + 1 > q.phases) q.phases = s[i].phase + 1;
    }
    for (int i = q.steps.n - 1; i >= 0; --i) {
      if (s[i].row) {
        if (s[i].op->kind == family::reduction) need(s, i, 1u << (s[i].phase - 1));
        continue;
      }
      if (s[i].store >= 0) s[i].needed |= 1u << s[i].phase;
      unsigned const later = s[i].needed & ~(1u << s[i].phase);
      if (later != 0 && s[i].op->cost >= 6) s[i].keep = s[i].store >= 0 ? s[i].store : spare_output(q, s, i);
      if (s[i].keep >= 0) s[i].needed |= 1u << s[i].phase;
      need(s, i, s[i].keep >= 0 ? 1u << s[i].phase : s[i].needed);
    }
  }
  constexpr void need(step_info* s, int i, unsigned phases) const {
    for (int j = 0; j < s[i].n; ++j)
      if (s[i].from[j] >= 0 && !s[s[i].from[j]].row) s[s[i].from[j]].needed |= phases;
  }
  // An output of the same size of element that is written only after the last use of step i.
  constexpr int spare_output(group const& q, step_info const* s, int i) const {
    int last = 0;
    for (int b = 0; b < 32; ++b)
      if ((s[i].needed >> b) & 1) last = b;
    for (int j = 0; j < q.steps.n; ++j) {
      if (s[j].store < 0 || s[j].row || s[j].type != s[i].type || s[j].phase < last) continue;
      operand const& o = p.operands[q.operands.at + s[j].store];
      if (o.mode != access::unit) continue;
      bool free = true;
      for (int k = 0; k < q.steps.n; ++k) free = free && s[k].keep != s[j].store;
      if (free) return s[j].store;
    }
    return -1;
  }

  // exact. A result takes the bytes of an operand that dies in the same kernel and is read element by element where it is written.
  constexpr void share_in_place() {
    for (int id = 0; id < p.groups.size(); ++id) {
      group const& q = p.groups[id];
      if (q.kind == kernel_kind::opaque) continue;
      list<int> used;
      for (int j = q.inputs; j < q.operands.n; ++j) {
        operand const& out = p.operands[q.operands.at + j];
        buffer_info& b = p.buffers[out.buffer];
        if (b.where != storage::arena || b.first != id || b.home != out.buffer || !(b.elements == out.touched)) continue;
        for (int i = 0; i < q.inputs; ++i) {
          int const source = p.operands[q.operands.at + i].buffer;
          if (!can_share(q, id, i, j)) continue;
          bool free = true;
          for (int u : used) free = free && u != source;
          if (!free) continue;
          used.push(source);
          b.home = p.buffers[source].home;
          break;
        }
      }
    }
  }
  constexpr bool can_share(group const& q, int id, int i, int j) const {
    operand const &in = p.operands[q.operands.at + i], &out = p.operands[q.operands.at + j];
    buffer_info const& a = p.buffers[in.buffer];
    if (a.where != storage::arena || a.last != id || !(a.elements == p.buffers[out.buffer].elements) ||
        bytes_of(in.type) != bytes_of(out.type))
      return false;
    if (a.home != in.buffer && p.buffers[a.home].last != id && p.buffers[a.home].last >= id) return false;
    for (int k = 0; k < q.inputs; ++k) {  // all reads of the buffer happen where the result is written
      operand const& o = p.operands[q.operands.at + k];
      if (o.buffer != in.buffer) continue;
      if (o.offset != out.offset || !(o.offset_extra == out.offset_extra)) return false;
      for (int l = 0; l < q.rank; ++l)
        if (!(o.stride[l] == out.stride[l])) return false;
    }
    if (q.kind != kernel_kind::rows) return true;
    for (int k = 0; k < q.steps.n; ++k) {  // rows: and never after it was written
      step_info const& s = p.steps[q.steps.at + k];
      for (int l = 0; l < q.steps.n; ++l) {
        step_info const& w = p.steps[q.steps.at + l];
        if (w.store != j && w.keep != j) continue;
        for (int o = 0; o < s.n; ++o)
          if (s.from[o] == -1 - i && (s.keep >= 0                       ? 1u << s.phase
                                      : s.op->kind == family::reduction ? 1u << (s.phase - 1)
                                                                        : s.needed) >>
                                         (w.phase + 1))
            return false;
      }
    }
    return true;
  }
};

}  // namespace sinter::detail
