// SPDX-License-Identifier: Apache-2.0
// How constants store numbers of every dtype: the bits of a double, an int64, or 0 and 1.
#pragma once
#include <bit>
#include <cstdint>
#include <limits>

#include "../core/math/basic.hpp"
#include "../core/with_type.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// Rounded to float. A number that is too large becomes infinite; C++ leaves that undefined.
constexpr float rounded(double v) {
  constexpr double bound = 0x1.ffffffp127;  // half a step above the largest float
  constexpr float infinity = std::numeric_limits<float>::infinity();
  if (math::isnan(v)) return static_cast<float>(v);
  return v >= bound ? infinity : v <= -bound ? -infinity : static_cast<float>(v);
}
// The low bits of an integer, as an integer of dtype `t`.
constexpr std::int64_t low_bits(dtype t, std::int64_t v) {
  switch (t) {
    case dtype::int8: return static_cast<std::int8_t>(v);
    case dtype::uint8: return static_cast<std::uint8_t>(v);
    case dtype::int16: return static_cast<std::int16_t>(v);
    case dtype::int32: return static_cast<std::int32_t>(v);
    default: return v;
  }
}
constexpr double rounded_to(dtype t, double v) {
  switch (t) {
    case dtype::float16: return static_cast<double>(float16(v));
    case dtype::bfloat16: return static_cast<double>(bfloat16(v));
    case dtype::float32: return static_cast<double>(rounded(v));
    default: return v;
  }
}
// The bits of a number in dtype `t`. Floats are rounded to their precision, from an integer at once; an integer keeps its low bits.
template <class F>
  requires std::is_floating_point_v<F>
constexpr std::uint64_t bits_of(dtype t, F v) {
  if (is_floating(t)) return std::bit_cast<std::uint64_t>(rounded_to(t, static_cast<double>(v)));
  if (t == dtype::boolean) return v != 0;
  return static_cast<std::uint64_t>(low_bits(t, static_cast<std::int64_t>(v)));
}
template <class I>
  requires std::is_integral_v<I>
constexpr std::uint64_t bits_of(dtype t, I v) {
  if (t == dtype::float64) return std::bit_cast<std::uint64_t>(static_cast<double>(v));
  if (is_floating(t)) return std::bit_cast<std::uint64_t>(rounded_to(t, static_cast<double>(static_cast<float>(v))));
  if (t == dtype::boolean) return v != 0;
  return static_cast<std::uint64_t>(low_bits(t, static_cast<std::int64_t>(v)));
}
constexpr double real_of(dtype t, std::uint64_t bits) {
  return is_floating(t) ? std::bit_cast<double>(bits) : static_cast<double>(static_cast<std::int64_t>(bits));
}
template <class T> constexpr T element_of(std::uint64_t bits) {
  if constexpr (std::is_floating_point_v<T> || is_float16<T>) return static_cast<T>(std::bit_cast<double>(bits));
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
    if (math::isnan(static_cast<double>(v))) return true;  // infinity and NaN are in every float dtype
    N const size = v < 0 ? -v : v;
    if (size > std::numeric_limits<N>::max()) return true;
    if (t == dtype::float16) return size < 65520;  // half a step above the largest
    if (t == dtype::bfloat16) return size < 0x1.ffp127;
    if constexpr (sizeof(N) > sizeof(float))
      if (t == dtype::float32) return size < 0x1.ffffffp127;  // as in `rounded`
    if constexpr (sizeof(N) > sizeof(double)) return size <= std::numeric_limits<double>::max();
    return true;
  } else {
    if (t == dtype::float16) return holds(t, static_cast<double>(v));
    if (is_floating(t) || t == dtype::boolean) return true;
    constexpr auto top = std::numeric_limits<std::int64_t>::max();
    if constexpr (std::is_unsigned_v<N>)
      if (v > static_cast<std::uint64_t>(top)) return false;
    auto const whole = static_cast<std::int64_t>(v);
    return whole == low_bits(t, whole);
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
    if (is_floating(t) || t == dtype::boolean) return holds(t, real);
    if (!(real >= -0x1p63 && real < 0x1p63)) return false;
    auto const n = static_cast<std::int64_t>(real);
    return real == static_cast<double>(n) && n == low_bits(t, n);
  }
};

}  // namespace SINTER_ISA
}  // namespace sinter
