// SPDX-License-Identifier: Apache-2.0
// A symbol JSON as a type: its nodes with their rows and the values of their attributes, its parameters, and the first sentence on what is
// wrong.
#pragma once
#include "graph.hpp"
#include "rows/layers.hpp"
#include "rows/reductions.hpp"
#include "rows/shapes.hpp"

namespace sinter::literal::inline SINTER_ISA {

template <int N> constexpr text<static_cast<std::size_t>(N) + 1> text_of(char const* s) {
  text<static_cast<std::size_t>(N) + 1> r;
  for (int i = 0; i < N; ++i) r.s[i] = s[i];
  return r;
}
template <class Row>
concept known_row = requires { Row::operands; };
template <class V> struct read_values {
  V values{};
  bool wrong = false;
  std::string_view key;  // of the attribute that is wrong
};

// Node I of a file.
template <class File, int I> struct node_of {
  static constexpr node_text const& read = node_read<typename File::json, I>;
  static constexpr vertex const& place = File::graph.vertices[I];
  static constexpr char const* s = characters<typename File::json>;
  static constexpr std::string_view name = view(s, read.name);
  static constexpr auto name_text = text_of<read.name.n>(s + read.name.at);
  static constexpr auto op = text_of<read.op.n>(s + read.op.at);
  static constexpr node_facts facts{view(s, read.op), place.inputs, File::graph.is_numpy};
  using row_type = row<op>;
  static constexpr auto attributes_read = [] {
    if constexpr (!known_row<row_type>) return read_values<no_values>{};
    else {
      attributes a(s, read);
      read_values<decltype(row_type::read(a, facts))> r{row_type::read(a, facts), false, {}};
      if constexpr (!requires { requires row_type::any_attributes; }) a.finish();
      r.wrong = a.is_wrong();
      r.key = a.wrong_key();
      return r;
    }
  }();
  static constexpr auto const& values = attributes_read.values;
  static constexpr bool has_right_count = [] {
    if constexpr (known_row<row_type>) return operand_count(row_type::operands).holds(place.inputs);
    else return false;
  }();
  // How many results other nodes may read.
  static constexpr int results = [] {
    if constexpr (requires { row_type::results(values); }) return row_type::results(values);
    else return 1;
  }();
  static constexpr bool is_right = known_row<row_type> && has_right_count && !attributes_read.wrong;
};

// What is noted on a variable.
struct noted_type {
  dtype type = dtype::float32;
  dims shape = unknown_dims;
  bool wrong = false;
};
constexpr noted_type noted_on(char const* s, node_text const& n, bool is_numpy) {
  noted_type r;
  attributes a(s, n);
  if (!a.is_none("__dtype__"))
    if (int const t = a.whole("__dtype__"); t >= 0 && t <= static_cast<int>(dtype::bfloat16)) r.type = static_cast<dtype>(t);
  if (!a.is_none("__shape__")) {
    whole_numbers const all = a.list("__shape__");
    if (all.n > max_rank) a.refuse("__shape__");
    r.shape = {};
    for (std::int64_t const e : all)
      if (r.shape.rank < max_rank) r.shape.push(e < 0 || (e == 0 && !is_numpy) ? unknown_extent : e);
  }
  r.wrong = a.is_wrong() || !has_tensors(r.type);
  return r;
}
template <dtype T> constexpr auto element_type() {
  if constexpr (T == dtype::float64) return std::type_identity<double>{};
  else if constexpr (T == dtype::float16) return std::type_identity<float16>{};
  else if constexpr (T == dtype::bfloat16) return std::type_identity<bfloat16>{};
  else if constexpr (T == dtype::int8) return std::type_identity<std::int8_t>{};
  else if constexpr (T == dtype::int16) return std::type_identity<std::int16_t>{};
  else if constexpr (T == dtype::uint8) return std::type_identity<std::uint8_t>{};
  else if constexpr (T == dtype::int32) return std::type_identity<std::int32_t>{};
  else if constexpr (T == dtype::int64) return std::type_identity<std::int64_t>{};
  else if constexpr (T == dtype::boolean) return std::type_identity<bool>{};
  else return std::type_identity<float>{};
}
template <dims D> struct fixed_dims {
  static constexpr dims value = D;
};
template <dims D> constexpr auto declared_shape() {
  if constexpr (D.rank < 0) return nn::any_shape{};
  else return shape_of_value<fixed_dims<D>>{};
}
// Parameter P of a file.
template <class File, int P> struct parameter_of_file {
  static constexpr int node_number = File::graph.parameter_nodes[P];
  static constexpr node_text const& read = node_read<typename File::json, node_number>;
  static constexpr std::string_view name = view(characters<typename File::json>, read.name);
  static constexpr noted_type noted = noted_on(characters<typename File::json>, read, File::graph.is_numpy);
  using type = nn::basic_parameter<typename decltype(element_type<noted.type>())::type, decltype(declared_shape<noted.shape>())>;
};

template <class Json, text... Input> struct file {
  using json = Json;
  static constexpr auto const& graph = literal::graph<Json, Input...>;
  static constexpr bool is_graph = graph.what == fault::none;
  static constexpr int nodes = is_graph ? literal::nodes<Json> : 0;
};

// ---- the first mistake

// One node of a file after the other: whether it is right, or its entries want results that there are not.
struct mistake {
  int node = -1, wanted = -1;  // `wanted`: of which node there is no such result
};
template <class File, int I> constexpr mistake mistake_at() {
  if constexpr (!File::graph.vertices[I].is_read) return {};
  else if constexpr (File::graph.vertices[I].what == role::operation) return node_of<File, I>::is_right ? mistake{} : mistake{I};
  else if constexpr (File::graph.vertices[I].what == role::parameter)
    return parameter_of_file<File, File::graph.vertices[I].place>::noted.wrong ? mistake{I} : mistake{};
  else return {};
}
template <class File, int I> constexpr int results_at() {
  if constexpr (File::graph.vertices[I].what == role::operation && File::graph.vertices[I].is_read) return node_of<File, I>::results;
  else return 1;
}
template <class File, int... I> constexpr mistake first_mistake(std::integer_sequence<int, I...>) {
  mistake const all[]{mistake{}, mistake_at<File, I>()...};
  for (mistake const& m : all)
    if (m.node >= 0) return m;
  int const results[]{1, results_at<File, I>()...};
  auto const& g = File::graph;
  for (int i = 0; i < File::nodes; ++i)
    for (int k = 0; k < g.vertices[i].inputs && g.vertices[i].is_read; ++k)
      if (entry const e = g.entries[g.vertices[i].first + k]; g.vertices[e.node].is_read && e.output >= results[e.node + 1])
        return {i, e.node};
  for (entry const& e : g.heads)
    if (File::nodes > 0 && e.output >= results[e.node + 1]) return {e.node, e.node};
  return {};
}
template <class File> inline constexpr mistake mistake_in = first_mistake<File>(std::make_integer_sequence<int, File::nodes>{});
template <class File> inline constexpr bool is_right = File::is_graph && mistake_in<File>.node < 0;

#define SINTER_PRINTED "; GCC prints them above this sentence, Clang below it"
template <text Node, text Op> constexpr bool knows_operation() {
  static_assert(sizeof(Node) == 0,
                "sinter: this node of a symbol JSON has an operation that a literal does not read; CMake's sinter_add_model reads the file, or "
                "symbol_block::imports while the program runs. The node's name and its operation: see the template arguments" SINTER_PRINTED);
  return true;
}
template <text Node, text Op, int Inputs> constexpr bool takes_inputs() {
  static_assert(sizeof(Node) == 0,
                "sinter: this node of a symbol JSON has a number of inputs that its operation does not take. The node's name, its operation "
                "and the number: see the template arguments" SINTER_PRINTED);
  return true;
}
template <text Node, text Op, text Attribute> constexpr bool knows_attribute() {
  static_assert(sizeof(Node) == 0,
                "sinter: this node of a symbol JSON has an attribute that is missing, or whose value a literal does not read; CMake's "
                "sinter_add_model reads more. The node's name, its operation and the attribute: see the template arguments" SINTER_PRINTED);
  return true;
}
template <text Node, text Wanted> constexpr bool has_result() {
  static_assert(sizeof(Node) == 0,
                "sinter: this node of a symbol JSON reads a result of another that it does not have, or that only training has. Both names: "
                "see the template arguments" SINTER_PRINTED);
  return true;
}
template <text Variable> constexpr bool has_type() {
  static_assert(sizeof(Variable) == 0,
                "sinter: the `__shape__` or `__dtype__` that a symbol JSON notes on this variable is none of a tensor. The variable's name: see "
                "the template arguments" SINTER_PRINTED);
  return true;
}
template <class File> constexpr bool check_nodes() {
  constexpr mistake m = mistake_in<File>;
  if constexpr (m.node >= 0) {
    using N = node_of<File, m.node>;
    constexpr auto name = N::name_text;
    if constexpr (m.wanted >= 0) {
      constexpr auto const& w = node_read<typename File::json, m.wanted>;
      return has_result<name, text_of<w.name.n>(N::s + w.name.at)>();
    } else if constexpr (File::graph.vertices[m.node].what == role::parameter) return has_type<name>();
    else if constexpr (!known_row<typename N::row_type>) return knows_operation<name, N::op>();
    else if constexpr (!N::has_right_count) return takes_inputs<name, N::op, N::place.inputs>();
    else return knows_attribute<name, N::op, text_of<static_cast<int>(N::attributes_read.key.size())>(N::attributes_read.key.data())>();
  }
  return true;
}

// Line and column of a place in the text, as editors count them: from the first line of the literal.
template <int Line, int Column> constexpr bool is_json() {
  static_assert(Line < 0,
                "sinter: this literal is no JSON text, or it is cut off. The line of the literal and the column at which it ends being JSON: see "
                "the template arguments" SINTER_PRINTED);
  return true;
}
template <fault What, int Line, int Column> constexpr bool is_symbol_json() {
#define SINTER_AT_LINE " The fault, the line of the literal and the column: see the template arguments" SINTER_PRINTED
  static_assert(What == fault::no_json, "sinter: this literal is JSON, and no symbol JSON of MXNet that a literal reads." SINTER_AT_LINE);
#undef SINTER_AT_LINE
  return true;
}
template <text Node, fault What> constexpr bool is_graph_at() {
  static_assert(What != fault::later_node,
                "sinter: this node of a symbol JSON has an input that does not come before it: one that does not exist, or a cycle. The node's "
                "name: see the template arguments" SINTER_PRINTED);
  static_assert(What != fault::variable_with_inputs,
                "sinter: this variable of a symbol JSON has inputs. Its name: see the template arguments" SINTER_PRINTED);
  static_assert(What != fault::same_name,
                "sinter: two variables of a symbol JSON have this name: see the template arguments" SINTER_PRINTED);
  static_assert(What != fault::subgraphs && What != fault::control,
                "sinter: this node of a symbol JSON has subgraphs or `control_deps`, which a literal does not read; CMake's sinter_add_model "
                "reads loops and branches. The node's name: see the template arguments" SINTER_PRINTED);
  return true;
}
template <text... Input> constexpr bool has_input() {
  static_assert(sizeof...(Input) == 0,
                "sinter: a symbol JSON has no variable of this name, which is to be an input of the network: see the template "
                "arguments" SINTER_PRINTED);
  return true;
}
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
