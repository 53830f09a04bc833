// SPDX-License-Identifier: Apache-2.0
// The attributes of a node of MXNet's symbol JSON: their texts as values.
#pragma once
#include <charconv>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "../../core/dtype.hpp"
#include "../../core/error.hpp"

namespace sinter::sym::mxnet {
inline namespace SINTER_ISA {

using attribute_texts = std::map<std::string, std::string>;
using whole_numbers = std::vector<std::int64_t>;
inline constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();  // `None` among whole numbers

// Each function names an attribute, and gives its value or `otherwise`; without `otherwise` it must be there. Texts that are no such value
// are an error, and so are attributes that nobody has named when `finish` is called.
class attributes {
 public:
  explicit attributes(attribute_texts const& texts) : texts_(texts) {}

  bool has(char const* key) const { return texts_.contains(key); }
  bool flag(char const* key, std::optional<bool> otherwise = {}) { return value(key, otherwise, &flag_of, "True or False"); }
  int whole(char const* key, std::optional<int> otherwise = {}) { return value(key, otherwise, &int_of, "a whole number"); }
  int at_least(int least, char const* key, std::optional<int> otherwise = {}) {
    int const n = whole(key, otherwise);
    if (n < least) refuse(key, "it is less than " + std::to_string(least));
    return n;
  }
  double real(char const* key, std::optional<double> otherwise = {}) { return value(key, otherwise, &real_of, "a number"); }
  sinter::dtype type(char const* key, std::optional<sinter::dtype> otherwise = {}) {
    return value(key, otherwise, &type_named, "the name of an element type that tensors have");
  }
  // (1, None), [1,2] or 3, at most sixteen numbers.
  whole_numbers list(char const* key, std::optional<whole_numbers> otherwise = {}) {
    return value(key, std::move(otherwise), &list_of, "a list of whole numbers");
  }
  // The same, or `None`, which is also what is not there.
  std::optional<whole_numbers> list_or_none(char const* key) {
    return is_none(key) ? std::nullopt : std::optional<whole_numbers>(list(key));
  }
  std::optional<int> whole_or_none(char const* key) { return is_none(key) ? std::nullopt : std::optional<int>(whole(key)); }
  std::optional<sinter::dtype> type_or_none(char const* key) {
    return is_none(key) ? std::nullopt : std::optional<sinter::dtype>(type(key));
  }
  bool is_none(char const* key) {
    named_.insert(key);
    auto const at = texts_.find(key);
    return at == texts_.end() || at->second == "None";
  }
  // One of these words.
  std::string word(char const* key, std::initializer_list<char const*> words, std::optional<std::string> otherwise = {}) {
    std::string const v = value(key, std::move(otherwise), [](std::string const& s) { return std::optional(s); }, "");
    std::string all;
    for (char const* w : words) {
      if (v == w) return v;
      all += (all.empty() ? "" : ", ") + std::string(w);
    }
    refuse(key, "sinter knows " + all);
  }
  // What decides nothing here: the tuning of a library, training.
  void ignore(std::initializer_list<char const*> keys) { named_.insert(keys.begin(), keys.end()); }
  // What may only be left out, or have this text.
  void only(char const* key, std::initializer_list<char const*> texts) {
    if (!is_none(key)) static_cast<void>(word(key, texts));
  }
  void finish() const {
    for (auto const& [key, text] : texts_)
      if (!named_.contains(key) && !is_hidden(key)) throw error("attribute `" + key + "` is unknown");
  }
  [[noreturn]] void refuse(char const* key, std::string const& why) const {
    auto const at = texts_.find(key);
    throw error("attribute `" + std::string(key) + "`" + (at == texts_.end() ? "" : " is `" + at->second.substr(0, 80) + "`") + ": " + why);
  }
  // The texts of these as a sentence has them: `num_filter=8 and kernel=(3, 3) want`.
  std::string said(std::initializer_list<char const*> keys) const {
    std::string r;
    int n = 0;
    for (char const* key : keys)
      if (auto const at = texts_.find(key); at != texts_.end()) r += (n++ ? " and " : "") + at->first + "=" + at->second.substr(0, 80);
    return r + (n == 1 ? " wants" : " want");
  }
  // __x__ is noted by users, and no attribute of an operation.
  static bool is_hidden(std::string_view key) { return key.size() > 4 && key.starts_with("__") && key.ends_with("__"); }

 private:
  attribute_texts const& texts_;
  std::set<std::string, std::less<>> named_;

  template <class V, class Parse> V value(char const* key, std::optional<V> otherwise, Parse parse, std::string_view what) {
    named_.insert(key);
    auto const at = texts_.find(key);
    if (at == texts_.end()) {
      if (!otherwise) refuse(key, "it is missing");
      return *std::move(otherwise);
    }
    if (auto v = parse(at->second)) return *std::move(v);
    refuse(key, "it is not " + std::string(what));
  }
  static std::string_view without_blanks(std::string_view s) {
    while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
    while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
    return s;
  }
  template <class N> static std::optional<N> number_of(std::string_view s) {
    s = without_blanks(s);
    if (s.starts_with('+')) s.remove_prefix(1);
    N n{};
    auto const [end, code] = std::from_chars(s.data(), s.data() + s.size(), n);
    if (s.empty() || code != std::errc() || end != s.data() + s.size()) return {};
    return n;
  }
  static bool is_int(std::int64_t n) { return n >= std::numeric_limits<int>::min() && n <= std::numeric_limits<int>::max(); }
  static std::optional<int> int_of(std::string const& s) { return number_of<int>(s); }
  static std::optional<double> real_of(std::string const& s) {
    auto const n = number_of<double>(s);
    return n && *n == *n ? n : std::nullopt;  // NaN is no number
  }
  static std::optional<bool> flag_of(std::string const& s) {
    std::string lower;
    for (char const c : s) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (lower == "true" || lower == "1") return true;
    if (lower == "false" || lower == "0") return false;
    return {};
  }
  static std::optional<sinter::dtype> type_named(std::string const& s) {
    sinter::dtype const r = dtype_named(s);
    return r == sinter::dtype::none ? std::nullopt : std::optional(r);
  }
  static std::optional<whole_numbers> list_of(std::string const& text) {
    constexpr std::size_t most = 16;
    std::string_view s = without_blanks(text);
    bool const round = s.starts_with('(') && s.ends_with(')'), square = s.starts_with('[') && s.ends_with(']');
    if (s.size() < 2 || (!round && !square)) {
      if (auto const n = int_of(std::string(s))) return whole_numbers{*n};
      return {};
    }
    s = without_blanks(s.substr(1, s.size() - 2));
    whole_numbers all;
    while (!s.empty()) {
      auto const comma = s.find(',');
      std::string_view one = without_blanks(s.substr(0, comma));
      if (one.ends_with('L')) one.remove_suffix(1);
      auto const n = one == "None" ? std::optional(none) : number_of<std::int64_t>(one);
      if (!n || all.size() == most || (*n != none && !is_int(*n))) return {};
      all.push_back(*n);
      s = comma == std::string_view::npos ? std::string_view() : without_blanks(s.substr(comma + 1));
    }
    return all;
  }
};

}  // namespace SINTER_ISA
}  // namespace sinter::sym::mxnet
