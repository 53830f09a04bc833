// SPDX-License-Identifier: Apache-2.0
// A plan as a drawing for Graphviz, from top to bottom: a box for each kernel, an arrow for each value that goes through memory.
#pragma once
#include <utility>

#include "kernels.hpp"

namespace sinter::viz::inline SINTER_ISA {

namespace detail {

// Words in lines of at most about fifty letters, as one row of a label.
constexpr letters row_of(list<letters> const& words, std::string_view between, char const* style) {
  letters r, line;
  int width = 0;
  for (int i = 0; i < words.size(); ++i) {
    int const length = words[i].size() - (words[i].view().starts_with("<b>") ? 7 : 0);  // without <b></b>
    if (width > 0 && width + length > 50) {
      r += line + "<br align=\"left\"/>";
      line = {};
      width = 0;
    }
    line += words[i];
    if (i + 1 < words.size()) line += between;
    width += length + static_cast<int>(between.size());
  }
  return letters("<tr><td align=\"left\" balign=\"left\"><font ") + style + ">" + r + line + "</font></td></tr>";
}

// The arrows into one box. A value may pass views and joins on its way, which cost nothing; parameters are named in the box itself.
class arrows {
 public:
  constexpr arrows(plan const& p, list<int> const& kernel, letters to) : p_(p), kernel_(kernel), to_(std::move(to)) {}
  constexpr void from(int o) { follow(o, o, ""); }
  list<letters> lines;       // of the drawing
  list<letters> parameters;  // and constants

 private:
  plan const& p_;
  list<int> const& kernel_;
  letters to_;

  constexpr void follow(int o, int read, letters const& through) {
    node const& k = p_.g.nodes[o];
    int const kernel = kernel_[o];
    if (kernel >= 0) return draw("kernel" + in_digits(kernel), o, read, through);
    if (*k.op == input_op) return draw("input" + in_digits(k.index), o, read, through);
    if (k.op->kind == family::leaf) {
      if (*k.op == constant_op && k.data == 1) return;
      letters const shape = *k.op == constant_op ? letters() : " " + in_words(k.type.shape, p_.g.dimensions);
      return add_once(parameters, label_of(p_.g, o) + shape);
    }
    for (int j = 0; j < k.in.n; ++j) follow(p_.g.operand(k, j), read, letters(k.op->name) + (through.empty() ? "" : ", ") + through);
  }
  constexpr void draw(letters const& from, int o, int read, letters const& through) {
    auto const shape = [&](int i) { return in_words(p_.g.nodes[i].type.shape, p_.g.dimensions); };
    add_once(lines, "  " + from + " -> " + to_ + " [label=\"  " + shape(o) +
                        (through.empty() ? letters() : "  " + through + " " + shape(read)) + "\"];\n");
  }
};

// The box of kernel i: its parts, one a row, and the parameters that it reads.
constexpr void write_box(letters& out, plan const& p, int i, list<letters> const& parameters) {
  group const& q = p.groups[i];
  out << "  kernel" << i << " [label=<<table border=\"0\" cellborder=\"0\" cellspacing=\"2\" cellpadding=\"0\">"
      << row_of(list<letters>(1, "<b>kernel " + in_digits(i) + "</b>: " + name_of(q.kind) + (q.once ? ", once" : "")), "",
                "point-size=\"13\"");
  list<letters> alone;
  auto const row = [&](list<letters> const& words) {
    if (!words.empty()) out << row_of(words, " + ", "point-size=\"12\"");
  };
  for (part const& k : parts_of(p, q)) {
    if (k.steps.empty()) {
      alone.push("<b>" + k.title + "</b>");
      continue;
    }
    row(std::exchange(alone, {}));
    list<letters> words = k.steps;
    words[0] = "<b>" + k.title + "</b>: " + words[0];
    row(words);
  }
  row(alone);
  if (!parameters.empty()) out << row_of(parameters, ", ", "point-size=\"11\" color=\"#57606a\"");
  out << "</table>>];\n";
}
constexpr void write_kernel(letters& out, plan const& p, list<int> const& kernel, int i) {
  group const& q = p.groups[i];
  arrows in(p, kernel, "kernel" + in_digits(i));
  for (int s = 0; s < q.steps.n; ++s) {
    node const& k = p.g.nodes[p.steps[q.steps.at + s].node];
    for (int j = 0; j < k.in.n; ++j)
      if (int const o = p.g.operand(k, j); kernel[o] != i) in.from(o);
  }
  write_box(out, p, i, in.parameters);
  for (letters const& line : in.lines) out << line;
}
// The box of an input or an output.
constexpr void write_end(letters& out, letters const& box, letters const& name, array_type const& t, graph const& g) {
  out << "  " << box << " [label=\"" << name << "\\n"
      << sinter::name_of(t.type) << " " << in_words(t.shape, g.dimensions) << "\", color=\"#5a8a3a\", fillcolor=\"#e3f1d7\"];\n";
}

}  // namespace detail

// How a drawing begins. Legible on a light page and on a dark one: boxes bring their own background, lines and their labels are a grey between
// the two. Inputs and outputs are green.
inline constexpr char const* drawing_style =
    " {\n  bgcolor=\"transparent\"; nodesep=0.35; ranksep=0.4;\n"
    "  node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\", fontsize=12, fontcolor=\"#1f2328\", color=\"#4477aa\", "
    "fillcolor=\"#e8f0f8\"];\n"
    "  edge [fontname=\"Helvetica\", fontsize=12, color=\"#768390\", fontcolor=\"#768390\"];\n";
inline constexpr char const* style_of_ends = "color=\"#5a8a3a\", fillcolor=\"#e3f1d7\"";

inline std::string dot(plan const& p) {
  letters out;
  list<int> const kernel = kernels_of(p);
  out << "digraph plan" << drawing_style;
  for (int i = 0; i < p.g.nodes.size(); ++i)
    if (node const& k = p.g.nodes[i]; *k.op == input_op)
      detail::write_end(out, "input" + in_digits(k.index), label_of(p.g, i), k.type, p.g);
  for (int i = 0; i < p.groups.size(); ++i) detail::write_kernel(out, p, kernel, i);
  for (int j = 0; j < p.g.outputs.size(); ++j) {
    letters const name = "output" + in_digits(j);
    detail::arrows in(p, kernel, name);
    in.from(p.g.outputs[j]);
    detail::write_end(out, name, "output " + in_digits(j), p.g.nodes[p.g.outputs[j]].type, p.g);
    for (letters const& line : in.lines) out << line;
  }
  out << "}\n";
  return std::string(out.view());
}

}  // namespace sinter::viz::inline SINTER_ISA
