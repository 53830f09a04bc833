// SPDX-License-Identifier: Apache-2.0
// A symbol JSON as a type: its nodes with their rows and the values of their attributes, and its parameters.
#pragma once
#include "graph.hpp"
#include "rows/activations.hpp"
#include "rows/elementwise.hpp"
#include "rows/layers.hpp"
#include "rows/norms.hpp"
#include "rows/reductions.hpp"
#include "rows/shapes.hpp"

#undef SINTER_ALIAS
#undef SINTER_SAME

namespace sinter::literal::inline SINTER_ISA {

template <int N> constexpr text<static_cast<std::size_t>(N) + 1> text_of(char const* s) {
  text<static_cast<std::size_t>(N) + 1> r;
  for (int i = 0; i < N; ++i) r.s[i] = s[i];
  r.s[N] = '\0';  // else Clang 19 prints some as numbers
  return r;
}
template <class Row>
concept known_row = requires { Row::operands; };
template <class V> struct read_values {
  V values{};
  bool wrong = false;
  std::string_view key;  // of the attribute that is wrong
  attribute_fault why{};
};

// What node I and those like it have in common: the operation and the values of its attributes.
template <class File, int I> struct meaning_of {
  static constexpr auto const& read = node_read<typename File::json, I>;
  static constexpr char const* s = characters<typename File::json>;
  static constexpr auto op = text_of<read.op.n>(s + read.op.at);
  static constexpr node_facts facts{view(s, read.op), read.inputs, File::graph.is_numpy};
  static constexpr bool reads_one = read.kind == node_kind::output;  // behind it comes a label
  using row_type = row<op>;
  static constexpr auto attributes_read = [] {
    if constexpr (!known_row<row_type>) return read_values<no_values>{};
    else {
      attributes a(s, read);
      read_values<decltype(row_type::read(a, facts))> r{row_type::read(a, facts), false, {}, {}};
      if constexpr (!requires { requires row_type::any_attributes; }) a.finish();
      r.wrong = a.is_wrong();
      r.key = a.wrong_key();
      r.why = a.why();
      return r;
    }
  }();
  static constexpr auto const& values = attributes_read.values;
  static constexpr bool has_right_count = [] {
    if constexpr (known_row<row_type>) return operand_count(row_type::operands).holds(read.inputs);
    else return false;
  }();
  // How many results other nodes may read.
  static constexpr int results = [] {
    if constexpr (requires { row_type::results(values); }) return row_type::results(values);
    else return 1;
  }();
  static constexpr bool is_right = known_row<row_type> && has_right_count && !attributes_read.wrong;
};
// Node I of a file.
template <class File, int I> struct node_of {
  static constexpr span_of_text name_in = node_read<typename File::json, I>.name;
  static constexpr std::string_view name = view(characters<typename File::json>, name_in);
  static constexpr auto name_text = text_of<name_in.n>(name.data());
  static constexpr auto const& place = File::graph.vertices[I];
  static constexpr bool has_own = !node_reader::are_alike(characters<typename File::json>, node_read<typename File::json, I>,
                                                          node_read<typename File::json, place.like>);
  using meaning = meaning_of<File, has_own ? I : place.like>;
};

// What is noted on a variable.
struct noted_type {
  dtype type = dtype::float32;
  dims shape = unknown_dims;
  bool wrong = false;
};
constexpr noted_type noted_on(char const* s, node_text const& n, bool is_numpy) {
  noted_type r;
  if (n.attributes == 0) return r;
  attributes a(s, n);
  if (!a.is_none("__dtype__"))
    if (int const t = a.whole("__dtype__"); t >= 0 && t <= static_cast<int>(dtype::bfloat16)) r.type = static_cast<dtype>(t);
  if (!a.is_none("__shape__")) {
    whole_numbers const all = a.list_with_none("__shape__");
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
  static constexpr auto const& read = node_read<typename File::json, node_number>;
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

}  // namespace sinter::literal::inline SINTER_ISA
