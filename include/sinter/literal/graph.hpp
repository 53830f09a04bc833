// SPDX-License-Identifier: Apache-2.0
// A symbol JSON in a literal as a graph: its nodes, which variables are inputs, which are parameters, and what is wrong with it. Each step is
// a constant expression of its own.
#pragma once
#include <array>
#include <utility>

#include "../core/text.hpp"
#include "node.hpp"

namespace sinter::literal::inline SINTER_ISA {

// The characters of what makes a text: a function, or a type with a static member `json`.
template <class Json> constexpr char const* characters_of() {
  constexpr auto begin = [](auto const& t) {
    if constexpr (requires { t.data(); }) return t.data();
    else return static_cast<char const*>(t);
  };
  if constexpr (requires { Json::json; }) return begin(Json::json);
  else return begin(Json{}());
}
template <class Json> inline constexpr char const* characters = characters_of<Json>();

template <class Json, int K> inline constexpr scanned_part part = scanner::scan(characters<Json>, part<Json, K - 1>.end);
template <class Json> inline constexpr scanned_part part<Json, 0> = scanner::scan(characters<Json>, {});
template <class Json, int K = 0> constexpr int count_parts() {
  if constexpr (part<Json, K>.end.done) return K + 1;
  else return count_parts<Json, K + 1>();
}
template <class Json> inline constexpr int parts = count_parts<Json>();
template <class Json> inline constexpr scan_state const& scanned = part<Json, parts<Json> - 1>.end;
template <class Json> inline constexpr bool is_graph =
    scanned<Json>.bad_at < 0 && scanned<Json>.is_list_of_nodes && scanned<Json>.nodes_at >= 0 && scanned<Json>.heads_at >= 0;

template <class Json, int... K> constexpr int count_nodes(std::integer_sequence<int, K...>) { return (0 + ... + part<Json, K>.n); }
template <class Json> inline constexpr int nodes = is_graph<Json> ? count_nodes<Json>(std::make_integer_sequence<int, parts<Json>>{}) : 0;
template <class Json, int... K> constexpr auto find_nodes(std::integer_sequence<int, K...>) {
  std::array<int, static_cast<std::size_t>(nodes<Json>) + 1> r{};
  std::size_t n = 0;
  for (scanned_part const* const p : {&part<Json, K>...})
    for (int i = 0; i < p->n; ++i) r[n++] = p->node_at[i];
  return r;
}
template <class Json> inline constexpr auto node_at =
    find_nodes<Json>(std::make_integer_sequence<int, nodes<Json> == 0 ? 1 : parts<Json>>{});
template <class Json, int I> inline constexpr node_text node_read = node_reader::read(characters<Json>, node_at<Json>[I]);

// ---- what the nodes are to each other

enum class role : std::int8_t { operation, input, parameter, label };
struct vertex {
  role what = role::operation;
  int place = 0;  // among the inputs or the parameters
  int first = 0, inputs = 0;  // its entries
  int like =
      0;  // the first node that may have the same operation and the same texts of attributes: its hash and its number of inputs are equal
  bool is_read = false;  // by an output, perhaps through others
};
template <int N, int E, int Heads> struct graph_of_text {
  vertex vertices[N + 1]{};
  entry entries[E + 1]{}, heads[Heads + 1]{};
  int inputs = 0, parameters = 0;
  int input_nodes[N + 1]{}, parameter_nodes[N + 1]{};
  bool is_numpy = false;
  fault what = fault::none;
  int at = 0, node = -1;  // where it is wrong
};

template <class Graph> class graph_maker {
 public:
  static constexpr Graph make(char const* s, node_text const* nodes, int n, scan_state const& t, std::string_view const* names, int given) {
    graph_maker r{s, nodes, n};
    r.add_entries();
    r.add_heads(t.heads_at);
    if (t.attributes_at >= 0) r.read_attributes(t.attributes_at);
    if (r.g_.what == fault::none) r.mark_read();
    if (r.g_.what == fault::none) r.choose(names, given);
    return r.g_;
  }

 private:
  char const* s_;
  node_text const* nodes_;
  int n_;
  Graph g_;
  int table_[2 * Graph::n + 1]{};  // of hashes, because searching all nodes before one would take too many steps

  constexpr graph_maker(char const* s, node_text const* nodes, int n) : s_(s), nodes_(nodes), n_(n) {}
  constexpr void fail(fault f, int at, int node) {
    if (g_.what != fault::none) return;
    g_.what = f;
    g_.at = at;
    g_.node = node;
  }
  constexpr bool is_variable(int i) const { return nodes_[i].kind == node_kind::variable; }
  constexpr void add_entries() {
    int next = 0;
    for (int i = 0; i < n_; ++i) {
      node_text const& k = nodes_[i];
      if (k.what != fault::none) return fail(k.what, k.at, i);
      g_.vertices[i].first = next;
      g_.vertices[i].inputs = k.inputs;
      if (k.inputs > 0)
        node_reader::each_entry(s_, k.inputs_at, [&](entry e) {
          if (e.node >= i) fail(fault::later_node, k.inputs_at, i);
          g_.entries[next++] = e;
        });
      if (k.inputs > 0 && is_variable(i)) fail(fault::variable_with_inputs, k.inputs_at, i);
    }
  }
  constexpr void add_heads(int at) {
    int next = 0;
    bool const ok = s_[at] == '[' && node_reader::each_entry(s_, at, [&](entry e) {
                      if (e.node >= n_) fail(fault::no_heads, at, -1);
                      g_.heads[next++] = e;
                    });
    if (!ok || next == 0) fail(fault::no_heads, at, -1);
  }
  // {"mxnet_version": ["int", 10901], "is_np_shape": ["int", 1]}
  constexpr void read_attributes(int at) {
    if (s_[at] != '{') return fail(fault::no_graph_attribute, at, -1);
    keys_checked const all = node_reader::each_key(s_, at, [&](span_of_text key, int value_at) {
      if (view(s_, key) != "is_np_shape") return;
      int const number = node_reader::number_in_pair(s_, value_at);
      if (number < 0) fail(fault::no_graph_attribute, value_at, -1);
      g_.is_numpy = number > 0;
    });
    if (all.what != fault::none) fail(all.what, all.at, -1);
  }
  constexpr void mark_read() {
    for (entry const* e = g_.heads; e != g_.heads + Graph::n_heads; ++e) g_.vertices[e->node].is_read = true;
    for (int i = n_ - 1; i >= 0; --i) {
      vertex const& v = g_.vertices[i];
      if (!v.is_read) continue;
      int const n = v.inputs > 1 && nodes_[i].kind == node_kind::output ? 1 : v.inputs;
      for (int k = 0; k < n; ++k) g_.vertices[g_.entries[v.first + k].node].is_read = true;
    }
  }
  constexpr void choose(std::string_view const* names, int given) {
    constexpr int data = 1, weight = 2, label = 4, noted = 8;
    int use[Graph::n + 1]{};
    for (int i = 0; i < n_; ++i) {
      vertex& v = g_.vertices[i];
      int const like = first_like(i);
      if (is_variable(i)) {
        if (nodes_[i].attributes > 0) use[i] |= noted;
        if (like != i) return fail(fault::same_name, nodes_[i].name.at, i);
        continue;
      }
      v.like = like;
      bool const layer = nodes_[i].kind == node_kind::layer, output = nodes_[i].kind == node_kind::output;
      for (int k = 0; k < v.inputs; ++k) use[g_.entries[v.first + k].node] |= k == 0 ? data : layer ? weight : output ? label : data;
    }
    for (int i = 0; i < given; ++i) {
      int at = 0;
      while (at < n_ && !(is_variable(at) && view(s_, nodes_[at].name) == names[i])) ++at;
      if (at == n_) return fail(fault::no_such_input, i, -1);
      add_input(at);
    }
    bool all_numbered = true;
    for (int i = 0; i < n_; ++i) {
      vertex& v = g_.vertices[i];
      if (!is_variable(i) || v.what != role::operation) continue;
      int const number = given > 0 ? -1 : nodes_[i].number;
      if (given == 0 && (number >= 0 || ((use[i] & data) != 0 && (use[i] & (weight | noted)) == 0))) {
        add_input(i);
        all_numbered = all_numbered && number >= 0;
      } else if (use[i] == label || (use[i] == (label | noted))) v.what = role::label;
      else {
        v.what = role::parameter;
        v.place = g_.parameters;
        g_.parameter_nodes[g_.parameters++] = i;
      }
    }
    if (given > 0 || !all_numbered) return;
    for (int i = 1; i < g_.inputs; ++i)  // in the order of their numbers
      for (int k = i; k > 0 && input_number(k - 1) > input_number(k); --k) std::swap(g_.input_nodes[k - 1], g_.input_nodes[k]);
    for (int i = 0; i < g_.inputs; ++i) g_.vertices[g_.input_nodes[i]].place = i;
  }
  constexpr int input_number(int k) const { return nodes_[g_.input_nodes[k]].number; }
  constexpr void add_input(int i) {
    g_.vertices[i].what = role::input;
    g_.vertices[i].place = g_.inputs;
    g_.input_nodes[g_.inputs++] = i;
  }
  // Variables are alike if they have one name. The texts of other nodes are compared elsewhere (file.hpp): all in one constant expression would
  // be too many steps.
  constexpr bool is_like(node_text const& a, node_text const& b) const {
    if (a.hash != b.hash || a.inputs != b.inputs || (a.kind == node_kind::variable) != (b.kind == node_kind::variable)) return false;
    return a.kind != node_kind::variable || view(s_, a.name) == view(s_, b.name);
  }
  constexpr int first_like(int i) {
    constexpr int size = 2 * Graph::n + 1;
    int at = nodes_[i].hash % size;
    for (; table_[at] > 0; at = at + 1 == size ? 0 : at + 1)
      if (int const other = table_[at] - 1; is_like(nodes_[other], nodes_[i])) return other;
    table_[at] = i + 1;
    return i;
  }
};

template <class Json> constexpr int count_heads() {
  int n = 0;
  if (nodes<Json> > 0 && characters<Json>[scanned<Json>.heads_at] == '[')
    node_reader::each_entry(characters<Json>, scanned<Json>.heads_at, [&](entry) { ++n; });
  return n;
}
template <class Json, int N> struct node_list {
  node_text all[N + 1]{};
  int entries = 0;
};
template <class Json, int... I> constexpr auto list_nodes(std::integer_sequence<int, I...>) {
  node_list<Json, sizeof...(I)> r{{node_read<Json, I>...}};
  for (node_text const& k : r.all) r.entries += k.inputs;
  return r;
}
template <class Json> inline constexpr auto listed = list_nodes<Json>(std::make_integer_sequence<int, nodes<Json>>{});

template <int N, int E, int Heads> struct sized_graph : graph_of_text<N, E, Heads> {
  static constexpr int n = N, n_heads = Heads;
};
template <text... Input> inline constexpr std::array<std::string_view, sizeof...(Input) + 1> input_names{Input.view()...};
template <class Json, text... Input> constexpr auto make_graph(node_text const* all) {
  using type = sized_graph<nodes<Json>, listed<Json>.entries, count_heads<Json>()>;
  if constexpr (scanned<Json>.bad_at >= 0) {
    type r;
    r.what = scanned<Json>.what;
    r.at = scanned<Json>.bad_at;
    return r;
  } else if constexpr (!is_graph<Json>) {
    type r;
    r.what = fault::no_graph;
    return r;
  } else
    return graph_maker<type>::make(characters<Json>, all, nodes<Json>, scanned<Json>, input_names<Input...>.data(),
                                   static_cast<int>(sizeof...(Input)));
}
template <class Json, text... Input> inline constexpr auto graph = make_graph<Json, Input...>(listed<Json>.all);

}  // namespace sinter::literal::inline SINTER_ISA
