// SPDX-License-Identifier: Apache-2.0
// Decides which nodes one kernel computes together.
#pragma once
#include "waiting.hpp"

namespace sinter {
namespace passes::inline SINTER_ISA {

inline constexpr int step_budget = 24;

namespace detail {

class fuser {
 public:
  constexpr explicit fuser(graph const& g) : fuser(g, {}, {}) {
    int const n = g.nodes.size(), outputs = g.outputs.size();
    f.of.resize(n, -1);
    f.prologue.resize(n, 0);
    notes.why.resize(g.operands.size(), reason::none);
    notes.uses.resize(n, 0);
    notes.last.resize(n, -1);
    int* const uses = notes.uses.begin();
    for (int i = 0; i < n; ++i)
      for (int j = nodes_[i].in.at; j < nodes_[i].in.at + nodes_[i].in.n; ++j) ++uses[operands_[j]];
    for (int j = 0; j < outputs; ++j) ++uses[g.outputs[j]];
  }
  // Goes on with what an earlier fuser of the same graph has found.
  constexpr fuser(graph const& g, fusion found, fusion_notes then)
      : f(std::move(found)), notes(std::move(then)), g_(g), updates_(g), nodes_(g.nodes.data()), operands_(g.operands.data()) {}
  fusion f;
  fusion_notes notes;

  // Three rounds over the nodes; each may be done in several parts.
  static constexpr int rounds = 3;
  constexpr void advance(int round, int first, int last) {
    for (int i = first; i < last; ++i) {
      if (round == 0 ? !has_kernel(g_, i) : f.of.data()[i] < 0) continue;
      if (round == 0) visit(i);
      else if (round == 1) merge_siblings(i);
      else note_misses(i);
    }
  }
  constexpr void run() {
    for (int r = 0; r < rounds; ++r) advance(r, 0, g_.nodes.size());
  }

 private:
  graph const& g_;
  update_order updates_;
  node const* nodes_;  // those of the graph: a call of its functions would cost steps
  int const* operands_;
  list<int> sources_, memory_;

  constexpr dims const& shape(int i) const { return nodes_[i].type.shape; }
  constexpr std::int64_t axes_of(int reduction) const { return unpack<ops::reduction_attributes>(g_.words_of(nodes_[reduction])).axes; }
  // The shape of one value per row.
  constexpr dims reduced(fused_group const& q) const {
    dims s = shape(q.shape);
    for (int i = 0; i < s.rank; ++i)
      if ((q.axes >> i) & 1) s.d[i] = 1;
    return s;
  }
  constexpr void add_source(int group, list<int>& found) const {
    for (int const *k = found.data(), *end = k + found.size(); k != end; ++k)
      if (*k == group) return;
    found.push(group);
  }
  // The groups whose results node o is made of, through views and joins.
  constexpr void sources(int o, list<int>& found) const {
    if (f.of.data()[o] >= 0) add_source(f.root(f.of.data()[o]), found);
    else if (node const& k = nodes_[o]; k.op->kind != family::leaf) {
      for (int j = 0; j < k.in.n; ++j) sources(operands_[k.in.at + j], found);
    }
  }

  // Whether node i may become part of a group that computes its operand o.
  constexpr reason joins(int i, int o, fused_group const& q) const {
    family const kind = nodes_[i].op->kind;
    if (kind == family::opaque || q.kind == kernel_kind::opaque) return reason::opaque;
    if (kind == family::product) return q.kind == kernel_kind::product ? reason::second_product : reason::product_operand;
    if (kind == family::reduction) {
      if (q.kind == kernel_kind::product) return reason::product_reduced;
      if (!(shape(o) == shape(q.shape))) return reason::different_axes;
      if (q.kind == kernel_kind::rows && q.axes != axes_of(i)) return reason::different_axes;
      return reason::none;
    }
    if (shape(i) == shape(q.shape)) return reason::none;
    if (q.kind == kernel_kind::rows && shape(i) == reduced(q)) return reason::none;
    return reason::different_space;
  }
  // What a group computes becomes that of another.
  static constexpr void take(fused_group& to, fused_group const& from) {
    to.kind = from.kind;
    to.shape = from.shape;
    to.axes = from.axes;
    to.anchor = from.anchor;
    to.steps = from.steps;
  }
  // Whether two groups can become one, which `a` is then.
  constexpr reason combine(fused_group& a, fused_group const& b) const {
    if (a.kind == kernel_kind::product && b.kind == kernel_kind::product) return reason::second_product;
    if (a.steps + b.steps > step_budget) return reason::budget;
    fused_group const& x = a.kind == kernel_kind::pointwise ? b : a;  // the one that decides the kind
    fused_group const& y = a.kind == kernel_kind::pointwise ? a : b;
    if (x.kind == kernel_kind::product && y.kind == kernel_kind::rows) return reason::product_reduced;
    if (x.kind == kernel_kind::rows && y.kind == kernel_kind::product) return reason::product_reduced;
    if (x.kind == kernel_kind::rows && y.kind == kernel_kind::rows && (x.axes != y.axes || !(shape(x.shape) == shape(y.shape))))
      return reason::different_axes;
    if (!(shape(x.shape) == shape(y.shape)) &&
        !(x.kind == kernel_kind::rows && y.kind == kernel_kind::pointwise && shape(y.shape) == reduced(x)))
      return reason::different_space;
    fused_group merged = x;
    merged.steps = a.steps + b.steps;
    take(a, merged);
    return reason::none;
  }
  // A group may run at a later position if all groups that read its results from memory run even later.
  constexpr bool movable(int q, int position) const {
    for (int at = notes.read_by[q].first; at >= 0; at = notes.readers[at].next)
      if (f.groups[f.root(notes.readers[at].group)].position <= position) return false;
    return true;
  }
  // Whether node i needs results of group q through a view or a join, so from memory.
  constexpr bool reads_from_memory(int i, int q) {
    memory_.shrink(0);
    node const& k = nodes_[i];
    for (int j = 0; j < k.in.n; ++j)
      if (int const o = operands_[k.in.at + j]; f.of[o] < 0) sources(o, memory_);
    for (int s : memory_)
      if (s == q) return true;
    return false;
  }

  // The kernel of node i alone.
  constexpr fused_group alone(int i) const {
    node const& k = nodes_[i];
    fused_group mine;
    mine.steps = 1;
    mine.shape = i;
    if (k.op->kind == family::product || k.op->kind == family::opaque) {
      mine.kind = k.op->kind == family::product ? kernel_kind::product : kernel_kind::opaque;
      mine.anchor = i;
    } else if (k.op->kind == family::reduction) {
      mine.kind = kernel_kind::rows;
      mine.shape = operands_[k.in.at];
      mine.axes = axes_of(i);
    }
    return mine;
  }
  constexpr void visit(int i) {
    node const& k = nodes_[i];
    fused_group mine = alone(i);
    sources_.shrink(0);
    for (int j = 0; j < k.in.n; ++j) sources(operands_[k.in.at + j], sources_);
    updates_.each_before(i, [&](int r) {  // as if it read their results: they run before it writes
      if (f.of[r] >= 0) add_source(f.root(f.of[r]), sources_);
    });
    int const *const of = f.of.data(), *const found = sources_.data(), n_found = sources_.size();
    int top = -1;
    for (int j = 0; j < n_found; ++j)
      if (int const p = f.groups.data()[found[j]].position; p > top) top = p;

    list<int> chosen;
    int position = -1;
    int const prologue = k.op->kind == family::product ? prologue_of(i, top) : -1;
    if (prologue >= 0) {
      for (int m = f.groups[prologue].first; m < i; ++m)
        if (of[m] >= 0 && f.root(of[m]) == prologue) f.prologue[m] = 1;
      mine.steps += f.groups[prologue].steps;
      chosen.push(prologue);
      position = f.groups[prologue].position == top ? top : notes.positions++;
    } else join_operands(i, top, mine, chosen, position);
    settle(i, mine, chosen, position);
  }
  // The operands' groups, the latest first: joining that one never makes a cycle.
  constexpr void join_operands(int i, int top, fused_group& mine, list<int>& chosen, int& position) {
    if (waiting(g_, f, notes).holds(i)) return;
    node const& k = nodes_[i];
    int const* const of = f.of.data();
    for (int at = latest(k, chosen); at >= 0; at = latest(k, chosen)) {
      int const best = f.root(of[operands_[at]]);
      reason why = joins(i, operands_[at], f.groups[best]);
      int const p = position >= 0 ? position : f.groups[best].position == top ? top : notes.positions;
      fused_group trial = mine;
      if (why == reason::none && (!movable(best, p) || reads_from_memory(i, best))) why = reason::would_cycle;
      if (why == reason::none) why = combine(trial, f.groups[best]);
      if (why == reason::none) {
        mine = trial;
        chosen.push(best);
        if (position < 0) position = p == notes.positions ? notes.positions++ : p;
      } else
        for (int j = k.in.at; j < k.in.at + k.in.n; ++j)
          if (int const o = operands_[j]; of[o] >= 0 && f.root(of[o]) == best) notes.why[j] = why;
    }
  }
  // Which operand of k comes from the latest group that is neither chosen nor ruled out; -1 if none does.
  constexpr int latest(node const& k, list<int> const& chosen) {
    reason* const why = notes.why.begin();
    int best = -1, at = -1;
    for (int j = k.in.at; j < k.in.at + k.in.n; ++j) {
      int const o = operands_[j];
      if (f.of.data()[o] < 0) {
        if (why[j] == reason::none && nodes_[o].op->kind != family::leaf)
          why[j] = nodes_[o].op->kind == family::result ? reason::opaque : reason::view_between;
        continue;
      }
      int const q = f.root(f.of.data()[o]);
      bool seen = why[j] != reason::none;
      for (int c = 0; c < chosen.size(); ++c) seen = seen || chosen[c] == q;
      if (!seen && (best < 0 || f.groups.data()[q].position > f.groups.data()[best].position)) {
        best = q;
        at = j;
      }
    }
    return at;
  }
  // Node i becomes part of the first of the chosen groups, and the others with it; or a group of its own.
  constexpr void settle(int i, fused_group& mine, list<int> const& chosen, int position) {
    int home = -1;
    if (chosen.empty()) {
      home = f.groups.size();
      mine.parent = home;
      mine.position = notes.positions++;
      mine.first = i;
      f.groups.push(mine);
      notes.read_by.push({});
    } else {
      home = chosen[0];
      fused_group& h = f.groups[home];
      take(h, mine);
      h.position = position;
      for (int c = 1; c < chosen.size(); ++c) absorb(home, chosen[c]);
    }
    f.of[i] = home;
    for (int j = 0; j < sources_.size(); ++j)
      if (int const r = f.root(sources_[j]); r != home) add_reader(notes.read_by[r], home);
  }
  constexpr void add_reader(reader_list& of, int group) {
    if (of.last >= 0 && notes.readers[of.last].group == group) return;
    int const at = notes.readers.size();
    notes.readers.push({group, -1});
    (of.last < 0 ? of.first : notes.readers[of.last].next) = at;
    of.last = at;
  }
  constexpr void absorb(int home, int other) {
    f.groups[other].parent = home;
    if (f.groups[other].first < f.groups[home].first) f.groups[home].first = f.groups[other].first;
    reader_list const more = notes.read_by[other];
    if (more.last < 0) return;
    reader_list& all = notes.read_by[home];
    (all.last < 0 ? all.first : notes.readers[all.last].next) = more.first;
    all.last = more.last;
  }

  // The elementwise group that can run on the first operand of product i while it is read: nothing else needs its result, and it is cheap
  // enough to be computed once for each panel of the other operand.
  constexpr int prologue_of(int i, int top) {
    node const& k = nodes_[i];
    int const o = operands_[k.in.at];
    if (f.of[o] < 0 || notes.uses[o] != 1 || operands_[k.in.at + 1] == o) return -1;
    int const q = f.root(f.of[o]);
    fused_group const& p = f.groups[q];
    if (p.kind != kernel_kind::pointwise || p.steps > 2 || !(shape(o) == shape(p.shape))) return -1;
    if (p.position != top && notes.read_by[q].first >= 0) return -1;
    if (*k.op == ops::info<ops::product> && ops::attributes_in<ops::product>(g_, k).transpose_a) return -1;  // it is read across its rows
    int cost = 0;
    for (int m = p.first; m < i; ++m) {
      if (f.of[m] < 0 || f.root(f.of[m]) != q) continue;
      cost += nodes_[m].op->cost;
      if (m != o && notes.uses[m] != 1) return -1;
      for (int out : g_.outputs)
        if (out == m) return -1;
    }
    return cost <= 2 ? q : -1;
  }

  // Independent kernels over one shape that read a common value become one. Node i has a kernel.
  constexpr void merge_siblings(int i) {
    node const& k = nodes_[i];
    if (k.op->kind != family::elementwise) return;
    for (int j = 0; j < k.in.n; ++j) {
      int const o = operands_[k.in.at + j], b = f.root(f.of.data()[i]);
      if (f.groups.data()[b].kind != kernel_kind::pointwise || is_constant(g_, o) || shape(o).rank == 0) continue;
      int const a = notes.last[o] < 0 ? -1 : f.root(notes.last[o]);
      if (a >= 0 && a != b && f.groups[a].kind == kernel_kind::pointwise) {
        int const early = f.groups[a].position < f.groups[b].position ? a : b, late = early == a ? b : a;
        fused_group trial = f.groups[late];
        if (movable(early, f.groups[late].position) && combine(trial, f.groups[early]) == reason::none) {
          f.groups[late].steps = trial.steps;
          absorb(late, early);
        }
      }
      notes.last[o] = f.root(f.of[i]);
    }
  }
  constexpr void note_misses(int i) {
    node const& k = nodes_[i];
    int const *const of = f.of.data(), mine = f.root(of[i]);
    f.of[i] = mine;
    for (int j = k.in.at; j < k.in.at + k.in.n; ++j) {
      int o = operands_[j];
      while (nodes_[o].op->kind == family::view || nodes_[o].op->kind == family::result) o = operands_[nodes_[o].in.at];
      if (of[o] >= 0 && f.root(of[o]) != mine) f.misses.push({o, i, notes.why[j]});
    }
  }
};
}  // namespace detail

// exact. Visits each node once, in order: it joins the kernels of its operands where that makes no cycle, or begins a kernel of its own.
// Elementwise nodes over one shape become one kernel with as many results as are needed; a reduction makes it a kernel over rows; a product
// takes what follows over its own shape as epilogue, and a cheap elementwise operand that nothing else reads as prologue.
constexpr fusion fuse(graph const& g) {
  detail::fuser f(g);
  f.run();
  return std::move(f.f);
}

}  // namespace passes::inline SINTER_ISA
}  // namespace sinter
