// SPDX-License-Identifier: Apache-2.0
// What the vector functions share: polynomials, clamping that lets NaN pass, scaling by powers of two.
#pragma once

#include "../batch.hpp"

#include "../../../core/math/polynomials.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {
// highest x^n + ... + last; math::detail's polynomials find it by its argument.
template <class T, class... C>
SINTER_INLINE vec<T> horner(vec<T> const& x, T highest, C... rest) {
  auto y = splat(highest);
  ((y = fma(y, x, splat(static_cast<T>(rest)))), ...);
  return y;
}

namespace detail {

// NaN stays NaN: minps and maxps return their second operand then.
template <Real T>
SINTER_INLINE vec<T> at_least(vec<T> const& x, T bound) {
  return map<T>([](auto const& a, auto const& b) __attribute__((always_inline)) { return native::max_or_second(a, b); }, splat(bound), x);
}
template <Real T>
SINTER_INLINE vec<T> at_most(vec<T> const& x, T bound) {
  return map<T>([](auto const& a, auto const& b) __attribute__((always_inline)) { return native::min_or_second(a, b); }, splat(bound), x);
}

// -|x|
template <Real T>
SINTER_INLINE vec<T> minus_abs(vec<T> const& x) {
  using bits = integer_of<T>;
  return bit_cast<T>(map<bits>([](auto const& a, auto const& b) __attribute__((always_inline)) { return a | b; }, bit_cast<bits>(x),
                               splat(std::numeric_limits<bits>::min())));
}

// 1.5 * 2^p: adding it rounds to an integer, which then stands in the low bits.
template <Real T>
inline constexpr T rounder = sizeof(T) == 4 ? T(0x1.8p+23) : T(0x1.8p+52);
template <Real T>
inline constexpr int fraction_bits = sizeof(T) == 4 ? 23 : 52;
template <Real T>
inline constexpr integer_of<T> exponent_bias = sizeof(T) == 4 ? 127 : 1023;

// 2^n from n + rounder, where that is a normal number.
template <Real T>
SINTER_INLINE vec<T> power_of_two(vec<T> const& shifted) {
  return bit_cast<T>(shift_left<fraction_bits<T>>(bit_cast<integer_of<T>>(shifted) + splat(exponent_bias<T>)));
}

// y * 2^n from n + rounder, where y and the result are normal numbers: by the exponent's bits.
template <Real T>
SINTER_INLINE vec<T> scale_normal(vec<T> const& y, vec<T> const& shifted) {
  using bits = integer_of<T>;
  return bit_cast<T>(bit_cast<bits>(y) + shift_left<fraction_bits<T>>(bit_cast<bits>(shifted)));
}

// y * 2^n with one rounding, subnormal numbers and infinity included.
template <Real T>
SINTER_INLINE vec<T> scale(vec<T> const& y, vec<T> const& n, [[maybe_unused]] vec<T> const& shifted) {
#if SINTER_SIMD_BITS == 512
  if constexpr (sizeof(T) == 4) return {xsimd::batch<float>(_mm512_scalef_ps(y.lo, n.lo))};
  else return {xsimd::batch<double>(_mm512_scalef_pd(y.lo, n.lo)), xsimd::batch<double>(_mm512_scalef_pd(y.hi, n.hi))};
#else
    // In two halves, each a normal number; the first product is exact.
  static_cast<void>(n);
  using bits = integer_of<T>;
  auto const integer = bit_cast<bits>(shifted) - bit_cast<bits>(splat(rounder<T>));
  vec<bits> half;
  if constexpr (sizeof(T) == 4) half = shift_right<1>(integer);
  else half = shift_right<1>(integer + splat(bits(2048))) - splat(bits(1024));
  auto const power = [](vec<bits> const& e)
                         __attribute__((always_inline)) { return bit_cast<T>(shift_left<fraction_bits<T>>(e + splat(exponent_bias<T>))); };
  return (y * power(half)) * power(integer - half);
#endif
}

// x = n log(2) + high + low; shifted is n + rounder.
template <Real T>
struct reduced {
  vec<T> n, shifted, high, low;
};

SINTER_INLINE reduced<float> reduce_exp(vec<float> const& x) {
  auto const shifted = fma(x, splat(0x1.715476p+0f), splat(rounder<float>)), n = shifted - splat(rounder<float>);
    // 355 / 512 times n is exact.
  auto const high = fma(n, splat(0x1.bd0106p-13f), fma(n, splat(-0x1.63p-1f), x));
  return {n, shifted, high, high};
}
SINTER_INLINE reduced<double> reduce_exp(vec<double> const& x) {
  namespace m = math::detail;
  auto const shifted = fma(x, splat(m::log2_e), splat(rounder<double>)), n = shifted - splat(rounder<double>);
  auto const first = fma(n, splat(-m::ln2_high), x), low = n * splat(-m::ln2_low), high = first + low;
  return {n, shifted, high, (first - high) + low};
}

// (e^r - 1 - r) / r^2, minimax: 2^-28 of e^r.
SINTER_INLINE vec<float> exp_tail(vec<float> const& r) {
  return horner(r, 0x1.6ac784p-10f, 0x1.123de4p-7f, 0x1.555858p-5f, 0x1.55548cp-3f, 0x1.fffffcp-2f);
}

// e^(high + low) - 1 - high.
SINTER_INLINE vec<float> exp_rest(reduced<float> const& r) { return (r.high * r.high) * exp_tail(r.high); }
SINTER_INLINE vec<double> exp_rest(reduced<double> const& r) {
  return fma(r.high * r.high, math::detail::exp_tail(r.high), fma(r.low, r.high, r.low));
}

// e^(high + low), between sqrt(1/2) and sqrt(2).
SINTER_INLINE vec<float> exp_mantissa(reduced<float> const& r) { return splat(1.0f) + fma(r.high * r.high, exp_tail(r.high), r.high); }
SINTER_INLINE vec<double> exp_mantissa(reduced<double> const& r) {
  auto const sum = splat(1.0) + r.high, lost = r.high - (sum - splat(1.0));
  return sum + (lost + exp_rest(r));
}

}  // namespace detail
}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
