// SPDX-License-Identifier: Apache-2.0
// What a network is made of, as text: operations with their attributes, what they read, and the variables with their names, shapes and
// dtypes; neither the names of operations nor values. Two graphs with the same lines compute the same of the same parameters.
#pragma once
#include "../../io/structure.hpp"
#include "graph_text.hpp"

namespace sinter::sym::mxnet {
inline namespace SINTER_ISA {

inline constexpr std::string_view structure_key = "sinter_structure", signature_key = "sinter_signature";

inline std::string words_of(std::vector<entry> const& all) {
  std::string r;
  for (entry const& e : all) r += (r.empty() ? "" : ", ") + std::to_string(e.node) + (e.output ? "[" + std::to_string(e.output) + "]" : "");
  return r;
}
inline void add_structure(io::structure& to, graph_text const& g, std::string const& in) {
  if (g.is_numpy) to.push_back({in + "the graph", "of numpy shapes"});
  for (std::size_t i = 0; i < g.nodes.size(); ++i) {
    node_text const& n = g.nodes[i];
    bool const is_variable = n.op == "null";
    std::string what = is_variable ? "variable `" + n.name + "` (" : n.op + "(";
    bool first = true;
    for (auto const& [key, text] : n.attributes) what.append(first ? "" : ", ").append(key).append("=").append(text), first = false;
    what += is_variable ? ")" : ") of " + words_of(n.inputs);
    std::string const where = in + "node " + std::to_string(i);
    to.push_back({is_variable ? where : where + " `" + n.name + "`", what});
    for (std::size_t k = 0; k < n.subgraphs.size(); ++k)
      add_structure(to, n.subgraphs[k], where + ", subgraph " + std::to_string(k) + ", ");
  }
  to.push_back({in + "node " + std::to_string(g.nodes.size()), "the output, of " + words_of(g.heads)});
}
inline io::structure structure_of(graph_text const& g) {
  io::structure r;
  add_structure(r, g, "");
  return r;
}

}  // namespace SINTER_ISA
}  // namespace sinter::sym::mxnet
