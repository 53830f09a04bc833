// SPDX-License-Identifier: Apache-2.0
// The order of a graph that changes parameters: what reads an old value comes before what writes the next one over it.
#pragma once
#include "canonicalise.hpp"
#include "place.hpp"

namespace sinter::passes::inline SINTER_ISA {

// Of each node the parameters whose next values it writes, and of each of these the nodes that read its old value: kernels alone, which are
// found through views and joins. Parameters are counted as in graph::updates.
class update_order {
 public:
  constexpr explicit update_order(graph const& g) : g_(g) {
    if (g.updates.empty()) return;
    int const n = g.nodes.size();
    update_ = g.update_of_parameter();
    writes_.of.resize(n, -1);
    readers_.of.resize(g.updates.size(), -1);
    list<int> parameter(n, -1);
    for (int i = 0; i < n; ++i) {
      node const& k = g.nodes[i];
      if (*k.op == parameter_op) parameter[i] = update_of(k.index);
      else if (k.op->kind == family::view) parameter[i] = parameter[g.operand(k, 0)];
      else if (ops::is_region(k.op->id)) note_bodies(i, unpack<ops::region_info>(g.words_of(k)));
      for (int j = 0; has_kernel(g, i) && j < k.in.n; ++j)
        if (int const u = parameter[g.operand(k, j)]; u >= 0) readers_.add(u, i);
    }
    for (int u = 0; u < g.updates.size(); ++u) mark(g.outputs[g.results() + u], u);
  }
  // f(r) for each node that reads what node i writes over, but for i itself.
  template <class F> constexpr void each_before(int i, F const& f) const {
    if (!writes_.of.empty())
      writes_.each(i, [&](int u) {
        readers_.each(u, [&](int r) {
          if (r != i) f(r);
        });
      });
  }

 private:
  struct lists {
    list<int> of, to, next;  // where each begins, what stands there, and where it goes on
    constexpr void add(int from, int what) {
      if (of[from] >= 0 && to[of[from]] == what) return;
      to.push(what);
      next.push(of[from]);
      of[from] = to.size() - 1;
    }
    template <class F> constexpr void each(int from, F const& f) const {
      for (int at = of[from]; at >= 0; at = next[at]) f(to[at]);
    }
  };
  graph const& g_;
  list<int> update_;
  lists writes_, readers_;

  constexpr int update_of(int parameter) const { return parameter < update_.size() ? update_[parameter] : -1; }
  constexpr void note_bodies(int i, ops::region_info const& r) {
    for (int at = 0; at < g_.body_reads.size(); at += 2)
      if (int const body = g_.body_reads[at]; body == r.body || body == r.otherwise)
        if (int const u = update_of(g_.body_reads[at + 1]); u >= 0) readers_.add(u, i);
  }
  constexpr void mark(int o, int u) {
    node const& k = g_.nodes[o];
    if (has_kernel(g_, o)) writes_.add(o, u);
    else if (k.op->kind != family::leaf)
      for (int j = 0; j < k.in.n; ++j) mark(g_.operand(k, j), u);
  }
};

namespace detail {
// The outputs, those that are results first, then updates in the order of how much must be computed before them: so gradients of the last
// layers, which need least, are used up first.
constexpr list<int> roots_by_depth(graph const& g) {
  list<int> depth(g.nodes.size(), 0), roots = needed(g);
  for (int i = 0; i < g.nodes.size(); ++i)
    for (int j = 0; j < g.nodes[i].in.n; ++j)
      if (int const d = depth[g.operand(g.nodes[i], j)] + 1; d > depth[i]) depth[i] = d;
  for (int i = roots.size() - g.updates.size() + 1; i < roots.size(); ++i)
    for (int j = i; j > roots.size() - g.updates.size() && depth[roots[j]] < depth[roots[j - 1]]; --j) {
      int const deeper = roots[j - 1];
      roots[j - 1] = roots[j];
      roots[j] = deeper;
    }
  return roots;
}
// Nodes in the order `base`, but each that writes over a parameter behind those that read it, and those that wait for it behind it.
class scheduler {
 public:
  constexpr scheduler(graph const& g, list<int> const& base)
      : first_(g.nodes.size(), -1),
        operands_(g.nodes.size(), 0),
        readers_(g.nodes.size(), 0),
        met_(g.nodes.size(), 0),
        done_(g.nodes.size(), 0) {
    update_order const updates(g);
    int effect = -1;
    for (int i : base) {
      if (g.nodes[i].op->effect) {  // effects keep their order
        if (effect >= 0) add(effect, i, false);
        effect = i;
      }
      for (int j = 0; j < g.nodes[i].in.n; ++j) add(g.operand(g.nodes[i], j), i, false);
      updates.each_before(i, [&](int r) { add(r, i, true); });
    }
    for (int i : base) {
      met_[i] = 1;
      if (operands_[i] == 0 && readers_[i] == 0) emit(i);
    }
    // The rest waits for readers of an old value that wait for the next one. Its first node waits no longer: there the next value has memory of
    // its own.
    while (order.size() < base.size())
      for (int i : base) {
        if (done_[i] || operands_[i] > 0) continue;
        readers_[i] = 0;
        emit(i);
        break;
      }
  }
  list<int> order;

 private:
  list<int> first_, operands_,
      readers_;  // of each node: its first edge, and how many operands (or an effect) and readers are not there yet
  list<char> met_, done_;
  list<int> to_, next_;  // of each edge: the node that waits, and the next edge from the same one
  list<char> of_reader_;

  constexpr void add(int from, int to, bool reader) {
    to_.push(to);
    next_.push(first_[from]);
    of_reader_.push(reader);
    first_[from] = to_.size() - 1;
    ++(reader ? readers_ : operands_)[to];
  }
  constexpr void emit(int i) {
    list<int> ready;
    ready.push(i);
    while (!ready.empty()) {
      int const k = ready.back();
      ready.pop();
      done_[k] = 1;
      order.push(k);
      for (int e = first_[k]; e >= 0; e = next_[e]) {
        int const w = to_[e];
        --(of_reader_[e] ? readers_ : operands_)[w];
        if (met_[w] && !done_[w] && operands_[w] == 0 && readers_[w] <= 0) ready.push(w);
      }
    }
  }
};
}  // namespace detail

// exact. Where a graph changes parameters, an old value is read before the next one is written, if anything allows that, so that one can take the
// place of the other; else nodes stay in the order of a walk from the outputs, the updates that need least first.
constexpr graph schedule(graph g) {
  graph r;
  if (g.updates.empty()) {
    r = std::move(g);
    return r;
  }
  list<int> base = detail::depth_first(g, detail::roots_by_depth(g));
  list<char> met(g.nodes.size(), 0);
  for (int i : base) met[i] = 1;
  for (int i = 0; i < g.nodes.size(); ++i)
    if (!met[i]) base.push(i);  // a result that nobody reads
  list<int> const order = detail::scheduler(g, base).order;
  r = detail::in_order(g, order);
  return r;
}

}  // namespace sinter::passes::inline SINTER_ISA
