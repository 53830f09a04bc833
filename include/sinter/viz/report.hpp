// SPDX-License-Identifier: Apache-2.0
// A plan for people: kernels, what was fused into them and why they end, memory and operations; as text and as a Graphviz drawing.
#pragma once
#include <sstream>
#include <string>

#include "../nn/hybridized.hpp"

namespace sinter::viz {

namespace detail {

inline std::string label_of(plan const& p, int i) {
  node const& k = p.g.nodes[i];
  std::string name(p.g.str(k.name));
  if (k.op->kind == family::leaf) {
    if (*k.op != constant_op) return name;
    if (k.data != 1) return "constant " + to_string(k.type.shape);
    std::ostringstream s;
    std::uint64_t const v = p.g.data[k.index];
    if (is_floating(k.type.type)) s << std::bit_cast<double>(v);
    else s << static_cast<std::int64_t>(v);
    return s.str();
  }
  return (name.empty() ? "" : name + ".") + std::string(k.op->name);
}
constexpr std::string_view name_of(kernel_kind k) {
  switch (k) {
    case kernel_kind::pointwise: return "pointwise";
    case kernel_kind::rows: return "rows";
    case kernel_kind::product: return "product";
    case kernel_kind::opaque: return "opaque";
  }
  return "";
}
inline bool in_group(plan const& p, group const& q, int node) {
  for (int s = 0; s < q.steps.n; ++s)
    if (p.steps[q.steps.at + s].node == node) return true;
  return false;
}
inline int base_of(plan const& p, int node) {
  while (p.g.kind(node) == family::view) node = p.g.operand(p.g.nodes[node], 0);
  return node;
}

}  // namespace detail

// For example:
//   kernel 0  product    product + add + relu -> (1, 128) float32
//             ends at 1.product: a product reads its operand many times
inline std::string report(plan const& p, bool fixed) {
  std::ostringstream out;
  arena_layout const arena = arena_at(p, plan_arena(p), typical_binding(p));
  out << "plan: " << p.groups.size() << (p.groups.size() == 1 ? " kernel\n" : " kernels\n");
  for (int i = 0; i < p.groups.size(); ++i) {
    group const& q = p.groups[i];
    out << "  kernel " << i << "  " << detail::name_of(q.kind) << "  ";
    for (int s = 0; s < q.steps.n; ++s) out << (s ? " + " : "") << detail::label_of(p, p.steps[q.steps.at + s].node);
    out << "\n";
    out << "    reads ";
    for (int j = 0; j < q.inputs; ++j) {
      buffer_info const& b = p.buffers[p.operands[q.operands.at + j].buffer];
      out << (j ? ", " : "") << (b.where == storage::arena ? "arena " : "") << detail::label_of(p, b.node);
    }
    out << "\n    writes ";
    bool first = true;
    for (int s = 0; s < q.steps.n; ++s) {
      step_info const& k = p.steps[q.steps.at + s];
      if (k.store < 0) continue;
      buffer_info const& b = p.buffers[p.operands[q.operands.at + k.store].buffer];
      array_type const& t = p.g.nodes[k.node].type;
      out << (first ? "" : ", ") << sinter::name_of(t.type) << " " << to_string(t.shape);
      if (b.where == storage::output) out << " to output " << b.index;
      else out << " to arena at " << arena.offset[p.operands[q.operands.at + k.store].buffer];
      if (b.home != p.operands[q.operands.at + k.store].buffer) out << " in place";
      first = false;
    }
    out << "\n";
    bool ended = false;
    for (passes::missed const& m : p.misses) {
      if (!detail::in_group(p, q, m.producer)) continue;
      out << "    ends before " << detail::label_of(p, m.consumer) << ": " << sentence(m.why) << "\n";
      ended = true;
    }
    if (!ended) out << "    ends with the network's result\n";
  }
  out << "arena " << arena.bytes << " bytes, lower bound " << arena.lower_bound
      << (fixed ? "" : "  (each dynamic dimension of an input being 64)") << "\n";
  return out.str();
}

// Boxes are kernels; an arrow between two boxes is a value in memory.
inline std::string dot(plan const& p) {
  std::ostringstream out;
  out << "digraph plan {\n  rankdir=LR; node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"Helvetica\", fontsize=11]; "
         "edge [fontname=\"Helvetica\", fontsize=9];\n";
  for (int i = 0; i < p.groups.size(); ++i) {
    group const& q = p.groups[i];
    out << "  subgraph cluster_" << i << " {\n    label=\"kernel " << i << ": " << detail::name_of(q.kind)
        << "\"; labeljust=l; fontname=\"Helvetica\"; fontsize=11; style=\"rounded,filled\"; color=\"#4477aa\"; fillcolor=\"#e8f0f8\";\n";
    for (int s = 0; s < q.steps.n; ++s)
      out << "    n" << p.steps[q.steps.at + s].node << " [label=\"" << detail::label_of(p, p.steps[q.steps.at + s].node) << "\"];\n";
    out << "  }\n";
  }
  for (int i = 0; i < p.g.nodes.size(); ++i) {
    node const& k = p.g.nodes[i];
    if (*k.op == constant_op) continue;
    if (k.op->kind == family::leaf)
      out << "  n" << i << " [label=\"" << detail::label_of(p, i) << "\\n"
          << to_string(k.type.shape) << "\", fillcolor=\"" << (*k.op == input_op ? "#ddeecc" : "#f4f4f4") << "\"];\n";
    else if (k.op->kind == family::view || k.op->kind == family::join)
      out << "  n" << i << " [label=\"" << detail::label_of(p, i) << "\", style=\"rounded,dashed\"];\n";
    for (int j = 0; j < k.in.n; ++j)
      if (*p.g.nodes[p.g.operand(k, j)].op != constant_op)
        out << "  n" << p.g.operand(k, j) << " -> n" << i << " [label=\"" << to_string(p.g.nodes[p.g.operand(k, j)].type.shape) << "\"];\n";
  }
  for (int j = 0; j < p.g.outputs.size(); ++j)
    out << "  out" << j << " [label=\"output " << j << "\", fillcolor=\"#ddeecc\"]; n" << p.g.outputs[j] << " -> out" << j << ";\n";
  out << "}\n";
  return out.str();
}

}  // namespace sinter::viz

namespace sinter {

template <class M, class Backend> template <class... X> std::string hybridized<M, Backend>::report() {
  using C = compiled_t<M, X...>;
  std::string s = viz::report(make_plan(C::traced()), C::fixed);
  s += "parameters " + std::to_string(C::parameter_bytes) + " bytes";
  if (C::fixed) s += ", " + std::to_string(C::flops) + " operations, " + std::to_string(C::bytes_moved) + " bytes moved";
  if constexpr (detail::narrows_weights<Backend>) s += "\nweights of float32 products are kept as " + std::string(Backend::weights::name);
  if constexpr (detail::has_fast_math<Backend>) s += "\nelementary functions of float32 take their faster forms";
  return s + "\n";
}
template <class M, class Backend> template <class... X> std::string hybridized<M, Backend>::dot() {
  return viz::dot(make_plan(compiled_t<M, X...>::traced()));
}

}  // namespace sinter
