// SPDX-License-Identifier: Apache-2.0
// Decimal digits as the nearest double in a constant expression, where std::from_chars is none: the same bits.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "../core/config.hpp"

namespace sinter::literal::inline SINTER_ISA {

// A whole number of any size, in words of 32 bits.
class large_number {
 public:
  constexpr void multiply_add(std::uint32_t by, std::uint32_t add) {
    std::uint64_t carry = add;
    for (int i = 0; i < n_; ++i) {
      carry += std::uint64_t{at_[i]} * by;
      at_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) at_[n_++] = static_cast<std::uint32_t>(carry);
  }
  constexpr int bits() const { return n_ == 0 ? 0 : 32 * n_ - std::countl_zero(at_[n_ - 1]); }
  constexpr bool bit(int i) const { return i < 32 * n_ && (at_[i / 32] >> i % 32 & 1u) != 0; }
  constexpr void shift_left(int by) {
    for (int i = 0; i < by / 32; ++i) {
      for (int k = n_; k > 0; --k) at_[k] = at_[k - 1];
      at_[0] = 0;
      ++n_;
    }
    if (by % 32 != 0) multiply_add(std::uint32_t{1} << by % 32, 0);
  }
  constexpr bool operator>=(large_number const& o) const {
    if (n_ != o.n_) return n_ > o.n_;
    for (int i = n_ - 1; i >= 0; --i)
      if (at_[i] != o.at_[i]) return at_[i] > o.at_[i];
    return true;
  }
  constexpr void operator-=(large_number const& o) {
    std::uint64_t borrow = 0;
    for (int i = 0; i < n_; ++i) {
      std::uint64_t const take = (i < o.n_ ? o.at_[i] : 0u) + borrow;
      borrow = at_[i] < take;
      at_[i] = static_cast<std::uint32_t>(at_[i] - take);
    }
    while (n_ > 0 && at_[n_ - 1] == 0) --n_;
  }
  constexpr bool is_zero() const { return n_ == 0; }

 private:
  std::uint32_t at_[24]{};  // for the digits and powers that are read below
  int n_ = 0;
};

// digits * 10^power, rounded to the nearest double, to the even one in the middle. By long division: of the quotient 54 bits, and whether
// anything is left.
constexpr double nearest_double(large_number above, int power) {
  if (above.is_zero()) return 0;
  large_number below;
  below.multiply_add(1, 1);
  for (int i = 0; i < power; ++i) above.multiply_add(10, 0);
  for (int i = 0; i > power; --i) below.multiply_add(10, 0);
  int exponent = above.bits() - below.bits() - 54;  // of the last bit of the quotient
  if (exponent < 0) above.shift_left(-exponent);
  else below.shift_left(exponent);
  std::uint64_t quotient = 0;
  below.shift_left(55);
  for (int i = 0; i < 56; ++i) {
    quotient <<= 1;
    if (above >= below) {
      above -= below;
      quotient |= 1;
    }
    above.shift_left(1);
  }
  while (quotient >> 54 != 0) {
    if ((quotient & 1u) != 0) above.multiply_add(1, above.is_zero() ? 1 : 0);  // what is left is not nothing
    quotient >>= 1;
    ++exponent;
  }
  bool const half = (quotient & 1u) != 0, more = !above.is_zero(), odd = (quotient & 2u) != 0;
  double r = static_cast<double>((quotient >> 1) + (half && (more || odd) ? 1 : 0));
  for (++exponent; exponent > 0; --exponent) r *= 2;
  for (; exponent < 0; ++exponent) r /= 2;
  return r;
}
// 1e-05, -0.5, inf; nothing of what is no number, or has more than 40 digits or a power beyond 60.
constexpr std::optional<double> real_in(std::string_view s) {
  bool const negative = s.starts_with('-');
  if (negative || s.starts_with('+')) s.remove_prefix(1);
  if (s == "inf" || s == "infinity" || s == "Infinity")
    return negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  large_number digits;
  int n = 0, power = 0, read = 0;
  std::size_t i = 0;
  for (bool behind_point = false; i < s.size(); ++i) {
    if (s[i] == '.' && !behind_point) {
      behind_point = true;
      continue;
    }
    if (s[i] < '0' || s[i] > '9') break;
    ++read;
    if (n > 0 || s[i] != '0') ++n;
    if (n > 40) return {};
    digits.multiply_add(10, static_cast<std::uint32_t>(s[i] - '0'));
    power -= behind_point;
  }
  if (read == 0) return {};
  if (i < s.size()) {
    if (s[i] != 'e' && s[i] != 'E') return {};
    ++i;
    bool const down = i < s.size() && s[i] == '-';
    if (down || (i < s.size() && s[i] == '+')) ++i;
    if (i == s.size() || s.size() - i > 3) return {};
    int e = 0;
    for (; i < s.size(); ++i) {
      if (s[i] < '0' || s[i] > '9') return {};
      e = e * 10 + (s[i] - '0');
    }
    power += down ? -e : e;
  }
  if (power > 60 || power < -100 || n - power > 200) return {};
  double const r = nearest_double(digits, power);
  return negative ? -r : r;
}

// Whether a text is a decimal number, of any number of digits.
constexpr bool is_decimal(std::string_view s) {
  std::size_t i = 0;
  auto const sign = [&] { i += i < s.size() && (s[i] == '-' || s[i] == '+'); };
  auto const digits = [&] {
    std::size_t const begin = i;
    while (i < s.size() && s[i] >= '0' && s[i] <= '9') ++i;
    return i - begin;
  };
  sign();
  std::size_t n = digits();
  if (i < s.size() && s[i] == '.') {
    ++i;
    n += digits();
  }
  if (n > 0 && i < s.size() && (s[i] == 'e' || s[i] == 'E')) {
    ++i;
    sign();
    n = digits();
  }
  return n > 0 && i == s.size();
}

}  // namespace sinter::literal::inline SINTER_ISA
