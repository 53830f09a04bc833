// SPDX-License-Identifier: Apache-2.0
// What the names of arrays say: their parts, the counters in them, and which of two names is nearer to a third.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../array.hpp"

namespace sinter::io::inline SINTER_ISA::detail {

// `arg:net0_hidden_weight` and `net0.hidden.weight` are the same for a comparison: net0.hidden.weight.
inline std::string dotted(std::string_view name) {
  std::string r(bare_name(name));
  for (char& c : r)
    if (c == '_' || c == '/') c = '.';
  return r;
}

// Whether `name` ends in the parts of `ending`: `dense0.weight` ends in `weight`, `overweight` does not. Both are dotted.
inline bool ends_in(std::string_view name, std::string_view ending) {
  return name.ends_with(ending) && (name.size() == ending.size() || ending.empty() || name[name.size() - ending.size() - 1] == '.');
}

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A name without its numbers, and the numbers: dense#.weight and {10}. Of two names that differ in numbers alone, the one with the
// smaller numbers was made first.
struct counted_name {
  std::string words;
  std::vector<std::string> numbers;  // without leading zeros, so that the longer one is the larger

  explicit counted_name(std::string_view name) {
    for (std::size_t i = 0; i < name.size();) {
      if (!is_digit(name[i])) {
        words += name[i++];
        continue;
      }
      words += '#';
      while (i + 1 < name.size() && name[i] == '0' && is_digit(name[i + 1])) ++i;
      std::size_t const first = i;
      while (i < name.size() && is_digit(name[i])) ++i;
      numbers.emplace_back(name.substr(first, i - first));
    }
  }
  bool before(counted_name const& o) const {
    return std::lexicographical_compare(
        numbers.begin(), numbers.end(), o.numbers.begin(), o.numbers.end(),
        [](std::string const& a, std::string const& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
  }
};

// By their characters, but numbers as numbers: layers.2 comes before layers.10.
inline bool counts_before(std::string_view a, std::string_view b) {
  auto const number = [](std::string_view& s) {
    s.remove_prefix(std::min(s.find_first_not_of('0'), s.size()));
    auto const n = s.substr(0, std::min(s.find_first_not_of("0123456789"), s.size()));
    s.remove_prefix(n.size());
    return std::pair(n.size(), n);
  };
  for (auto x = a, y = b; !x.empty() && !y.empty();) {
    if (is_digit(x[0]) && is_digit(y[0])) {
      auto const n = number(x), m = number(y);
      if (n != m) return n < m;
    } else if (x[0] != y[0]) return x.substr(0, 1) < y.substr(0, 1);
    else x.remove_prefix(1), y.remove_prefix(1);
    if (x.empty() != y.empty()) return x.empty();
  }
  return a < b;
}

// True of the name of an array that nobody gave one: none, or NumPy's arr_0.
inline bool is_nobodys(std::string_view name) {
  return name.empty() || (name.starts_with("arr_") && name.find_first_not_of("0123456789", 4) == name.npos);
}

// Arrays of which none has a name are a list.
template <class = void> bool have_names(std::vector<array> const& arrays) {
  return std::any_of(arrays.begin(), arrays.end(), [](array const& a) { return !a.name.empty(); });
}
// Throws where a reader would refuse the names: two of one name, or one that is no UTF-8. `bare`: `arg:` and `aux:` do not tell them apart.
template <class = void> void check_names(std::string const& path, std::vector<array> const& arrays, bool bare = false) {
  std::vector<std::string_view> names;
  for (array const& a : arrays) {
    if (!is_utf8(a.name) || a.name.find('\0') != a.name.npos)
      throw file_error(path, "the name " + in_quotes(a.name) + " cannot be written: it is not UTF-8, or has a zero byte");
    names.emplace_back(bare ? bare_name(a.name) : std::string_view(a.name));
  }
  std::sort(names.begin(), names.end());
  if (auto const twin = std::adjacent_find(names.begin(), names.end()); twin != names.end())
    throw file_error(path, "two arrays are named " + in_quotes(*twin) + ", and it could hold one of them");
}

// Whether each part is a kind of layer and a counter (`net0.dense1`), or a counter alone; nobody gave it a name of its own then.
// The first `common` characters, which all names share, may be anything, but for the last part.
inline bool only_counters(std::string_view parts, std::size_t common) {
  while (!parts.empty()) {
    auto const end = std::min(parts.find('.'), parts.size());
    auto const part = parts.substr(0, end);
    bool const last = end + 1 >= parts.size();
    auto const first_digit = std::min(part.find_first_of("0123456789"), part.size());
    bool const counted = first_digit < part.size() && part.find_first_not_of("0123456789", first_digit) == part.npos;
    if (!counted && (last || common <= end)) return false;
    common -= std::min(common, end + 1);
    parts.remove_prefix(last ? parts.size() : end + 1);
  }
  return true;
}

// True where `a` is `b` with one character more, less or another, or two that changed places; not in numbers, which mean another layer.
inline bool is_slip(std::string const& a, std::string const& b) {
  if (counted_name(a).numbers != counted_name(b).numbers) return false;
  auto const &longer = a.size() < b.size() ? b : a, &shorter = a.size() < b.size() ? a : b;
  auto const n = static_cast<std::ptrdiff_t>(longer.size() - shorter.size());
  auto const [x, y] = std::mismatch(shorter.begin(), shorter.end(), longer.begin());
  if (n == 1) return std::equal(x, shorter.end(), y + 1);
  if (n != 0 || x == shorter.end()) return false;
  return std::equal(x + 1, shorter.end(), y + 1) ||
         (x + 1 != shorter.end() && *x == y[1] && x[1] == *y && std::equal(x + 2, shorter.end(), y + 2));
}

}  // namespace sinter::io::inline SINTER_ISA::detail
