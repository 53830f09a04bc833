// SPDX-License-Identifier: Apache-2.0
// The first pass over the text of a symbol JSON: is it JSON, and where do its nodes begin? In parts, so that no constant expression takes more
// steps than compilers allow one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "../core/config.hpp"

namespace sinter::literal::inline SINTER_ISA {

inline constexpr int part_size = 8192;  // characters that one constant expression reads, and a token more
inline constexpr int most_found = 512;  // nodes that it finds

// A piece of the text.
struct span_of_text {
  int at = 0, n = -1;  // n is -1 where there is none
};
constexpr std::string_view view(char const* s, span_of_text t) { return {s + t.at, static_cast<std::size_t>(t.n < 0 ? 0 : t.n)}; }

// What is wrong with a text.
enum class fault : std::int8_t {
  none,
  no_json,
  no_graph,
  no_node,
  name_with_escapes,
  unknown_key,
  key_twice,  // in one object
  no_graph_attribute,
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

enum class expects : std::int8_t { value, value_or_end, key, key_or_end, colon, comma_or_end, nothing };
// The keys of a graph, by their places in `keys_of_graph`; `none` is another key.
enum class part_of_graph : std::int8_t { none = -1, nodes, heads, attributes, arguments, row_ends };
inline constexpr std::string_view keys_of_graph[] = {"nodes", "heads", "attrs", "arg_nodes", "node_row_ptr"};
constexpr part_of_graph part_named(std::string_view key) {
  for (std::size_t i = 0; i < std::size(keys_of_graph); ++i)
    if (keys_of_graph[i] == key) return static_cast<part_of_graph>(i);
  return part_of_graph::none;
}

// What a part leaves for the next one.
struct scan_state {
  int at = 0;
  expects next = expects::value;
  part_of_graph inside = part_of_graph::none;
  unsigned parts_met = 0;  // a bit for each
  int depth = 0;
  std::uint64_t objects = 0;  // a bit for each depth: whether it is an object, or an array
  int nodes_at = -1, heads_at = -1, attributes_at = -1;
  fault what = fault::none;
  int bad_at = -1;  // where the fault is
  bool is_list_of_nodes = true;
  bool done = false;
};
struct scanned_part {
  scan_state end;
  int n = 0;
  int node_at[most_found]{};
};

// The text, and where what begins at a place ends. Members, not functions of a text: GCC keeps the result of every call whose arguments are all
// constants, and hashes the whole literal to find it.
class text_reader {
 protected:
  char const* s_;

  constexpr explicit text_reader(char const* s) : s_(s) {}

  // Behind the characters of the set.
  constexpr int end_of(char const* set, int at) const {
#if defined(SINTER_STRSPN)
    return at + SINTER_STRSPN(s_ + at, set);
#else
    for (;; ++at) {
      char const* k = set;
      while (*k != '\0' && *k != s_[at]) ++k;
      if (*k == '\0') return at;
    }
#endif
  }
  // Of a string: its end, an escape, or what no string contains.
  constexpr int end_of_letters(int at) const {
#if defined(SINTER_STRSPN)
    return at + SINTER_STRCSPN(s_ + at, "\"\\\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20\21\22\23\24\25\26\27\30\31\32\33\34\35\36\37");
#else
    for (char c = s_[at]; c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 0x20; c = s_[at]) ++at;
    return at;
#endif
  }
};

class scanner : text_reader {
 public:
  static constexpr scanned_part scan(char const* s, scan_state const& from) {
    scanner r{s, from};
    int const stop = from.at + part_size;
    while (!r.t_.done && r.t_.at < stop && r.found_.n < most_found) r.token();
    r.found_.end = r.t_;
    return r.found_;
  }

 private:
  scan_state t_;
  scanned_part found_;

  constexpr scanner(char const* s, scan_state const& from) : text_reader(s), t_(from) {}

  constexpr void bad(int at, fault what = fault::no_json) {
    t_.what = what;
    t_.bad_at = at;
    t_.done = true;
  }
  constexpr void token() {
    int const at = t_.at = end_of(" \n\t\r", t_.at);
    char const c = s_[at];
    if (c == '\0') return t_.next == expects::nothing ? void(t_.done = true) : bad(at);
    bool const wants_value = t_.next == expects::value || t_.next == expects::value_or_end;
    if (c == '"') return wants_value || t_.next == expects::key || t_.next == expects::key_or_end ? string(wants_value) : bad(at);
    if (c == '}' || c == ']') return close(c == '}');
    if (c == ',') return t_.next == expects::comma_or_end ? separate() : bad(at);
    if (c == ':') return t_.next == expects::colon ? advance(expects::value) : bad(at);
    if (!wants_value) return bad(at);
    begin_value();
    if (c == '{' || c == '[') open(c == '{');
    else if (c == 't') word("true");
    else if (c == 'f') word("false");
    else if (c == 'n') word("null");
    else number();
  }
  constexpr void advance(expects next) {
    ++t_.at;
    t_.next = next;
  }
  constexpr bool in_object() const { return (t_.objects >> t_.depth & 1u) != 0; }
  constexpr void separate() { advance(in_object() ? expects::key : expects::value); }
  constexpr void value_ends() { t_.next = t_.depth == 0 ? expects::nothing : expects::comma_or_end; }
  constexpr void begin_value() {
    if (t_.depth == 0 && s_[t_.at] != '{') t_.is_list_of_nodes = false;
    if (t_.depth == 1 && t_.inside == part_of_graph::nodes) {
      t_.nodes_at = t_.at;
      if (s_[t_.at] != '[') t_.is_list_of_nodes = false;
    }
    if (t_.depth == 1 && t_.inside == part_of_graph::heads) t_.heads_at = t_.at;
    if (t_.depth == 1 && t_.inside == part_of_graph::attributes) t_.attributes_at = t_.at;
    if (t_.depth != 2 || t_.inside != part_of_graph::nodes) return;
    found_.node_at[found_.n++] = t_.at;
    if (s_[t_.at] != '{') t_.is_list_of_nodes = false;
  }
  constexpr void open(bool object) {
    if (t_.depth == 60) return bad(t_.at);  // deeper than any graph
    ++t_.depth;
    t_.objects = (t_.objects & ~(std::uint64_t{1} << t_.depth)) | std::uint64_t{object} << t_.depth;
    advance(object ? expects::key_or_end : expects::value_or_end);
  }
  constexpr void close(bool object) {
    bool const fits = t_.next == expects::comma_or_end || t_.next == (object ? expects::key_or_end : expects::value_or_end);
    if (t_.depth == 0 || !fits || in_object() != object) return bad(t_.at);
    --t_.depth;
    ++t_.at;
    value_ends();
  }
  constexpr void string(bool is_value) {
    if (is_value) begin_value();
    int const begin = t_.at + 1;
    int at = end_of_letters(begin);
    for (; s_[at] != '"'; at = end_of_letters(at + 1)) {
      if (s_[at] != '\\') return bad(at);
      ++at;
      if (!is_escape(at)) return bad(at);
    }
    t_.at = at + 1;
    if (is_value) return value_ends();
    t_.next = expects::colon;
    if (t_.depth != 1) return;
    enter(view(s_, {begin, at - begin}), begin);
  }
  // The value of this key of the graph comes next.
  constexpr void enter(std::string_view key, int at) {
    t_.inside = part_named(key);
    if (t_.inside == part_of_graph::none) return bad(at, fault::unknown_key);
    unsigned const bit = 1u << static_cast<int>(t_.inside);
    if ((t_.parts_met & bit) != 0) return bad(at, fault::key_twice);
    t_.parts_met |= bit;
  }
  // Behind a \; moves to the last letter of it.
  constexpr bool is_escape(int& at) const {
    char const c = s_[at];
    if (c != 'u') return c == '"' || c == '\\' || c == '/' || c == 'b' || c == 'f' || c == 'n' || c == 'r' || c == 't';
    for (int i = 0; i < 4; ++i) {
      char const h = s_[++at];
      if (!((h >= '0' && h <= '9') || (h >= 'a' && h <= 'f') || (h >= 'A' && h <= 'F'))) return false;
    }
    return true;
  }
  constexpr void word(char const* w) {
    for (; *w; ++w, ++t_.at)
      if (s_[t_.at] != *w) return bad(t_.at);
    value_ends();
  }
  constexpr bool digits() {
    int const begin = t_.at;
    while (s_[t_.at] >= '0' && s_[t_.at] <= '9') ++t_.at;
    return t_.at > begin;
  }
  constexpr void number() {
    if (s_[t_.at] == '-') ++t_.at;
    bool const zero = s_[t_.at] == '0';
    int const begin = t_.at;
    if (!digits() || (zero && t_.at > begin + 1)) return bad(t_.at);
    if (s_[t_.at] == '.') {
      ++t_.at;
      if (!digits()) return bad(t_.at);
    }
    if (s_[t_.at] == 'e' || s_[t_.at] == 'E') {
      ++t_.at;
      if (s_[t_.at] == '+' || s_[t_.at] == '-') ++t_.at;
      if (!digits()) return bad(t_.at);
    }
    value_ends();
  }
};

}  // namespace sinter::literal::inline SINTER_ISA
