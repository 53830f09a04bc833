// SPDX-License-Identifier: Apache-2.0
// Text that constant expressions and programs put together: Clang 19 cannot use std::string of GCC 12's library in a constant expression.
#pragma once
#include <bit>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

#include "list.hpp"

namespace sinter {
inline namespace SINTER_ISA {

class letters {
 public:
  constexpr letters() = default;
  constexpr explicit(false) letters(std::string_view s) { *this += s; }
  constexpr explicit(false) letters(char const* s) { *this += std::string_view(s); }

  constexpr int size() const { return s_.size(); }
  constexpr bool empty() const { return s_.empty(); }
  constexpr std::string_view view() const { return {s_.data(), static_cast<std::size_t>(s_.size())}; }
  constexpr list<char> const& all() const { return s_; }
  constexpr bool operator==(letters const& o) const { return view() == o.view(); }

  constexpr letters& operator+=(char c) {
    s_.push(c);
    return *this;
  }
  constexpr letters& operator+=(std::string_view s) {
    char* to = s_.extend(static_cast<int>(s.size()));
    for (char const c : s) *to++ = c;
    return *this;
  }
  constexpr letters& operator+=(char const* s) { return *this += std::string_view(s); }
  constexpr letters& operator+=(letters const& o) { return *this += o.view(); }
  // As into a stream: pieces and whole numbers.
  template <class Piece> constexpr letters& operator<<(Piece const& piece) {
    if constexpr (std::is_same_v<Piece, int> || std::is_same_v<Piece, std::int64_t>) return put(piece);
    else return *this += piece;
  }
  // By reference and with a name: in a constant expression GCC 12 frees what a parameter held by value once too often.
  template <class Piece> friend constexpr letters operator+(letters const& a, Piece const& b) {
    letters r = a;
    r += b;
    return r;
  }
  friend constexpr letters operator+(std::string_view a, letters const& b) { return letters(a) + b; }
  friend constexpr letters operator+(char const* a, letters const& b) { return letters(a) + b; }

 private:
  list<char> s_;
  constexpr letters& put(std::int64_t n) {
    char digits[20]{};
    int at = 20;
    auto left = n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
    do digits[--at] = static_cast<char>('0' + left % 10);
    while (left /= 10);
    if (n < 0) *this += '-';
    return *this += std::string_view(digits + at, static_cast<std::size_t>(20 - at));
  }
};

constexpr letters in_digits(std::int64_t n) {
  letters r;
  r << n;
  return r;
}

// A number as printf writes it with %g. A constant expression cannot call printf: there it becomes a mark and sixteen letters, from which
// `with_numbers` makes the number when the program runs.
inline constexpr char number_mark = '\1';
constexpr letters in_words(double v) {
  letters r;
  if (std::is_constant_evaluated()) {
    r += number_mark;
    for (int i = 0; i < 16; ++i) r += static_cast<char>('a' + (std::bit_cast<std::uint64_t>(v) >> 4 * i & 15));
  } else {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%g", v);
    r += digits;
  }
  return r;
}
std::string with_numbers(std::string_view s);
#if !defined(SINTER_COMPILED_ELSEWHERE)
SINTER_COMPILED_ONCE std::string with_numbers(std::string_view s) {
  std::string r;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s[i] != number_mark) {
      r += s[i];
      continue;
    }
    std::uint64_t bits = 0;
    for (int k = 0; k < 16; ++k) bits |= static_cast<std::uint64_t>(s[++i] - 'a') << 4 * k;
    r += in_words(std::bit_cast<double>(bits)).view();
  }
  return r;
}
#endif

}  // namespace SINTER_ISA
}  // namespace sinter
