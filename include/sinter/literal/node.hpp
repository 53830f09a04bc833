// SPDX-License-Identifier: Apache-2.0
// The second pass over the text of a symbol JSON: a node, and what stands in it. The first one has found that the text is JSON.
#pragma once
#include <initializer_list>

#include "../graph/op.hpp"
#include "scan.hpp"

namespace sinter::literal::inline SINTER_ISA {

// What is wrong with a text that is JSON.
enum class fault : std::int8_t {
  none,
  no_json,
  no_graph,
  no_node,
  name_with_escapes,
  unknown_key,
  subgraphs,
  control,
  no_entry,
  later_node,
  no_such_output,
  no_heads,
  variable_with_inputs,
  same_name,
  no_such_input
};

// What the graph wants to know of a node's operation: whether it is a variable, whether its operands behind the first are parameters, or a
// label for training, which nothing reads here.
enum class node_kind : std::int8_t { variable, layer, output, other };
constexpr bool is_one_of(std::string_view s, std::initializer_list<std::string_view> all) {
  for (std::string_view const one : all)
    if (one == s) return true;
  return false;
}
constexpr bool reads_parameters(std::string_view op) {
  return is_one_of(op, {"FullyConnected",     "Convolution",        "BatchNorm",       "Embedding",       "LayerNorm",
                        "LeakyReLU",          "Deconvolution",      "InstanceNorm",    "GroupNorm",       "_npx_fully_connected",
                        "_npx_convolution",   "_npx_batch_norm",    "_npx_embedding",  "_npx_layer_norm", "_npx_leaky_relu",
                        "_npx_deconvolution", "_npx_instance_norm", "_npx_group_norm", "Convolution_v1",  "BatchNorm_v1",
                        "CuDNNBatchNorm"});
}
constexpr bool has_label(std::string_view op) {
  return is_one_of(op, {"SoftmaxOutput", "Softmax", "LinearRegressionOutput", "MAERegressionOutput", "LogisticRegressionOutput"});
}
constexpr node_kind kind_of_node(std::string_view op) {
  return op == "null"           ? node_kind::variable
         : reads_parameters(op) ? node_kind::layer
         : has_label(op)        ? node_kind::output
                                : node_kind::other;
}
// Names of Gluon's inputs: data, data0, data1, ...; -1 for others.
constexpr int number_of_input(std::string_view name) {
  if (name.size() < 4 || name.size() > 8 || name.substr(0, 4) != "data") return -1;
  int r = 0;
  for (char const c : name.substr(4)) {
    if (c < '0' || c > '9') return -1;
    r = r * 10 + (c - '0');
  }
  return r;
}

struct node_text {
  span_of_text name, op;
  int attributes_at[3]{-1, -1, -1};  // of MXNet 1.0, 0.9 and before
  int attributes = 0;  // how many
  int inputs_at = -1, inputs = 0;
  node_kind kind = node_kind::other;
  std::uint64_t hash = 0;  // of the name
  int number = -1;  // of an input that is called as Gluon calls them
  fault what = fault::none;
  int at = 0;  // where the fault is
};
struct entry {
  int node = 0, output = 0;
};

class node_reader {
 public:
  static constexpr node_text read(char const* s, int at) {
    node_reader r{s, at};
    r.node();
    if (r.n_.what == fault::none && (r.n_.name.n < 0 || r.n_.op.n < 0 || r.n_.inputs_at < 0)) r.fail(fault::no_node, at);
    return r.n_;
  }
  // Calls fn(key, value) for each attribute of a node.
  template <class F> static constexpr void each_attribute(char const* s, node_text const& n, F fn) {
    for (int const at : n.attributes_at)
      if (at >= 0) {
        node_reader r{s, at + 1};
        while (!r.ends('}')) {
          span_of_text const key = r.string();
          r.skip_to(':');
          fn(key, r.string());
        }
      }
  }
  // Calls fn(node, output) for each of [[7, 0, 0], [8, 1, 0]].
  template <class F> static constexpr bool each_entry(char const* s, int at, F fn) {
    node_reader r{s, at + 1};
    while (!r.ends(']')) {
      if (s[r.at_] != '[') return false;
      ++r.at_;
      int v[3]{}, n = 0;
      while (!r.ends(']')) {
        if (n == 3 || !r.index(v[n])) return false;
        ++n;
      }
      if (n < 2) return false;
      fn(entry{v[0], v[1]});
    }
    return true;
  }
  static constexpr void skip_value(char const* s, int& at) {
    node_reader r{s, at};
    r.value();
    at = r.at_;
  }

 private:
  char const* s_;
  int at_;
  node_text n_;

  constexpr node_reader(char const* s, int at) : s_(s), at_(at) {}
  constexpr void fail(fault f, int at) {
    if (n_.what != fault::none) return;
    n_.what = f;
    n_.at = at;
  }
  // Outside of strings JSON has no other character up to the blank.
  constexpr void blanks() {
    char const* const s = s_;
    int at = at_;
    for (char c = s[at]; c <= ' ' || c == ','; c = s[at]) ++at;
    at_ = at;
  }
  // Whether the container ends here; else at_ is at its next item.
  constexpr bool ends(char bracket) {
    blanks();
    if (s_[at_] != bracket) return false;
    ++at_;
    return true;
  }
  constexpr void skip_to(char c) {
    while (s_[at_] != c) ++at_;
    ++at_;
    blanks();
  }
  constexpr span_of_text string() {
    char const* const s = s_;
    int const begin = at_ + 1;
    int at = begin;
    for (char c = s[at]; c != '"'; c = s[++at])
      if (c == '\\') ++at;
    at_ = at + 1;
    return {begin, at - begin};
  }
  constexpr bool index(int& v) {
    int const begin = at_;
    for (; s_[at_] >= '0' && s_[at_] <= '9'; ++at_) {
      if (at_ > begin + 7) return false;
      v = v * 10 + (s_[at_] - '0');
    }
    char const c = s_[at_];
    return at_ > begin && c != '.' && c != 'e' && c != 'E';
  }
  constexpr void value() {
    int depth = 0;
    do {
      blanks();
      char const c = s_[at_];
      if (c == '"') string();
      else if (c == '{' || c == '[') ++depth, ++at_;
      else if (c == '}' || c == ']') --depth, ++at_;
      else if (c == ':') ++at_;
      else
        while (s_[at_] != ',' && s_[at_] != '}' && s_[at_] != ']' && s_[at_] != ' ' && s_[at_] != '\n' && s_[at_] != '\t' &&
               s_[at_] != '\r')
          ++at_;
    } while (depth > 0);
  }
  constexpr span_of_text name() {
    if (s_[at_] != '"') return fail(fault::no_node, at_), value(), span_of_text{};
    span_of_text const r = string();
    for (char const c : view(s_, r))
      if (c == '\\') fail(fault::name_with_escapes, r.at);
    return r;
  }
  constexpr void node() {
    ++at_;
    while (n_.what == fault::none && !ends('}')) {
      int const key_at = at_;
      std::string_view const key = view(s_, string());
      skip_to(':');
      int const value_at = at_;
      if (key == "op") {
        n_.op = name();
        n_.kind = kind_of_node(view(s_, n_.op));
      } else if (key == "name") {
        n_.name = name();
        n_.hash = hash_of(view(s_, n_.name));
        n_.number = number_of_input(view(s_, n_.name));
      } else if (key == "attrs") attributes(0);
      else if (key == "attr") attributes(1);
      else if (key == "param") attributes(2);
      else if (key == "inputs") inputs();
      else if (key == "control_deps") {
        if (!is_empty()) fail(fault::control, value_at);
      } else if (key == "subgraphs") {
        if (!is_empty()) fail(fault::subgraphs, value_at);
      } else {
        if (key != "backward_source_id") fail(fault::unknown_key, key_at);
        value();
      }
    }
  }
  constexpr bool is_empty() {
    int const at = at_;
    value();
    int inner = at + 1;
    while (s_[inner] == ' ' || s_[inner] == '\n' || s_[inner] == '\t' || s_[inner] == '\r') ++inner;
    return s_[at] == '[' && s_[inner] == ']';
  }
  constexpr void attributes(int which) {
    n_.attributes_at[which] = at_;
    if (s_[at_] != '{') return fail(fault::no_node, at_), value();
    ++at_;
    while (!ends('}')) {
      string();
      skip_to(':');
      if (s_[at_] != '"') return fail(fault::no_node, at_);
      string();
      ++n_.attributes;
    }
  }
  constexpr void inputs() {
    n_.inputs_at = at_;
    if (s_[at_] != '[' || !each_entry(s_, at_, [&](entry) { ++n_.inputs; })) fail(fault::no_entry, at_);
    value();
  }
};

}  // namespace sinter::literal::inline SINTER_ISA
