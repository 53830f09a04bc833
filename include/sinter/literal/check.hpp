// SPDX-License-Identifier: Apache-2.0
// What is wrong with a symbol JSON in a literal: one sentence, with the name of the node or the place in the text.
#pragma once
#include "file.hpp"

namespace sinter::literal::inline SINTER_ISA {

// One node of a file after the other: whether it is right, or its entries want results that there are not.
struct mistake {
  int node = -1, wanted = -1;  // `wanted`: of which node there is no such result
};
struct checked_node {
  bool is_right = true;
  int results = 1;
};
template <class File, int I> constexpr checked_node check_node() {
  constexpr vertex const& v = File::graph.vertices[I];
  if constexpr (!v.is_read) return {};
  else if constexpr (v.what == role::operation) return {node_of<File, I>::meaning::is_right, node_of<File, I>::meaning::results};
  else if constexpr (v.what == role::parameter) return {!parameter_of_file<File, v.place>::noted.wrong};
  else return {};
}
template <class File> constexpr mistake first_mistake(std::array<checked_node, static_cast<std::size_t>(File::nodes) + 1> const& all) {
  auto const& g = File::graph;
  for (int i = 0; i < File::nodes; ++i)
    if (!all[static_cast<std::size_t>(i)].is_right) return {i};
  auto const lacks = [&](entry e) { return g.vertices[e.node].is_read && e.output >= all[static_cast<std::size_t>(e.node)].results; };
  for (int i = 0; i < File::nodes; ++i)
    for (int k = 0; k < g.vertices[i].inputs && g.vertices[i].is_read; ++k)
      if (entry const e = g.entries[g.vertices[i].first + k]; lacks(e)) return {i, e.node};
  for (entry const& e : g.heads)
    if (File::nodes > 0 && lacks(e)) return {e.node, e.node};
  return {};
}
template <class File, class Nodes = std::make_integer_sequence<int, File::nodes>> inline constexpr mistake mistake_in;
template <class File, int... I>
inline constexpr mistake mistake_in<File, std::integer_sequence<int, I...>> = first_mistake<File>({check_node<File, I>()...});
template <class File> inline constexpr bool is_right = File::is_graph && mistake_in<File>.node < 0;

#define SINTER_PRINTED(what) "; GCC prints " what " above this sentence, Clang below it"
#define SINTER_OTHERS "; CMake's sinter_add_model reads the file, or symbol_block::imports while the program runs"
template <text Node, text Operation> constexpr bool knows_operation() {
  static_assert(sizeof(Node) == 0,
                "sinter: this node of a symbol JSON has an operation that a literal does not read" SINTER_OTHERS SINTER_PRINTED(
                    "the node's name and its operation"));
  return true;
}
template <text Node, text Operation, int Inputs> constexpr bool takes_inputs() {
  static_assert(sizeof(Node) == 0,
                "sinter: this node of a symbol JSON has a number of inputs that its operation does not take" SINTER_PRINTED(
                    "the node's name, its operation and the number"));
  return true;
}
#define SINTER_ATTRIBUTE SINTER_OTHERS SINTER_PRINTED("the node's name, its operation and the attribute")
template <text Node, text Operation, text Attribute, attribute_fault Why> constexpr bool knows_attribute() {
  static_assert(Why != attribute_fault::meaning,
                "sinter: this node of a symbol JSON lacks an attribute, or has one of which a literal does not know what it "
                "means" SINTER_ATTRIBUTE);
  static_assert(Why != attribute_fault::escape,
                "sinter: this node of a symbol JSON has an attribute with an escape sequence in its text, which a literal does not "
                "read" SINTER_ATTRIBUTE);
  static_assert(Why != attribute_fault::digits,
                "sinter: this node of a symbol JSON has an attribute with a number of more than 40 digits, or one too large or too small "
                "for a literal" SINTER_ATTRIBUTE);
  return true;
}
template <text Node, text Wanted> constexpr bool has_result() {
  static_assert(sizeof(Node) == 0,
                "sinter: this node of a symbol JSON reads a result of another one that it does not have, or has in training "
                "alone" SINTER_PRINTED("both names"));
  return true;
}
template <text Variable> constexpr bool has_type() {
  static_assert(sizeof(Variable) == 0,
                "sinter: what a symbol JSON notes on this variable as `__shape__` or `__dtype__` is not that of a tensor" SINTER_PRINTED(
                    "the variable's name"));
  return true;
}
template <class File> constexpr bool check_nodes() {
  constexpr mistake m = mistake_in<File>;
  if constexpr (m.node >= 0) {
    using N = node_of<File, m.node>;
    using M = typename N::meaning;
    constexpr auto name = N::name_text;
    if constexpr (m.wanted >= 0) return has_result<name, node_of<File, m.wanted>::name_text>();
    else if constexpr (File::graph.vertices[m.node].what == role::parameter) return has_type<name>();
    else if constexpr (!known_row<typename M::row_type>) return knows_operation<name, M::op>();
    else if constexpr (!M::has_right_count) return takes_inputs<name, M::op, N::place.inputs>();
    else {
      constexpr auto const& read = M::attributes_read;
      return knows_attribute<name, M::op, text_of<static_cast<int>(read.key.size())>(read.key.data()), read.why>();
    }
  }
  return true;
}

// Line and column of a place in the text, from the line on which the literal begins.
template <int Line, int Column> constexpr bool is_json() {
  static_assert(Line < 0, "sinter: this literal is no JSON text from here on, or it is cut off" SINTER_PRINTED(
                              "the line of the literal and the column"));
  return true;
}
template <fault What, int Line, int Column> constexpr bool is_symbol_json() {
  static_assert(What == fault::none, "sinter: this literal is a JSON text, and no symbol JSON that a literal may be" SINTER_PRINTED(
                                         "what is wrong, the line of the literal and the column"));
  return true;
}
template <text Node, fault What> constexpr bool is_graph_at() {
  static_assert(What != fault::later_node,
                "sinter: this node of a symbol JSON has an input that is none of the nodes before it, as in a cycle" SINTER_PRINTED(
                    "the node's name"));
  static_assert(What != fault::variable_with_inputs, "sinter: this variable of a symbol JSON has inputs" SINTER_PRINTED("its name"));
  static_assert(What != fault::same_name, "sinter: two variables of a symbol JSON have one name" SINTER_PRINTED("it"));
  static_assert(
      What != fault::subgraphs && What != fault::control,
      "sinter: this node of a symbol JSON has subgraphs or `control_deps`, which a literal does not read" SINTER_OTHERS SINTER_PRINTED(
          "the node's name"));
  return true;
}
template <text Input> constexpr bool has_input() {
  static_assert(sizeof(Input) == 0,
                "sinter: a symbol JSON has no variable of this name, which is to be an input of the network" SINTER_PRINTED("the name"));
  return true;
}
#undef SINTER_ATTRIBUTE
#undef SINTER_OTHERS
#undef SINTER_PRINTED
struct line_and_column {
  int line = 1, column = 1;
};
template <class Json> constexpr line_and_column place_of(int at) {
  line_and_column r;
  char const* const s = characters<Json>;
  for (int i = 0; i < at; ++i) {
    ++r.column;
    if (s[i] == '\n') ++r.line, r.column = 1;
  }
  return r;
}
template <int I, text First, text... Rest> constexpr bool has_input_at() {
  if constexpr (I == 0) return has_input<First>();
  else return has_input_at<I - 1, Rest...>();
}
template <class Json, text... Input> constexpr bool check_file() {
  using File = file<Json, Input...>;
  constexpr auto const& g = File::graph;
  constexpr fault what = g.what;
  if constexpr (what == fault::none) return check_nodes<File>();
  else if constexpr (what == fault::no_such_input) return has_input_at<g.at, Input...>();
  else if constexpr (what == fault::later_node || what == fault::variable_with_inputs || what == fault::same_name ||
                     what == fault::subgraphs || what == fault::control) {
    constexpr span_of_text name = listed<Json>.all[g.node].name;
    return is_graph_at<text_of<(name.n < 0 ? 0 : name.n)>(characters<Json> + name.at), what>();
  } else {
    constexpr auto at = place_of<Json>(g.at);
    if constexpr (what == fault::no_json) return is_json<at.line, at.column>();
    else return is_symbol_json<what, at.line, at.column>();
  }
}

}  // namespace sinter::literal::inline SINTER_ISA
