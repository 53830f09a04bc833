// SPDX-License-Identifier: Apache-2.0
// A symbol as a drawing for Graphviz: as it was composed, or, where shapes are given, with its kernels as boxes.
#pragma once
#include "../plan/make.hpp"
#include "../viz/dot.hpp"
#include "infer.hpp"

namespace sinter {
namespace sym::inline SINTER_ISA {

// A box for each operation, in which stand the parameters that it reads. The functions of control flow are frames: what flows into them are
// their arguments, and what they return flows into the operation.
class drawing {
 public:
  std::string of(symbol const& s) {
    out_ = "digraph symbol";
    out_ += viz::drawing_style;
    write_all(s.nodes());
    for (int i = 0; i < s.outputs(); ++i) {
      std::string const box = "output" + std::to_string(i);
      write_end(box, "output " + std::to_string(i));
      arrow(s.node(i), box);
    }
    return out_ + "}\n";
  }

 private:
  std::string out_;
  std::map<composed const*, int> number_;
  int frames_ = 0;

  std::string box_of(composed const& k) {
    auto const [at, is_new] = number_.emplace(&k, static_cast<int>(number_.size()));
    return "n" + std::to_string(at->second);
  }
  static std::string escaped(std::string_view text) {
    std::string r;
    for (char const c : text) r += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
    return r;
  }
  static bool is_parameter(composed const& k) { return k.is_variable() && k.values; }
  static bool has_box(composed const& k) { return !k.is_number && !is_parameter(k); }
  void arrow(composed const& from, std::string const& to) {
    if (has_box(from)) out_ += "  " + box_of(from) + " -> " + to + ";\n";
  }
  void write_end(std::string const& box, std::string_view name, std::string_view type = "") {
    out_ += "  " + box + " [label=<" + escaped(name) + (type.empty() ? "" : "<br/>" + escaped(type)) + ">, " + viz::style_of_ends + "];\n";
  }
  void write_all(std::vector<composed const*> const& nodes) {
    for (composed const* k : nodes)
      if (k->call) write_operation(*k);
      else if (has_box(*k)) write_end(box_of(*k), k->name, type_of(*k));
  }
  static std::string type_of(composed const& k) {
    std::string r = k.type.type == dtype::none ? "" : std::string(name_of(k.type.type));
    if (k.type.shape.rank >= 0) r += (r.empty() ? "" : " ") + to_string(k.type.shape);
    return r;
  }
  void write_operation(composed const& k) {
    std::string parameters;
    for (symbol const& s : k.in)
      if (is_parameter(s.node(0)) && !k.bodies) parameters += (parameters.empty() ? "" : ", ") + escaped(s.node(0).name);
    out_ += "  " + box_of(k) + " [label=<<b>" + escaped(k.name) + "</b><br/>" + escaped(k.call->op->name) +
            (parameters.empty() ? "" : "<br/><font point-size=\"11\" color=\"#57606a\">" + parameters + "</font>") + ">];\n";
    if (k.bodies) write_bodies(k);
    else
      for (symbol const& s : k.in) arrow(s.node(0), box_of(k));
  }
  void write_bodies(composed const& k) {
    region const& r = *k.bodies;
    bool const along = k.call->op->id == ops::foreach_id;
    if (!along) arrow(k.in[0].node(0), box_of(k));  // a condition
    for (body const& b : r.bodies) {
      out_ += "  subgraph cluster" + std::to_string(frames_++) + " {\n  style=\"rounded,dashed\"; color=\"#768390\";\n";
      for (symbol const& a : b.arguments) write_end(box_of(a.node(0)), a.name());
      write_all(b.nodes);
      out_ += "  }\n";
      for (std::size_t i = 0; i < b.arguments.size(); ++i) arrow(k.in[i + (along ? 0 : 1)].node(0), box_of(b.arguments[i].node(0)));
      for (symbol const& o : b.outputs) arrow(o.node(0), box_of(k));
    }
  }
};

}  // namespace sym::inline SINTER_ISA

namespace viz::inline SINTER_ISA {
inline std::string dot(symbol const& s) { return sym::drawing().of(s); }
// As dot() of a compiled network.
inline std::string dot(symbol const& s, sym::types_by_name const& given) { return dot(make_plan(s.graph_of(given))); }
}  // namespace viz::inline SINTER_ISA

}  // namespace sinter
