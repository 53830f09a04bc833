// SPDX-License-Identifier: Apache-2.0
// Decides which nodes one kernel computes together.
#pragma once
#include "place.hpp"

namespace sinter {
inline namespace SINTER_ISA {

enum class kernel_kind : std::int8_t {
  pointwise,  // elementwise operations over one space
  rows,       // reductions over the same axes with elementwise operations around them
  product,    // one product with a prologue on its first operand and an epilogue on its result
  opaque
};

// Why a value goes through memory between two kernels.
enum class reason : std::int8_t {
  none,
  different_space,     // the two run over shapes of which one is stretched or cut to the other
  view_between,        // the consumer reads the elements in another order
  opaque,              // one of the two never fuses
  product_operand,     // a product reads its operands many times
  product_reduced,     // a reduction needs whole rows of a product, which come in tiles
  second_product,      // a kernel holds one product
  different_axes,      // two reductions over other axes
  would_cycle,         // something between the two needs the one and is needed by the other
  budget               // the kernel would hold more values than there are registers
};
constexpr std::string_view sentence(reason r) {
  switch (r) {
    case reason::none: return "they are fused";
    case reason::different_space: return "they run over different shapes";
    case reason::view_between: return "the elements are read in another order";
    case reason::opaque: return "one of them never fuses";
    case reason::product_operand: return "a product reads its operand many times";
    case reason::product_reduced: return "a reduction needs whole rows, and a product gives tiles";
    case reason::second_product: return "a kernel holds one product";
    case reason::different_axes: return "they reduce over different axes";
    case reason::would_cycle: return "something between them needs the first and is needed by the second";
    case reason::budget: return "the kernel would hold too many values";
  }
  return "";
}

}  // namespace SINTER_ISA
namespace passes::inline SINTER_ISA {

struct fused_group {
  kernel_kind kind = kernel_kind::pointwise;
  int parent = -1;         // this group, or the one that it became part of
  int position = 0;        // kernels run in the order of their positions
  int shape = -1;          // a node that has the shape the kernel runs over
  std::int64_t axes = 0;   // rows: the reduced axes as bits
  int anchor = -1;         // the product, or the opaque operation
  int steps = 0;
  list<int> readers;       // groups that read what this one computes
};
struct missed {
  int producer = -1, consumer = -1;  // nodes
  reason why = reason::none;
};
struct fusion {
  list<fused_group> groups;
  list<int> of;            // node -> group, -1 for leaves, views and joins
  list<char> prologue;     // the node runs on a product's first operand
  list<missed> misses;

  constexpr int root(int g) const {
    while (groups[g].parent != g) g = groups[g].parent;
    return g;
  }
};

inline constexpr int step_budget = 24;

namespace detail {

class fuser {
 public:
  constexpr explicit fuser(graph const& g) : g_(g) {
    int const n = g.nodes.size();
    f.of.resize(n, -1);
    f.prologue.resize(n, 0);
    why_.resize(g.operands.size(), reason::none);
    uses_.resize(n, 0);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < g.nodes[i].in.n; ++j) ++uses_[g.operand(g.nodes[i], j)];
    for (int o : g.outputs) ++uses_[o];
  }
  fusion f;

  constexpr void run() {
    for (int i = 0; i < g_.nodes.size(); ++i)
      if (has_kernel(g_, i)) visit(i);
    merge_siblings();
    for (int i = 0; i < g_.nodes.size(); ++i) {
      if (f.of[i] < 0) continue;
      f.of[i] = f.root(f.of[i]);
      for (int j = 0; j < g_.nodes[i].in.n; ++j) {
        int const at = g_.nodes[i].in.at + j;
        int o = g_.operands[at];
        while (g_.kind(o) == family::view || g_.kind(o) == family::result) o = g_.operand(g_.nodes[o], 0);
        if (f.of[o] >= 0 && f.root(f.of[o]) != f.of[i]) f.misses.push({o, i, why_[at]});
      }
    }
  }

 private:
  graph const& g_;
  list<reason> why_;
  list<int> uses_, sources_;
  int positions_ = 0;

  constexpr dims const& shape(int i) const { return g_.nodes[i].type.shape; }
  constexpr std::int64_t axes_of(int reduction) const { return unpack<ops::reduction_attributes>(g_.words_of(g_.nodes[reduction])).axes; }
  // The shape of one value per row.
  constexpr dims reduced(fused_group const& q) const {
    dims s = shape(q.shape);
    for (int i = 0; i < s.rank; ++i)
      if ((q.axes >> i) & 1) s.d[i] = 1;
    return s;
  }
  // The groups whose results node o is made of, through views and joins.
  constexpr void sources(int o) {
    if (f.of[o] >= 0) {
      int const s = f.root(f.of[o]);
      for (int k : sources_)
        if (k == s) return;
      sources_.push(s);
    } else if (g_.kind(o) != family::leaf) {
      for (int j = 0; j < g_.nodes[o].in.n; ++j) sources(g_.operand(g_.nodes[o], j));
    }
  }

  // Whether node i may become part of a group that computes its operand o.
  constexpr reason joins(int i, int o, fused_group const& q) const {
    family const kind = g_.kind(i);
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
    fused_group const merged = x;
    int const steps = a.steps + b.steps;
    a.kind = merged.kind;
    a.shape = merged.shape;
    a.axes = merged.axes;
    a.anchor = merged.anchor;
    a.steps = steps;
    return reason::none;
  }
  // A group may run at a later position if all groups that read its results from memory run even later.
  constexpr bool movable(int q, int position) const {
    for (int r : f.groups[q].readers)
      if (f.groups[f.root(r)].position <= position) return false;
    return true;
  }
  // Whether node i needs results of group q through a view or a join, so from memory.
  constexpr bool reads_from_memory(int i, int q) {
    sources_.shrink(0);
    for (int j = 0; j < g_.nodes[i].in.n; ++j)
      if (int const o = g_.operand(g_.nodes[i], j); f.of[o] < 0) sources(o);
    for (int s : sources_)
      if (s == q) return true;
    return false;
  }

  constexpr void visit(int i) {
    node const& k = g_.nodes[i];
    fused_group mine;
    mine.steps = 1;
    mine.shape = i;
    if (k.op->kind == family::product || k.op->kind == family::opaque) {
      mine.kind = k.op->kind == family::product ? kernel_kind::product : kernel_kind::opaque;
      mine.anchor = i;
    } else if (k.op->kind == family::reduction) {
      mine.kind = kernel_kind::rows;
      mine.shape = g_.operand(k, 0);
      mine.axes = axes_of(i);
    }
    sources_.shrink(0);
    for (int j = 0; j < k.in.n; ++j) sources(g_.operand(k, j));
    int top = -1;
    for (int s : sources_)
      if (f.groups[s].position > top) top = f.groups[s].position;

    list<int> chosen;
    int position = -1;
    int const prologue = k.op->kind == family::product ? prologue_of(i, top) : -1;
    if (prologue >= 0) {
      for (int m = 0; m < i; ++m)
        if (f.of[m] >= 0 && f.root(f.of[m]) == prologue) f.prologue[m] = 1;
      mine.steps += f.groups[prologue].steps;
      chosen.push(prologue);
      position = f.groups[prologue].position == top ? top : positions_++;
    }
    // The operands' groups, the latest first: joining that one never makes a cycle.
    for (bool more = prologue < 0; more;) {
      more = false;
      int best = -1, at = -1;
      for (int j = 0; j < k.in.n; ++j) {
        int const o = g_.operand(k, j);
        if (f.of[o] < 0) {
          if (why_[k.in.at + j] == reason::none && g_.kind(o) != family::leaf)
            why_[k.in.at + j] = g_.kind(o) == family::result ? reason::opaque : reason::view_between;
          continue;
        }
        int const q = f.root(f.of[o]);
        bool seen = why_[k.in.at + j] != reason::none;
        for (int c : chosen) seen = seen || c == q;
        if (!seen && (best < 0 || f.groups[q].position > f.groups[best].position)) {
          best = q;
          at = k.in.at + j;
        }
      }
      if (best < 0) break;
      more = true;
      reason why = joins(i, g_.operands[at], f.groups[best]);
      int const p = position >= 0 ? position : f.groups[best].position == top ? top : positions_;
      fused_group trial = mine;
      if (why == reason::none && (!movable(best, p) || reads_from_memory(i, best))) why = reason::would_cycle;
      if (why == reason::none) why = combine(trial, f.groups[best]);
      if (why == reason::none) {
        mine = trial;
        chosen.push(best);
        if (position < 0) position = p == positions_ ? positions_++ : p;
      } else
        for (int j = 0; j < k.in.n; ++j)
          if (int const o = g_.operand(k, j); f.of[o] >= 0 && f.root(f.of[o]) == best) why_[k.in.at + j] = why;
    }

    int home = -1;
    if (chosen.empty()) {
      home = f.groups.size();
      mine.parent = home;
      mine.position = positions_++;
      f.groups.push(mine);
    } else {
      home = chosen[0];
      fused_group& h = f.groups[home];
      h.kind = mine.kind;
      h.shape = mine.shape;
      h.axes = mine.axes;
      h.anchor = mine.anchor;
      h.steps = mine.steps;
      h.position = position;
      for (int c = 1; c < chosen.size(); ++c) absorb(home, chosen[c]);
    }
    f.of[i] = home;
    sources_.shrink(0);
    for (int j = 0; j < k.in.n; ++j) sources(g_.operand(k, j));
    for (int s : sources_) {
      int const r = f.root(s);
      if (r != home && (f.groups[r].readers.empty() || f.groups[r].readers.back() != home)) f.groups[r].readers.push(home);
    }
  }
  constexpr void absorb(int home, int other) {
    f.groups[other].parent = home;
    for (int r : f.groups[other].readers) f.groups[home].readers.push(r);
  }

  // The elementwise group that can run on the first operand of product i while it is read: nothing else needs its result, and it is cheap
  // enough to be computed once for each panel of the other operand.
  constexpr int prologue_of(int i, int top) {
    node const& k = g_.nodes[i];
    int const o = g_.operand(k, 0);
    if (f.of[o] < 0 || uses_[o] != 1 || g_.operand(k, 1) == o) return -1;
    int const q = f.root(f.of[o]);
    fused_group const& p = f.groups[q];
    if (p.kind != kernel_kind::pointwise || p.steps > 2 || !(shape(o) == shape(p.shape))) return -1;
    if (p.position != top && !p.readers.empty()) return -1;
    if (*k.op == ops::info<ops::product> && ops::attributes_in<ops::product>(g_, k).transpose_a) return -1;  // it is read across its rows
    int cost = 0;
    for (int m = 0; m < i; ++m) {
      if (f.of[m] < 0 || f.root(f.of[m]) != q) continue;
      cost += g_.nodes[m].op->cost;
      if (m != o && uses_[m] != 1) return -1;
      for (int out : g_.outputs)
        if (out == m) return -1;
    }
    return cost <= 2 ? q : -1;
  }

  // Independent kernels over one shape that read a common value become one.
  constexpr void merge_siblings() {
    list<int> last(g_.nodes.size(), -1);  // the last pointwise group that read the node
    for (int i = 0; i < g_.nodes.size(); ++i) {
      if (f.of[i] < 0 || g_.kind(i) != family::elementwise) continue;
      for (int j = 0; j < g_.nodes[i].in.n; ++j) {
        int const o = g_.operand(g_.nodes[i], j), b = f.root(f.of[i]);
        if (is_constant(g_, o) || shape(o).rank == 0 || f.groups[b].kind != kernel_kind::pointwise) continue;
        int const a = last[o] < 0 ? -1 : f.root(last[o]);
        if (a >= 0 && a != b && f.groups[a].kind == kernel_kind::pointwise) {
          int const early = f.groups[a].position < f.groups[b].position ? a : b, late = early == a ? b : a;
          fused_group trial = f.groups[late];
          if (movable(early, f.groups[late].position) && combine(trial, f.groups[early]) == reason::none) {
            f.groups[late].steps = trial.steps;
            absorb(late, early);
          }
        }
        last[o] = f.root(f.of[i]);
      }
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
  return f.f;
}

}  // namespace passes::inline SINTER_ISA
}  // namespace sinter
