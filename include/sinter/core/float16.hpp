// SPDX-License-Identifier: Apache-2.0
// Floats of 16 bits. They are storage: whatever is computed with them is computed in float.
#pragma once
#include <cstdint>
#include <type_traits>

#include "config.hpp"

namespace sinter {

namespace detail::inline SINTER_ISA {
// A float of 16 bits with so many for its exponent and its fraction, rounded once, to nearest, ties to even. What is too large becomes
// infinite; a NaN stays one and becomes quiet, as the processor's own conversion makes it.
template <int Exponent, int Fraction> SINTER_HD constexpr std::uint16_t narrow_bits(double v) {
  static_assert(1 + Exponent + Fraction == 16);
  constexpr int bias = (1 << (Exponent - 1)) - 1;
  constexpr unsigned infinite = ((1u << Exponent) - 1) << Fraction;
  auto const bits = __builtin_bit_cast(std::uint64_t, v);
  auto const sign = static_cast<unsigned>(bits >> 48) & 0x8000u;
  int const exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  std::uint64_t const fraction = bits & ((std::uint64_t{1} << 52) - 1);
  if (exponent == 1024 && fraction != 0)
    return static_cast<std::uint16_t>(sign | infinite | 1u << (Fraction - 1) | static_cast<unsigned>(fraction >> (52 - Fraction)));
  if (exponent > bias) return static_cast<std::uint16_t>(sign | infinite);
  bool const subnormal = exponent < 1 - bias;
  int const dropped = 52 - Fraction + (subnormal ? 1 - bias - exponent : 0);
  if (dropped > 53) return static_cast<std::uint16_t>(sign);
  std::uint64_t const all = std::uint64_t{1} << 52 | fraction, rest = all & ((std::uint64_t{1} << dropped) - 1),
                      half = std::uint64_t{1} << (dropped - 1);
  auto kept = static_cast<unsigned>(all >> dropped);
  if (rest > half || (rest == half && (kept & 1u) != 0)) ++kept;
  // A carry moves on into the exponent, and from the largest number to infinity.
  if (!subnormal) kept += static_cast<unsigned>(exponent + bias - 1) << Fraction;
  return static_cast<std::uint16_t>(sign | kept);
}
SINTER_HD constexpr float float_of_half(std::uint16_t h) {
  std::uint32_t const sign = (h & 0x8000u) << 16, exponent = (h >> 10) & 31u, fraction = h & 0x3ffu;
  if (exponent == 31) return __builtin_bit_cast(float, sign | 0x7f800000u | (fraction ? 0x400000u : 0u) | fraction << 13);
  if (exponent == 0) return (sign ? -1.0f : 1.0f) * static_cast<float>(fraction) * 0x1p-24f;
  return __builtin_bit_cast(float, sign | (exponent + 112) << 23 | fraction << 13);
}
}  // namespace detail::inline SINTER_ISA

// IEEE 754's binary16: 11 bits of precision, at most 65504. An integer is rounded to a float first.
struct float16 {
  std::uint16_t bits = 0;

  SINTER_OWN constexpr float16() = default;
  template <class N>
    requires std::is_arithmetic_v<N>
  SINTER_OWN SINTER_HD constexpr float16(N v)
      : bits(detail::narrow_bits<5, 10>(std::is_integral_v<N> ? static_cast<double>(static_cast<float>(v)) : static_cast<double>(v))) {}
  SINTER_OWN SINTER_HD constexpr operator float() const { return detail::float_of_half(bits); }
};
// The upper half of a float: its range, and 8 bits of precision.
struct bfloat16 {
  std::uint16_t bits = 0;

  SINTER_OWN constexpr bfloat16() = default;
  template <class N>
    requires std::is_arithmetic_v<N>
  SINTER_OWN SINTER_HD constexpr bfloat16(N v)
      : bits(detail::narrow_bits<8, 7>(std::is_integral_v<N> ? static_cast<double>(static_cast<float>(v)) : static_cast<double>(v))) {}
  SINTER_OWN SINTER_HD constexpr operator float() const { return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits) << 16); }
};

template <class T> inline constexpr bool is_float16 = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;

}  // namespace sinter
