// SPDX-License-Identifier: Apache-2.0
// Numbers as NumPy writes them side by side: the fewest digits that say which number it is, at most eight behind the point, points below
// each other, and powers of ten where magnitudes differ much.
#pragma once
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

#include "../core/dtype.hpp"

namespace sinter::nd::inline SINTER_ISA {

// One number: what stands before the point, behind it, and the exponent with its sign.
struct number_parts {
  std::string whole, fraction, power;
};
template <class T>
  requires std::is_floating_point_v<T>
std::string digits(T v, std::chars_format format, int precision = -1) {
  std::string s(512, ' ');  // the longest double has 309 digits before the point
  if (precision > 100) precision = 100;
  auto const end = precision < 0 ? std::to_chars(s.data(), s.data() + s.size(), v, format)
                                 : std::to_chars(s.data(), s.data() + s.size(), v, format, precision);
  s.resize(static_cast<std::size_t>(end.ptr - s.data()));
  return s;
}
// Of 16 bits: the shortest decimal number that rounds to v.
template <class T>
  requires is_float16<T>
std::string digits(T v, std::chars_format format, int precision = -1) {
  double number = static_cast<double>(v);
  for (int n = 0; precision < 0 && n < 8; ++n) {
    std::string const s = digits(static_cast<double>(v), std::chars_format::scientific, n);
    std::from_chars(s.data(), s.data() + s.size(), number);
    if (T(number).bits == v.bits) break;
  }
  return digits(number, format, precision);
}
// From where on NumPy writes powers of ten: where a number has more digits than its dtype is sure of.
template <class T> constexpr double first_power(double of_double) { return sizeof(T) == 2 ? 1e3 : sizeof(T) == 4 ? 1e6 : of_double; }
inline number_parts parts_of_number(std::string const& s) {
  std::size_t const e = s.find('e'), mantissa = e == std::string::npos ? s.size() : e, point = s.find('.'),
                    whole = point == std::string::npos ? mantissa : point;
  return {s.substr(0, whole), whole < mantissa ? s.substr(whole + 1, mantissa - whole - 1) : "",
          e == std::string::npos ? "" : s.substr(e + 1)};
}

// How the floats of one array are written.
template <class T> class float_words {
 public:
  // `exact`: with `precision` digits, whatever follows them.
  float_words(std::vector<T> const& all_of_them, int precision, std::ios_base::fmtflags format) : precision_(precision) {
    exact_ = format != std::ios_base::fmtflags{};
    scientific_ = exact_ ? format == std::ios_base::scientific : magnitudes_differ(all_of_them);
    for (T const v : all_of_them) {
      if (!std::isfinite(v)) continue;
      number_parts const p = parts(v);
      longest(whole_, p.whole), longest(fraction_, p.fraction), longest(power_, p.power);
    }
    point_ = scientific_ || fraction_ > 0;
    for (T const v : all_of_them)
      if (!std::isfinite(v)) width_ = std::max(width_, special(v).size());
    width_ = std::max(width_, whole_ + rest());
  }
  std::string operator()(T v) const {
    if (!std::isfinite(v)) return right(special(v), width_);
    number_parts p = parts(v);
    if (scientific_ && p.fraction.size() < fraction_)
      p = parts_of_number(digits(v, std::chars_format::scientific, static_cast<int>(fraction_)));
    std::string text = right(p.whole, width_ - rest()) + (point_ ? "." : "");
    p.fraction.resize(fraction_, ' ');
    text += p.fraction;
    if (scientific_) text += 'e' + p.power.substr(0, 1) + std::string(power_ - p.power.size(), '0') + p.power.substr(1);
    return text;
  }

 private:
  int precision_;
  bool exact_ = false, scientific_ = false, point_ = false;
  std::size_t whole_ = 0, fraction_ = 0, power_ = 0, width_ = 0;

  static bool magnitudes_differ(std::vector<T> const& all_of_them) {
    T low = 0, high = 0;
    for (T v : all_of_them) {
      v = std::abs(v);
      if (!std::isfinite(v) || v == 0) continue;
      low = low == 0 || v < low ? v : low;
      high = v > high ? v : high;
    }
    return low != 0 && (high >= T(first_power<T>(1e8)) || low < T(0.0001) || high / low > T(1000));
  }
  number_parts parts(T v) const {
    std::chars_format const format = scientific_ ? std::chars_format::scientific : std::chars_format::fixed;
    if (exact_) return parts_of_number(digits(v, format, precision_));
    number_parts p = parts_of_number(digits(v, format));
    if (p.fraction.size() <= static_cast<std::size_t>(precision_)) return p;
    p = parts_of_number(digits(v, format, precision_));
    while (!p.fraction.empty() && p.fraction.back() == '0') p.fraction.pop_back();
    return p;
  }
  static void longest(std::size_t& n, std::string const& s) { n = std::max(n, s.size()); }
  static std::string special(T v) { return std::isnan(v) ? "nan" : v < 0 ? "-inf" : "inf"; }
  // What follows the digits before the point.
  std::size_t rest() const { return point_ + fraction_ + (scientific_ ? power_ + 1 : 0); }
  static std::string right(std::string const& s, std::size_t n) { return s.size() < n ? std::string(n - s.size(), ' ') + s : s; }
};

// The elements of an array, all of one width.
template <class T> std::vector<std::string> words_of(std::vector<T> const& all_of_them, [[maybe_unused]] std::ostream const& out) {
  std::vector<std::string> words;
  if constexpr (is_floating(dtype_of<T>)) {
    auto const format = out.flags() & std::ios_base::floatfield;
    bool const begun = out.precision() == 6 && format == std::ios_base::fmtflags{};  // as every stream begins
    float_words<T> const word(all_of_them, begun ? 8 : static_cast<int>(out.precision()), format);
    for (T const v : all_of_them) words.push_back(word(v));
  } else if constexpr (std::is_same_v<T, bool>)
    for (bool const v : all_of_them) words.push_back(v ? " True" : "False");
  else {
    std::size_t width = 0;
    for (T const v : all_of_them) width = std::max(width, words.emplace_back(std::to_string(v)).size());
    for (std::string& w : words) w.insert(0, width - w.size(), ' ');
  }
  return words;
}
// One number that stands alone.
template <class T> std::string word_of(T v, [[maybe_unused]] std::ostream const& out) {
  if constexpr (std::is_same_v<T, bool>) return v ? "True" : "False";
  else if constexpr (is_floating(dtype_of<T>)) {
    bool const begun = out.precision() == 6 && (out.flags() & std::ios_base::floatfield) == std::ios_base::fmtflags{};
    if (!begun || !std::isfinite(v)) return words_of(std::vector<T>{v}, out)[0];
    bool const fixed = v == 0 || (std::abs(v) >= T(1e-4) && std::abs(v) < T(first_power<T>(1e16)));
    return digits(v, fixed ? std::chars_format::fixed : std::chars_format::scientific);
  } else return std::to_string(v);
}

}  // namespace sinter::nd::inline SINTER_ISA
