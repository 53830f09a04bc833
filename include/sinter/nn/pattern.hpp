// SPDX-License-Identifier: Apache-2.0
// Regular expressions for names of parameters. <regex> would make every program that includes sinter.hpp a seventh longer to compile.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>

#include "../core/error.hpp"
#include "../core/list.hpp"

namespace sinter::nn::detail::inline SINTER_ISA {

// What collect_params takes: characters, . [abc] [^a-z] (a|b) and * + ? behind them, ^ and $, and \ before a character that means itself.
// As in Gluon the pattern begins where the name begins, and need not end where it ends.
class pattern {
 public:
  constexpr explicit pattern(std::string_view text) : p_(text) {
    std::size_t const end = check(0, 0);
    if (end != p_.size()) refuse("a ) without a (");
  }
  constexpr bool matches(std::string_view name) const {
    pattern of = *this;  // not a mutable member, which no constant expression may read
    of.name_ = name;
    places start(name.size() + 1);
    start[0] = true;
    return of.alternatives(0, start).any();
  }

 private:
  // Places in a name: all at once instead of one after the other, so that a long name does not take exponentially long.
  class places {  // no std::vector, which Clang cannot evaluate
   public:
    constexpr explicit places(std::size_t n) : at_(static_cast<int>(n)) {}
    constexpr std::size_t size() const { return static_cast<std::size_t>(at_.size()); }
    constexpr bool& operator[](std::size_t i) { return at_[static_cast<int>(i)]; }
    constexpr bool operator[](std::size_t i) const { return at_[static_cast<int>(i)]; }
    constexpr bool any() const { return std::find(at_.begin(), at_.end(), true) != at_.end(); }

   private:
    list<bool> at_;
  };
  std::string_view p_;
  std::string_view name_;

  [[noreturn]] void refuse(std::string const& why) const {
    throw error("sinter: collect_params cannot read the pattern \"" + std::string(p_) + "\": " + why);
  }
  // The end of what begins at `i`, up to an unmatched ) or the end.
  constexpr std::size_t check(std::size_t i, int depth) const {
    if (depth > 6) refuse("its groups stand in each other more than six deep");  // each of them may take as long as all inside
    while (i < p_.size() && p_[i] != ')') {
      char const c = p_[i];
      if (c == '*' || c == '+' || c == '?') refuse(std::string(1, c) + " follows nothing that could be repeated");
      if (c == '{' || c == '}') refuse("it knows . [] () | * + ? ^ $ and \\ alone");
      if (c == '|' || c == '^' || c == '$') {
        ++i;
        continue;
      }
      i = c == '(' ? check(i + 1, depth + 1) + 1 : after(i);
      if (i < p_.size() && is_count(p_[i])) ++i;
    }
    if (depth > 0 && i == p_.size()) refuse("a ( without a )");
    return i;
  }
  static constexpr bool is_count(char c) { return c == '*' || c == '+' || c == '?'; }
  // Behind the piece that begins at `i`: a character, a set or a group.
  constexpr std::size_t after(std::size_t i) const {
    if (p_[i] == '\\') {
      if (i + 1 == p_.size()) refuse("a \\ at its end");
      char const c = p_[i + 1];
      if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) refuse("a \\ stands before signs alone");
      return i + 2;
    }
    if (p_[i] == '[') {
      std::size_t k = i + 1;
      if (k < p_.size() && p_[k] == '^') ++k;
      if (k < p_.size() && p_[k] == ']') ++k;  // the first of a set means itself
      while (k < p_.size() && p_[k] != ']') ++k;
      if (k == p_.size()) refuse("a [ without a ]");
      check_set(i + 1, k);
      return k + 1;
    }
    if (p_[i] == '(') {
      std::size_t k = i + 1;
      while (p_[k] != ')') k = p_[k] == '(' || p_[k] == '[' || p_[k] == '\\' ? after(k) : k + 1;
      return k + 1;
    }
    return i + 1;
  }
  constexpr void check_set(std::size_t from, std::size_t end) const {
    for (std::size_t k = from; k < end; ++k) {
      if (p_[k] == '\\') refuse("no \\ stands in a set; write its characters: [a-z0-9_]");
      if (k > from && k + 1 < end && p_[k] == '-' && p_[k - 1] > p_[k + 1]) refuse("a range in a set runs backwards");
    }
  }
  constexpr bool fits(std::size_t i, char c) const {
    if (p_[i] == '.') return true;
    if (p_[i] == '\\') return p_[i + 1] == c;
    if (p_[i] != '[') return p_[i] == c;
    std::size_t const end = after(i) - 1;
    bool const negated = p_[i + 1] == '^';
    bool any = false;
    for (std::size_t k = i + 1 + negated; k < end; ++k) {
      bool const is_range = k + 2 < end && p_[k + 1] == '-';
      any = any || (is_range ? p_[k] <= c && c <= p_[k + 2] : p_[k] == c);
      if (is_range) k += 2;
    }
    return any != negated;
  }
  // The places in the name to which the alternatives from `i` on lead from those in `from`.
  constexpr places alternatives(std::size_t i, places const& from) const {
    places all(from.size());
    for (;; ++i) {
      places const ends = sequence(i, from);
      for (std::size_t k = 0; k < ends.size(); ++k) all[k] = all[k] || ends[k];
      while (i < p_.size() && p_[i] != '|' && p_[i] != ')') i = after(i);
      if (i == p_.size() || p_[i] == ')') return all;
    }
  }
  constexpr places sequence(std::size_t i, places at) const {
    while (i < p_.size() && p_[i] != '|' && p_[i] != ')') {
      std::size_t const end = after(i);
      char const count = end < p_.size() && is_count(p_[end]) ? p_[end] : '1';
      places const once = step(i, at);
      if (count == '1') at = once;
      else {
        if (count == '+') at = once;
        else
          for (std::size_t k = 0; k < at.size(); ++k) at[k] = at[k] || once[k];
        for (bool more = count != '?'; more;) {
          places const next = step(i, at);
          more = false;
          for (std::size_t k = 0; k < at.size(); ++k)
            if (next[k] && !at[k]) at[k] = more = true;
        }
      }
      i = end + (count != '1');
    }
    return at;
  }
  // The same for the piece at `i`, once.
  constexpr places step(std::size_t i, places const& from) const {
    if (p_[i] == '(') return alternatives(i + 1, from);
    places to(from.size());
    for (std::size_t k = 0; k < from.size(); ++k) {
      if (!from[k]) continue;
      if (p_[i] == '^' || p_[i] == '$') to[k] = k == (p_[i] == '^' ? 0 : name_.size());
      else if (k < name_.size() && fits(i, name_[k])) to[k + 1] = true;
    }
    return to;
  }
};

}  // namespace sinter::nn::detail::inline SINTER_ISA
