// SPDX-License-Identifier: Apache-2.0
// The second pass over the text of a symbol JSON: a node, and what stands in it. The first one has found that the text is JSON.
#pragma once
#include "../graph/op.hpp"
#include "scan.hpp"

namespace sinter::literal::inline SINTER_ISA {

// What the graph wants to know of a node's operation: whether it is a variable, whether its operands behind the first are parameters, or a
// label for training, which nothing reads here.
enum class node_kind : std::int8_t { variable, layer, output, other };
inline constexpr char const* with_parameters[] = {
    "FullyConnected",     "Convolution",        "BatchNorm",       "Embedding",       "LayerNorm",
    "LeakyReLU",          "Deconvolution",      "InstanceNorm",    "GroupNorm",       "_npx_fully_connected",
    "_npx_convolution",   "_npx_batch_norm",    "_npx_embedding",  "_npx_layer_norm", "_npx_leaky_relu",
    "_npx_deconvolution", "_npx_instance_norm", "_npx_group_norm", "Convolution_v1",  "BatchNorm_v1",
    "CuDNNBatchNorm"};
inline constexpr char const* with_labels[] = {"SoftmaxOutput", "Softmax", "LinearRegressionOutput", "MAERegressionOutput",
                                              "LogisticRegressionOutput"};

struct node_text {
  span_of_text name, op;
  span_of_text attributes_in[3];  // of MXNet 1.0, 0.9 and before
  int attributes = 0;  // how many
  int inputs_at = -1, inputs = 0;
  node_kind kind = node_kind::other;
  int hash = 0;  // of a variable's name, of an operation and the texts of its attributes
  int number = -1;  // of an input that is called as Gluon calls them
  fault what = fault::none;
  int at = 0;  // where the fault is
};
struct entry {
  int node = 0, output = 0;
};
// What is wrong with the keys of an object, where, and where the object ends.
struct keys_checked {
  fault what = fault::none;
  int at = 0, end = 0;
};

// The keys of a node, by their places in `keys_of_node`.
enum class node_key : std::int8_t { op, name, attrs, attr, param, inputs, control_deps, subgraphs, backward_source_id, unknown };
inline constexpr char const* keys_of_node[] = {
    "op", "name", "attrs", "attr", "param", "inputs", "control_deps", "subgraphs", "backward_source_id"};

// The steps that each node takes many times are members without the text as an argument: GCC keeps the result of every call whose arguments
// are all constants, and hashes the whole literal to find it.
class node_reader : text_reader {
 public:
  static constexpr node_text read(char const* s, int at) {
    node_reader r{s, at};
    r.node();
    r.note_hash();
    if (r.n_.what == fault::none && (r.n_.name.n < 0 || r.n_.op.n < 0 || r.n_.inputs_at < 0)) r.fail(fault::no_node, at);
    return r.n_;
  }
  // Whether two nodes have the same operation, as many inputs and the same texts of attributes.
  static constexpr bool are_alike(char const* s, node_text const& a, node_text const& b) {
    node_reader const r{s, 0};
    bool same = a.inputs == b.inputs && r.is_same(a.op, b.op);
    for (int i = 0; i < 3; ++i) same = same && r.is_same(a.attributes_in[i], b.attributes_in[i]);
    return same;
  }
  // Calls fn(key, value) for each attribute of a node.
  template <class F> static constexpr void each_attribute(char const* s, node_text const& n, F fn) {
    for (span_of_text const& all : n.attributes_in)
      if (all.n >= 0) {
        node_reader r{s, all.at + 1};
        while (!r.ends('}')) {
          span_of_text const key = r.string();
          r.skip_to(':');
          fn(key, r.string());
        }
      }
  }
  // Calls fn(key, where its value begins) for each key of an object.
  template <class F> static constexpr keys_checked each_key(char const* s, int at, F fn) {
    node_reader r{s, at + 1};
    std::uint64_t met = 0;  // a bit for each length and last letter: where it is new, so is the key
    while (!r.ends('}')) {
      span_of_text const key = r.string();
      if (r.has_escape_) r.fail(fault::name_with_escapes, key.at);
      std::uint64_t const bit = std::uint64_t{1} << (static_cast<unsigned>(5 * key.n + s[key.at + key.n - 1]) & 63u);
      if ((met & bit) != 0 && r.stands_before(at, key)) r.fail(fault::key_twice, key.at);
      met |= bit;
      r.skip_to(':');
      fn(key, r.at_);
      r.value();
    }
    return {r.n_.what, r.n_.at, r.at_};
  }
  // The whole number of ["int", 1], or -1.
  static constexpr int number_in_pair(char const* s, int at) {
    node_reader r{s, at + 1};
    if (s[at] != '[' || r.ends(']') || s[r.at_] != '"') return -1;
    r.string();
    int v = 0;
    return !r.ends(']') && r.index(v) && r.ends(']') ? v : -1;
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
  int at_;
  bool has_escape_ = false;  // of the last string that was read
  node_text n_;

  constexpr node_reader(char const* s, int at) : text_reader(s), at_(at) {}
  constexpr void fail(fault f, int at) {
    if (n_.what != fault::none) return;
    n_.what = f;
    n_.at = at;
  }
  // Outside of strings JSON has no other character up to the blank.
  constexpr void blanks() { at_ = end_of(", \n\t\r", at_); }
  constexpr bool is_same(span_of_text a, span_of_text b) const {
    int i = 0;
    while (i < a.n && i < b.n && s_[a.at + i] == s_[b.at + i]) ++i;
    return a.n == b.n && i >= a.n;
  }
  constexpr bool is(span_of_text t, char const* word) const {
    int i = 0;
    while (i < t.n && s_[t.at + i] == word[i]) ++i;
    return i == t.n && word[i] == '\0';
  }
  template <std::size_t N> constexpr bool is_one_of(span_of_text t, char const* const (&words)[N]) const {
    for (char const* const w : words)
      if (is(t, w)) return true;
    return false;
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
    int const begin = at_ + 1;
    int at = end_of_letters(begin);
    has_escape_ = s_[at] == '\\';
    while (s_[at] == '\\') at = end_of_letters(at + 2);
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
    if (has_escape_) fail(fault::name_with_escapes, r.at);
    return r;
  }
  constexpr node_key key_in(span_of_text t) const {
    int i = 0;
    while (i < static_cast<int>(node_key::unknown) && !is(t, keys_of_node[i])) ++i;
    return static_cast<node_key>(i);
  }
  // Whether an object has this key before it.
  constexpr bool stands_before(int object_at, span_of_text key) const {
    node_reader r{s_, object_at + 1};
    while (!r.ends('}')) {
      span_of_text const one = r.string();
      if (one.at == key.at) return false;
      if (is_same(one, key)) return true;
      r.skip_to(':');
      r.value();
    }
    return false;
  }
  constexpr void node() {
    ++at_;
    unsigned met = 0;  // a bit for each key
    while (n_.what == fault::none && !ends('}')) {
      int const key_at = at_;
      node_key const key = key_in(string());
      if (key == node_key::unknown) return fail(fault::unknown_key, key_at);
      unsigned const bit = 1u << static_cast<int>(key);
      if ((met & bit) != 0) return fail(fault::key_twice, key_at);
      met |= bit;
      skip_to(':');
      value_of(key);
    }
  }
  constexpr void value_of(node_key key) {
    int const begin = at_;
    switch (key) {
      case node_key::op: return operation();
      case node_key::name:
        n_.name = name();
        n_.number = number_of_input();
        return;
      case node_key::attrs: return attributes(0);
      case node_key::attr: return attributes(1);
      case node_key::param: return attributes(2);
      case node_key::inputs: return inputs();
      case node_key::control_deps:
        if (!is_empty()) fail(fault::control, begin);
        return;
      case node_key::subgraphs:
        if (!is_empty()) fail(fault::subgraphs, begin);
        return;
      case node_key::backward_source_id:
      case node_key::unknown: return value();
    }
  }
  constexpr void operation() {
    n_.op = name();
    n_.kind = is(n_.op, "null")                   ? node_kind::variable
              : is_one_of(n_.op, with_parameters) ? node_kind::layer
              : is_one_of(n_.op, with_labels)     ? node_kind::output
                                                  : node_kind::other;
  }
  constexpr void note_hash() {
    bool const is_variable = n_.kind == node_kind::variable;
    add_to_hash(is_variable ? n_.name : n_.op);
    for (int i = 0; i < 3 && !is_variable; ++i) add_to_hash(n_.attributes_in[i]);
  }
  // Twenty bits, turned by five for each character: compilers keep every number that a constant expression meets.
  constexpr void add_to_hash(span_of_text t) {
    for (int i = 0; i < t.n; ++i) n_.hash = ((n_.hash << 5 | n_.hash >> 15) & 0xfffff) ^ static_cast<unsigned char>(s_[t.at + i]);
  }
  // Names of Gluon's inputs: data, data0, data1, ...; -1 for others.
  constexpr int number_of_input() const {
    auto const [at, n] = n_.name;
    if (n < 4 || n > 8 || !is({at, 4}, "data")) return -1;
    int r = 0;
    for (int i = at + 4; i < at + n; ++i) {
      if (s_[i] < '0' || s_[i] > '9') return -1;
      r = r * 10 + (s_[i] - '0');
    }
    return r;
  }
  constexpr bool is_empty() {
    int const at = at_;
    value();
    return s_[at] == '[' && s_[end_of(" \n\t\r", at + 1)] == ']';
  }
  constexpr void attributes(int which) {
    int const begin = at_;
    if (s_[at_] != '{') return fail(fault::no_node, at_);
    keys_checked const all = each_key(s_, begin, [&](span_of_text, int value_at) {
      if (s_[value_at] != '"') fail(fault::no_node, value_at);
      ++n_.attributes;
    });
    fail(all.what, all.at);
    at_ = all.end;
    n_.attributes_in[which] = {begin, at_ - begin};
  }
  constexpr void inputs() {
    n_.inputs_at = at_;
    if (s_[at_] != '[' || !each_entry(s_, at_, [&](entry) { ++n_.inputs; })) fail(fault::no_entry, at_);
    value();
  }
};

}  // namespace sinter::literal::inline SINTER_ISA
