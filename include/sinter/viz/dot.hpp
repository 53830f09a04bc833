// SPDX-License-Identifier: Apache-2.0
// A plan as a drawing for Graphviz, from top to bottom: a box for each kernel, an arrow for each value that goes through memory.
#pragma once
#include <sstream>
#include <utility>

#include "kernels.hpp"

namespace sinter::viz::inline SINTER_ISA {

namespace detail {

// Words in lines of at most about fifty letters, as one row of a label.
inline std::string row_of(std::vector<std::string> const& words, std::string const& between, char const* style) {
  std::string r, line;
  std::size_t width = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::size_t const letters = words[i].size() - (words[i].starts_with("<b>") ? std::string_view("<b></b>").size() : 0);
    if (width > 0 && width + letters > 50) {
      r += line + "<br align=\"left\"/>";
      line.clear();
      width = 0;
    }
    line += words[i] + (i + 1 < words.size() ? between : "");
    width += letters + between.size();
  }
  return std::string("<tr><td align=\"left\" balign=\"left\"><font ") + style + ">" + r + line + "</font></td></tr>";
}

// The arrows into one box. A value may pass views and joins on its way, which cost nothing; parameters are named in the box itself.
class arrows {
 public:
  arrows(plan const& p, std::vector<int> const& kernel, std::string to) : p_(p), kernel_(kernel), to_(std::move(to)) {}
  void from(int o) { follow(o, o, ""); }
  std::vector<std::string> lines;       // of the drawing
  std::vector<std::string> parameters;  // and constants

 private:
  plan const& p_;
  std::vector<int> const& kernel_;
  std::string to_;

  void follow(int o, int read, std::string const& through) {
    node const& k = p_.g.nodes[o];
    int const kernel = kernel_[static_cast<std::size_t>(o)];
    if (kernel >= 0) return draw("kernel" + std::to_string(kernel), o, read, through);
    if (*k.op == input_op) return draw("input" + std::to_string(k.index), o, read, through);
    if (k.op->kind == family::leaf) {
      if (*k.op == constant_op && k.data == 1) return;
      std::string const shape = *k.op == constant_op ? "" : " " + to_string(k.type.shape, p_.g.dimensions);
      return add_once(parameters, label_of(p_.g, o) + shape);
    }
    for (int j = 0; j < k.in.n; ++j) follow(p_.g.operand(k, j), read, std::string(k.op->name) + (through.empty() ? "" : ", ") + through);
  }
  void draw(std::string const& from, int o, int read, std::string const& through) {
    auto const shape = [&](int i) { return to_string(p_.g.nodes[i].type.shape, p_.g.dimensions); };
    add_once(lines, "  " + from + " -> " + to_ + " [label=\"  " + shape(o) + (through.empty() ? "" : "  " + through + " " + shape(read)) +
                        "\"];\n");
  }
};

}  // namespace detail

inline std::string dot(plan const& p) {
  std::ostringstream out;
  std::vector<int> const kernel = kernels_of(p);
  // Legible on a light page and on a dark one: boxes bring their own background, lines and their labels are a grey between the two.
  out << "digraph plan {\n  bgcolor=\"transparent\"; nodesep=0.35; ranksep=0.4;\n"
         "  node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\", fontsize=12, fontcolor=\"#1f2328\", color=\"#4477aa\", "
         "fillcolor=\"#e8f0f8\"];\n"
         "  edge [fontname=\"Helvetica\", fontsize=12, color=\"#768390\", fontcolor=\"#768390\"];\n";
  char const* const ends = ", color=\"#5a8a3a\", fillcolor=\"#e3f1d7\"];\n";
  for (int i = 0; i < p.g.nodes.size(); ++i)
    if (node const& k = p.g.nodes[i]; *k.op == input_op)
      out << "  input" << k.index << " [label=\"" << label_of(p.g, i) << "\\n"
          << sinter::name_of(k.type.type) << " " << to_string(k.type.shape, p.g.dimensions) << "\"" << ends;
  for (int i = 0; i < p.groups.size(); ++i) {
    group const& q = p.groups[i];
    detail::arrows in(p, kernel, "kernel" + std::to_string(i));
    for (int s = 0; s < q.steps.n; ++s) {
      node const& k = p.g.nodes[p.steps[q.steps.at + s].node];
      for (int j = 0; j < k.in.n; ++j)
        if (int const o = p.g.operand(k, j); kernel[static_cast<std::size_t>(o)] != i) in.from(o);
    }
    out << "  kernel" << i << " [label=<<table border=\"0\" cellborder=\"0\" cellspacing=\"2\" cellpadding=\"0\">"
        << detail::row_of({"<b>kernel " + std::to_string(i) + "</b>: " + std::string(name_of(q.kind))}, "", "point-size=\"13\"");
    std::vector<std::string> alone;
    auto const row = [&](std::vector<std::string> const& words) {
      if (!words.empty()) out << detail::row_of(words, " + ", "point-size=\"12\"");
    };
    for (part const& k : parts_of(p, q)) {
      if (k.steps.empty()) {
        alone.push_back("<b>" + k.title + "</b>");
        continue;
      }
      row(std::exchange(alone, {}));
      std::vector<std::string> words = k.steps;
      words.front() = "<b>" + k.title + "</b>: " + words.front();
      row(words);
    }
    row(alone);
    if (!in.parameters.empty()) out << detail::row_of(in.parameters, ", ", "point-size=\"11\" color=\"#57606a\"");
    out << "</table>>];\n";
    for (std::string const& line : in.lines) out << line;
  }
  for (int j = 0; j < p.g.outputs.size(); ++j) {
    std::string const name = "output" + std::to_string(j);
    detail::arrows in(p, kernel, name);
    in.from(p.g.outputs[j]);
    array_type const& t = p.g.nodes[p.g.outputs[j]].type;
    out << "  " << name << " [label=\"output " << j << "\\n"
        << sinter::name_of(t.type) << " " << to_string(t.shape, p.g.dimensions) << "\"" << ends;
    for (std::string const& line : in.lines) out << line;
  }
  out << "}\n";
  return out.str();
}

}  // namespace sinter::viz::inline SINTER_ISA
