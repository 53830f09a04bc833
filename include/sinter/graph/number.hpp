// SPDX-License-Identifier: Apache-2.0
// How constants store numbers of every dtype: the bits of a double, an int64, or 0 and 1.
#pragma once
#include <bit>
#include <cstdint>
#include <limits>

#include "../core/dtype.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// Rounded to float. A number that is too large becomes infinite; C++ leaves that undefined.
constexpr float rounded(double v) {
  constexpr double bound = 0x1.ffffffp127;  // half a step above the largest float
  constexpr float infinity = std::numeric_limits<float>::infinity();
  return v >= bound ? infinity : v <= -bound ? -infinity : static_cast<float>(v);
}
// The bits of a number in dtype `t`. Floats are rounded to their precision, from an integer at once; an integer keeps its low bits.
template <class F>
  requires std::is_floating_point_v<F>
constexpr std::uint64_t bits_of(dtype t, F v) {
  if (t == dtype::float32) return std::bit_cast<std::uint64_t>(static_cast<double>(rounded(static_cast<double>(v))));
  if (is_floating(t)) return std::bit_cast<std::uint64_t>(static_cast<double>(v));
  if (t == dtype::boolean) return v != 0;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(v));
}
template <class I>
  requires std::is_integral_v<I>
constexpr std::uint64_t bits_of(dtype t, I v) {
  if (t == dtype::float32) return std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<float>(v)));
  if (is_floating(t)) return std::bit_cast<std::uint64_t>(static_cast<double>(v));
  if (t == dtype::boolean) return v != 0;
  if (t == dtype::int32) return static_cast<std::uint64_t>(static_cast<std::int32_t>(v));
  return static_cast<std::uint64_t>(v);
}
constexpr double real_of(dtype t, std::uint64_t bits) {
  return is_floating(t) ? std::bit_cast<double>(bits) : static_cast<double>(static_cast<std::int64_t>(bits));
}
template <class T> constexpr T element_of(std::uint64_t bits) {
  if constexpr (std::is_floating_point_v<T>) return static_cast<T>(std::bit_cast<double>(bits));
  else return static_cast<T>(static_cast<std::int64_t>(bits));
}
// A constant of one dtype in another, as a kernel casts it.
constexpr std::uint64_t cast_bits(dtype from, dtype to, std::uint64_t bits) {
  return is_floating(from) ? bits_of(to, std::bit_cast<double>(bits)) : bits_of(to, static_cast<std::int64_t>(bits));
}

// Whether dtype `t` can hold a plain C++ number that is combined with its arrays: an integer dtype its range, a float dtype what it does
// not round to infinity.
template <class N> constexpr bool holds(dtype t, N v) {
  if constexpr (std::is_same_v<N, bool>) return true;
  else if constexpr (std::is_floating_point_v<N>) {
    N const size = v < 0 ? -v : v;
    if (!(size <= std::numeric_limits<N>::max())) return true;  // infinity and NaN are in every float dtype
    if constexpr (sizeof(N) > sizeof(float))
      if (t == dtype::float32) return size < 0x1.ffffffp127;  // as in `rounded`
    if constexpr (sizeof(N) > sizeof(double)) return size <= std::numeric_limits<double>::max();
    return true;
  } else {
    if (t != dtype::int32 && t != dtype::int64) return true;
    constexpr auto top = std::numeric_limits<std::int64_t>::max();
    if constexpr (std::is_unsigned_v<N>)
      if (v > static_cast<std::uint64_t>(top)) return false;
    auto const whole = static_cast<std::int64_t>(v);
    return t == dtype::int64 || whole == static_cast<std::int32_t>(whole);
  }
}

// A number from the source code, kept exact until its dtype is known.
struct number {
  double real = 0;
  std::int64_t whole = 0;
  bool is_whole = false;
  constexpr number() = default;
  template <class N> constexpr explicit number(N v) : real(static_cast<double>(v)) {
    if constexpr (std::is_integral_v<N>) {
      is_whole = holds(dtype::int64, v);
      if (is_whole) whole = static_cast<std::int64_t>(v);
    }
  }
  constexpr std::uint64_t bits(dtype t) const { return is_whole ? bits_of(t, whole) : bits_of(t, real); }
  // An integer holds no fraction.
  constexpr bool fits(dtype t) const {
    if (is_whole) return holds(t, whole);
    if (t != dtype::int32 && t != dtype::int64) return holds(t, real);
    double const bound = t == dtype::int32 ? 0x1p31 : 0x1p63;
    return real >= -bound && real < bound && real == static_cast<double>(static_cast<std::int64_t>(real));
  }
};

}  // namespace SINTER_ISA
}  // namespace sinter
