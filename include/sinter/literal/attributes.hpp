// SPDX-License-Identifier: Apache-2.0
// The attributes of a node in a constant expression: their texts as values, by the rules of symbol/mxnet/attributes.hpp.
#pragma once
#include "../graph/attributes.hpp"
#include "decimal.hpp"
#include "node.hpp"

namespace sinter::literal::inline SINTER_ISA {

inline constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();  // `None` among whole numbers

// Whole numbers in a row, which can be a template argument.
struct whole_numbers {
  int n = 0;
  std::int64_t at[16]{};
  constexpr void push_back(std::int64_t v) { at[n++] = v; }
  constexpr std::size_t size() const { return static_cast<std::size_t>(n); }
  constexpr bool empty() const { return n == 0; }
  constexpr std::int64_t* begin() { return at; }
  constexpr std::int64_t* end() { return at + n; }
  constexpr std::int64_t const* begin() const { return at; }
  constexpr std::int64_t const* end() const { return at + n; }
  constexpr std::int64_t operator[](std::size_t i) const { return at[i]; }
  constexpr std::int64_t& operator[](std::size_t i) { return at[i]; }
};
constexpr std::string_view without_blanks(std::string_view s) {
  while (s.starts_with(' ')) s.remove_prefix(1);
  while (s.ends_with(' ')) s.remove_suffix(1);
  return s;
}
constexpr std::optional<std::int64_t> whole_in(std::string_view s) {
  s = without_blanks(s);
  bool const negative = s.starts_with('-');
  if (negative || s.starts_with('+')) s.remove_prefix(1);
  if (s.empty() || s.size() > 10) return {};
  std::int64_t n = 0;
  for (char const c : s) {
    if (c < '0' || c > '9') return {};
    n = n * 10 + (c - '0');
  }
  if (negative) n = -n;
  if (n < std::numeric_limits<int>::min() || n > std::numeric_limits<int>::max()) return {};
  return n;
}
// (1, 2), [1,2] or 3, at most sixteen numbers; `None` stands among them only where `allows_none`.
constexpr std::optional<whole_numbers> list_in(std::string_view s, bool allows_none) {
  s = without_blanks(s);
  whole_numbers all;
  bool const round = s.starts_with('(') && s.ends_with(')'), square = s.starts_with('[') && s.ends_with(']');
  if (s.size() < 2 || (!round && !square)) {
    auto const v = whole_in(s);
    if (!v) return {};
    all.push_back(*v);
    return all;
  }
  s = without_blanks(s.substr(1, s.size() - 2));
  while (!s.empty()) {
    std::size_t comma = 0;
    while (comma < s.size() && s[comma] != ',') ++comma;
    std::string_view one = without_blanks(s.substr(0, comma));
    if (one.ends_with('L')) one.remove_suffix(1);
    auto const v = allows_none && one == "None" ? std::optional(none) : whole_in(one);
    if (!v || all.n == 16) return {};
    all.push_back(*v);
    s = comma == s.size() ? std::string_view() : without_blanks(s.substr(comma + 1));
  }
  return all;
}

// Why an attribute is wrong.
enum class attribute_fault : std::int8_t {
  meaning,  // it is missing, unknown, or has none of its values
  escape,  // its text has an escape sequence
  digits  // it is a number beyond those that real_in reads
};
constexpr attribute_fault fault_of(std::string_view s) {
  s = without_blanks(s);
  if (s.find('\\') != std::string_view::npos) return attribute_fault::escape;
  return is_decimal(s) && !real_in(s) ? attribute_fault::digits : attribute_fault::meaning;
}

// Each function names an attribute and gives its value, or `otherwise` where it is not there. The first that is wrong, missing, or nobody's
// when `finish` is called is noted.
class attributes {
  static constexpr int most_named = 24;
  char const* s_;
  node_text const& n_;
  std::string_view named_[most_named]{};
  int n_named_ = 0;
  bool wrong_ = false;
  attribute_fault fault_{};
  std::string_view wrong_key_;

  constexpr span_of_text find(std::string_view key) const {
    span_of_text r;
    node_reader::each_attribute(s_, n_, [&](span_of_text k, span_of_text v) {
      if (r.n < 0 && k.n == static_cast<int>(key.size()) && view(s_, k) == key) r = v;
    });
    return r;
  }
  template <class V, class Parse> constexpr V value(std::string_view key, std::optional<V> const& otherwise, Parse parse) {
    ignore({key});
    span_of_text const at = find(key);
    if (at.n < 0) {
      if (!otherwise) refuse(key);
      return otherwise.value_or(V{});
    }
    auto const v = parse(view(s_, at));
    if (!v) refuse(key, fault_of(view(s_, at)));
    return v ? V(*v) : otherwise.value_or(V{});
  }

 public:
  constexpr attributes(char const* s, node_text const& n) : s_(s), n_(n) {}
  constexpr bool is_wrong() const { return wrong_; }
  constexpr std::string_view wrong_key() const { return wrong_key_; }
  constexpr attribute_fault why() const { return fault_; }

  constexpr bool has(std::string_view key) const { return find(key).n >= 0; }
  constexpr bool is_none(std::string_view key) {
    ignore({key});
    span_of_text const at = find(key);
    return at.n < 0 || view(s_, at) == "None";
  }
  constexpr bool flag(std::string_view key, std::optional<bool> otherwise = {}) {
    return value(key, otherwise, [](std::string_view s) -> std::optional<bool> {
      if (s == "True" || s == "true" || s == "1") return true;
      if (s == "False" || s == "false" || s == "0") return false;
      return {};
    });
  }
  constexpr int whole(std::string_view key, std::optional<int> otherwise = {}) {
    return value(key, otherwise, [](std::string_view s) -> std::optional<int> {
      auto const v = whole_in(s);
      return v ? std::optional(static_cast<int>(*v)) : std::nullopt;
    });
  }
  constexpr int at_least(int least, std::string_view key, std::optional<int> otherwise = {}) {
    int const n = whole(key, otherwise);
    if (n < least) refuse(key);
    return n < least ? least : n;
  }
  constexpr double real(std::string_view key, std::optional<double> otherwise = {}) {
    return value(key, otherwise, [](std::string_view s) { return real_in(without_blanks(s)); });
  }
  constexpr dtype type(std::string_view key, std::optional<dtype> otherwise = {}) {
    return value(key, otherwise, [](std::string_view s) -> std::optional<dtype> {
      for (int t = 0; t <= static_cast<int>(dtype::bfloat16); ++t)
        if (auto const one = static_cast<dtype>(t); has_tensors(one) && name_of(one) == s) return one;
      return {};
    });
  }
  constexpr dtype type_or_none(std::string_view key) { return is_none(key) ? dtype::none : type(key); }
  constexpr whole_numbers list(std::string_view key, std::optional<whole_numbers> otherwise = {}) {
    return value(key, otherwise, [](std::string_view s) { return list_in(s, false); });
  }
  constexpr whole_numbers list_or_none(std::string_view key) { return is_none(key) ? whole_numbers{} : list(key); }
  // A list in which a place may be left open as `None`.
  constexpr whole_numbers list_with_none(std::string_view key) {
    return value<whole_numbers>(key, {}, [](std::string_view s) { return list_in(s, true); });
  }
  // One of these words.
  constexpr std::string_view word(std::string_view key, std::initializer_list<std::string_view> words,
                                  std::optional<std::string_view> otherwise = {}) {
    std::string_view const v = value(key, otherwise, [](std::string_view s) { return std::optional(s); });
    for (std::string_view const w : words)
      if (v == w) return w;
    refuse(key, fault_of(v));
    return *words.begin();
  }
  // The same as its place among them.
  constexpr int choice(std::string_view key, std::initializer_list<std::string_view> words,
                       std::optional<std::string_view> otherwise = {}) {
    std::string_view const v = word(key, words, otherwise);
    int i = 0;
    for (std::string_view const w : words) {
      if (w == v) return i;
      ++i;
    }
    return 0;
  }
  // What decides nothing here: the tuning of a library, training.
  constexpr void ignore(std::initializer_list<std::string_view> keys) {
    for (std::string_view const key : keys)
      if (n_named_ < most_named) named_[n_named_++] = key;
  }
  // What may only be left out, or have this text.
  constexpr void only(std::string_view key, std::initializer_list<std::string_view> texts) {
    if (!is_none(key)) static_cast<void>(word(key, texts));
  }
  constexpr void refuse(std::string_view key, attribute_fault why = {}) {
    if (wrong_) return;
    wrong_ = true;
    fault_ = why;
    wrong_key_ = key;
  }
  constexpr void finish() {
    node_reader::each_attribute(s_, n_, [&](span_of_text key, span_of_text) {
      std::string_view const k = view(s_, key);
      if (k.size() > 4 && k.starts_with("__") && k.ends_with("__")) return;
      for (int i = 0; i < n_named_; ++i)
        if (named_[i] == k) return;
      refuse(k);
    });
  }
};

}  // namespace sinter::literal::inline SINTER_ISA
