// SPDX-License-Identifier: Apache-2.0
// What a reader wants to know of a plan's kernels: the operations in each by layer, who reads its results, and why it ends.
#pragma once
#include "../graph/print.hpp"
#include "../passes/place.hpp"
#include "../plan/image_blocks.hpp"

namespace sinter::viz::inline SINTER_ISA {

constexpr std::string_view name_of(kernel_kind k) {
  switch (k) {
    case kernel_kind::pointwise: return "pointwise";
    case kernel_kind::rows: return "rows";
    case kernel_kind::product: return "product";
    case kernel_kind::opaque: return "opaque";
  }
  return "";
}

// Operations of one kernel that belong together: the steps of a composite operation, or one operation alone.
struct part {
  letters title;        // norm.layer_norm, gelu
  list<letters> steps;  // of a composite operation
  int from = -1;        // where its name stands in the graph
};
constexpr list<part> parts_of(plan const& p, group const& q) {
  list<part> r;
  for (int s = 0; s < q.steps.n; ++s) {
    int const i = p.steps[q.steps.at + s].node;
    node const& k = p.g.nodes[i];
    auto const [layer, composite, is_own] = origin_of(p.g, k);
    if (composite.empty()) {
      r.push({label_of(p.g, i), {}, -1});
      continue;
    }
    part* home = nullptr;
    for (part& known : r)
      if (known.from == k.name.at) home = &known;
    if (!home) {
      home = &r.push({layer, {}, k.name.at});
      if (!layer.empty()) home->title += ".";
      home->title += composite;
    }
    home->steps.push(k.op->name);
  }
  for (part& one : r)
    if (one.steps.size() == 1) one.steps.shrink(0);  // "matmul: product" says nothing
  return r;
}
constexpr void add_once(list<letters>& to, letters const& s) {
  for (letters const& known : to)
    if (known == s) return;
  to.push(s);
}
constexpr letters joined(list<letters> const& words, char const* between) {
  letters r;
  for (letters const& w : words) r += (r.empty() ? "" : between) + w;
  return r;
}

// What a kernel writes: its operand, and the node whose values these are.
struct written {
  int operand = -1, node = -1;
};
constexpr list<written> written_by_kernel(plan const& p, group const& q) {
  list<written> r;
  for (int s = 0; s < q.steps.n; ++s) {
    step_info const& k = p.steps[q.steps.at + s];
    if (k.store < 0) continue;
    if (!k.op->several) r.push({k.store, k.node});
    for (int i = k.node + 1; k.op->several && i < p.g.nodes.size(); ++i)
      if (p.g.kind(i) == family::result && p.g.operand(p.g.nodes[i], 0) == k.node) r.push({k.store + p.g.nodes[i].index, i});
  }
  return r;
}
// The operation of control flow that runs body `at`: one of the network, or of another body.
constexpr letters owner_of(plan const& whole, int at) {
  for (int i = -1; i < whole.bodies.size(); ++i) {
    plan const& p = i < 0 ? whole : whole.bodies[i];
    for (group const& q : p.groups)
      for (int j = q.inputs; j < q.operands.n; ++j)
        if (buffer_info const& b = p.buffers[p.operands[q.operands.at + j].buffer]; b.body >= 0 && (b.body == at || b.other == at))
          return label_of(p.g, b.node);
  }
  return {};
}
// The kernel that computes each node; -1 for leaves, views and joins.
constexpr list<int> kernels_of(plan const& p) {
  list<int> r(p.g.nodes.size(), -1);
  for (int q = 0; q < p.groups.size(); ++q)
    for (int s = 0; s < p.groups[q].steps.n; ++s) r[p.steps[p.groups[q].steps.at + s].node] = q;
  return r;
}
// The outermost join that node `i` is a branch of, or -1.
constexpr int join_of(graph const& g, int i) {
  int r = -1;
  for (int u = i + 1; u < g.nodes.size(); ++u)
    for (int j = 0; g.kind(u) == family::join && j < g.nodes[u].in.n; ++j)
      if (g.operand(g.nodes[u], j) == (r < 0 ? i : r)) r = u;
  return r;
}

// Whether node u has `from` as an operand, as it is or through views.
constexpr bool reads(graph const& g, int u, int from) {
  for (int j = 0; j < g.nodes[u].in.n; ++j) {
    int o = g.operand(g.nodes[u], j);
    while (g.kind(o) == family::view) o = g.operand(g.nodes[o], 0);
    if (o == from) return true;
  }
  return false;
}

constexpr std::string_view sentence_of(plan const& p, passes::missed const& m) {
  if (m.why != reason::view_between) return sentence(m.why);
  family const reader = p.g.kind(m.consumer);
  if (reader == family::product) return sentence(reason::product_operand);
  if (reader == family::opaque) return sentence(reason::opaque);
  node const& k = p.g.nodes[m.consumer];
  for (int j = 0; j < k.in.n; ++j)
    if (int const o = p.g.operand(k, j); p.g.kind(o) == family::view && passes::detail::whole_source(p.g, o) == m.producer)
      return "the elements are read in another shape";
  return sentence(m.why);
}
// With which kernels it runs in blocks of rows; or why it does not, where what a product gives to another one is large.
constexpr letters blocks_of(plan const& p, int at) {
  letters r;
  if (int const last = p.groups[at].together; last >= 0) {
    r << (p.groups[at].of_images.row >= 0 ? "in blocks of image rows, each of them by kernels "
                                          : "in blocks of rows, each of them by kernels ");
    for (int q = 0; q <= last; ++q)
      if (p.groups[q].together == last) r << q << (q == last ? "" : ", ");
    return r;
  }
  if (p.groups[at].once) return r;
  if (std::string_view const why = detail::why_no_image_block(p, at); !why.empty()) r << "not in blocks of image rows: " << why;
  if (p.groups[at].kind != kernel_kind::product || detail::row_loops(p.groups[at]) == 0) return r;
  detail::row_chain const c = detail::chain_from(p, at);
  if (c.whole && detail::is_large(p, c))
    r << "not in blocks of rows with kernel " << c.kernel[c.n - 1] << ": " << detail::why_not_in_blocks(p, c);
  return r;
}
// Each sentence that says why kernel `at` ends: one for each kernel that reads from it, the concat that it writes into, the result.
constexpr list<letters> endings_of(plan const& p, int at, list<int> const& kernel, bool body = false) {
  list<letters> r;
  auto const of = [&](int i) { return kernel[i]; };
  auto const say = [&](letters const& s) { add_once(r, s); };
  for (int q = 0; q < p.groups.size(); ++q) {
    passes::missed const* first = nullptr;  // a cycle is seldom the reason of its own: another operand was read from memory before it
    for (passes::missed const& m : p.misses)
      if (of(m.producer) == at && of(m.consumer) == q && (!first || (first->why == reason::would_cycle && m.why != first->why))) first = &m;
    if (first) say("ends before " + label_of(p.g, first->consumer) + ": " + sentence_of(p, *first));
  }
  group const& q = p.groups[at];
  for (written const& w : written_by_kernel(p, q)) {
    bool const result = p.buffers[p.operands[q.operands.at + w.operand].buffer].where == storage::output;
    int const join = join_of(p.g, w.node);
    list<bool> told(p.groups.size());
    for (int u = join + 1; join >= 0 && u < p.g.nodes.size(); ++u) {
      if (of(u) < 0 || told[of(u)] || !reads(p.g, u, join)) continue;
      told[of(u)] = true;
      say("ends before " + label_of(p.g, u) + ": " + label_of(p.g, join) + " lays its parts side by side in memory");
    }
    if (result) say(body ? "ends with a result of the body" : "ends with the network's result");
  }
  return r;
}

}  // namespace sinter::viz::inline SINTER_ISA
