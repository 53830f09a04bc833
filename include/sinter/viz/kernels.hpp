// SPDX-License-Identifier: Apache-2.0
// What a reader wants to know of a plan's kernels: the operations in each by layer, who reads its results, and why it ends.
#pragma once
#include <string>
#include <vector>

#include "../graph/print.hpp"
#include "../passes/place.hpp"
#include "../plan/plan.hpp"

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
  std::string title;               // norm.layer_norm, gelu
  std::vector<std::string> steps;  // of a composite operation
  int from = -1;                   // where its name stands in the graph
};
inline std::vector<part> parts_of(plan const& p, group const& q) {
  std::vector<part> r;
  for (int s = 0; s < q.steps.n; ++s) {
    int const i = p.steps[q.steps.at + s].node;
    node const& k = p.g.nodes[i];
    auto [title, composite] = origin_of(p.g, k);
    if (composite.empty()) {
      r.push_back({label_of(p.g, i), {}, -1});
      continue;
    }
    part* home = nullptr;
    for (part& known : r)
      if (known.from == k.name.at) home = &known;
    if (!home) {
      if (!title.empty()) title += ".";
      home = &r.emplace_back(part{title += composite, {}, k.name.at});
    }
    home->steps.emplace_back(k.op->name);
  }
  for (part& one : r)
    if (one.steps.size() == 1) one.steps.clear();  // "matmul: product" says nothing
  return r;
}
inline void add_once(std::vector<std::string>& to, std::string s) {
  for (std::string const& known : to)
    if (known == s) return;
  to.push_back(std::move(s));
}
inline std::string joined(std::vector<std::string> const& words, char const* between) {
  std::string r;
  for (std::string const& w : words) r += (r.empty() ? "" : between) + w;
  return r;
}

// The kernel that computes each node; -1 for leaves, views and joins.
inline std::vector<int> kernels_of(plan const& p) {
  std::vector<int> r(static_cast<std::size_t>(p.g.nodes.size()), -1);
  for (int q = 0; q < p.groups.size(); ++q)
    for (int s = 0; s < p.groups[q].steps.n; ++s) r[static_cast<std::size_t>(p.steps[p.groups[q].steps.at + s].node)] = q;
  return r;
}
// The outermost join that node `i` is a branch of, or -1.
inline int join_of(graph const& g, int i) {
  int r = -1;
  for (int u = i + 1; u < g.nodes.size(); ++u)
    for (int j = 0; g.kind(u) == family::join && j < g.nodes[u].in.n; ++j)
      if (g.operand(g.nodes[u], j) == (r < 0 ? i : r)) r = u;
  return r;
}

// Whether node u has `from` as an operand, as it is or through views.
inline bool reads(graph const& g, int u, int from) {
  for (int j = 0; j < g.nodes[u].in.n; ++j) {
    int o = g.operand(g.nodes[u], j);
    while (g.kind(o) == family::view) o = g.operand(g.nodes[o], 0);
    if (o == from) return true;
  }
  return false;
}

inline std::string sentence_of(plan const& p, passes::missed const& m) {
  if (m.why != reason::view_between) return std::string(sentence(m.why));
  family const reader = p.g.kind(m.consumer);
  if (reader == family::product) return std::string(sentence(reason::product_operand));
  if (reader == family::opaque) return std::string(sentence(reason::opaque));
  node const& k = p.g.nodes[m.consumer];
  for (int j = 0; j < k.in.n; ++j)
    if (int const o = p.g.operand(k, j); p.g.kind(o) == family::view && passes::detail::whole_source(p.g, o) == m.producer)
      return "the elements are read in another shape";
  return std::string(sentence(m.why));
}
// Each sentence that says why kernel `at` ends: one for each kernel that reads from it, the concat that it writes into, the result.
inline std::vector<std::string> endings_of(plan const& p, int at, std::vector<int> const& kernel) {
  std::vector<std::string> r;
  auto const of = [&](int i) { return kernel[static_cast<std::size_t>(i)]; };
  auto const say = [&](std::string s) { add_once(r, std::move(s)); };
  for (int q = 0; q < p.groups.size(); ++q) {
    passes::missed const* first = nullptr;  // a cycle is seldom the reason of its own: another operand was read from memory before it
    for (passes::missed const& m : p.misses)
      if (of(m.producer) == at && of(m.consumer) == q && (!first || (first->why == reason::would_cycle && m.why != first->why))) first = &m;
    if (first) say("ends before " + label_of(p.g, first->consumer) + ": " + sentence_of(p, *first));
  }
  group const& q = p.groups[at];
  for (int s = 0; s < q.steps.n; ++s) {
    step_info const& k = p.steps[q.steps.at + s];
    if (k.store < 0) continue;
    bool const result = p.buffers[p.operands[q.operands.at + k.store].buffer].where == storage::output;
    int const join = join_of(p.g, k.node);
    std::vector<bool> told(static_cast<std::size_t>(p.groups.size()));
    for (int u = join + 1; join >= 0 && u < p.g.nodes.size(); ++u) {
      if (of(u) < 0 || told[static_cast<std::size_t>(of(u))] || !reads(p.g, u, join)) continue;
      told[static_cast<std::size_t>(of(u))] = true;
      say("ends before " + label_of(p.g, u) + ": " + label_of(p.g, join) + " lays its parts side by side in memory");
    }
    if (result) say("ends with the network's result");
  }
  return r;
}

}  // namespace sinter::viz::inline SINTER_ISA
