// SPDX-License-Identifier: Apache-2.0
// What the vector functions share: polynomials, clamping that lets NaN pass, scaling by powers of two.
#pragma once

#include "../batch.hpp"

#include "../../../core/math/polynomials.hpp"
#include "../../../core/math/single.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {
// highest x^n + ... + last; math::detail's polynomials find it by its argument.
template <class V, class T, class... C>
SINTER_INLINE V horner(V const& x, T highest, T next, C... rest) {
  V y = fma(splat<V>(highest), x, splat<V>(next));
  ((y = fma(y, x, splat<V>(static_cast<T>(rest)))), ...);
  return y;
}

namespace detail {

// NaN stays NaN: minps and maxps return their second operand then.
template <Real T>
SINTER_INLINE vec<T> at_least(vec<T> const& x, T bound) {
  return map<T>([](auto const& a, auto const& b) SINTER_INLINED { return native::max_or_second(a, b); }, splat(bound), x);
}
template <Real T>
SINTER_INLINE vec<T> at_most(vec<T> const& x, T bound) {
  return map<T>([](auto const& a, auto const& b) SINTER_INLINED { return native::min_or_second(a, b); }, splat(bound), x);
}

// -|x|
template <Real T>
SINTER_INLINE vec<T> minus_abs(vec<T> const& x) {
  using bits = integer_of<T>;
  return bit_cast<T>(map<bits>([](auto const& a, auto const& b) SINTER_INLINED { return a | b; }, bit_cast<bits>(x),
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
                         SINTER_INLINED { return bit_cast<T>(shift_left<fraction_bits<T>>(e + splat(exponent_bias<T>))); };
  return (y * power(half)) * power(integer - half);
#endif
}

// a / d to 0.6 ulp, where d, 1 / d and the quotient are normal numbers. The divider takes 16 cycles for 512 bits, six operations do not.
SINTER_INLINE vec<float> quotient(vec<float> const& a, vec<float> const& d) {
#if SINTER_SIMD_BITS == 512
  auto const estimate = _mm512_rcp14_ps(d.lo), q = _mm512_mul_ps(a.lo, estimate);
  return {xsimd::batch<float>(_mm512_fmadd_ps(_mm512_fnmadd_ps(d.lo, q, a.lo), estimate, q))};
#else
  return a / d;
#endif
}
// y with the sign of x, where y has none.
SINTER_INLINE vec<float> with_sign(vec<float> const& y, vec<float> const& x) {
  return bit_cast<float>(map<std::int32_t>([](auto const& a, auto const& b, auto const& s) SINTER_INLINED { return a | (b & s); },
                                           bit_cast<std::int32_t>(y), bit_cast<std::int32_t>(x),
                                           splat(std::numeric_limits<std::int32_t>::min())));
}

#define SINTER_SIMD_TWIN(name)                                            \
  template <class V, class... More>                                       \
  SINTER_INLINE twin<V> name(twin<V> const& x, More const&... more) {     \
    return {name(x.a, first_of(more)...), name(x.b, second_of(more)...)}; \
  }
SINTER_SIMD_TWIN(at_least)
SINTER_SIMD_TWIN(at_most)
SINTER_SIMD_TWIN(minus_abs)
SINTER_SIMD_TWIN(power_of_two)
SINTER_SIMD_TWIN(scale_normal)
SINTER_SIMD_TWIN(scale)
SINTER_SIMD_TWIN(quotient)
SINTER_SIMD_TWIN(with_sign)
#undef SINTER_SIMD_TWIN

// x = n log(2) + high + low; shifted is n + rounder.
template <class V>
struct reduced {
  V n, shifted, high, low;
};

template <Floats V>
SINTER_INLINE reduced<V> reduce_exp(V const& x) {
  V const shifted = fma(x, splat<V>(0x1.715476p+0f), splat<V>(rounder<float>)), n = shifted - splat<V>(rounder<float>);
    // 355 / 512 times n is exact.
  V const high = fma(n, splat<V>(0x1.bd0106p-13f), fma(n, splat<V>(-0x1.63p-1f), x));
  return {n, shifted, high, high};
}
SINTER_INLINE reduced<vec<double>> reduce_exp(vec<double> const& x) {
  namespace m = math::detail;
  auto const shifted = fma(x, splat(m::log2_e), splat(rounder<double>)), n = shifted - splat(rounder<double>);
  auto const first = fma(n, splat(-m::ln2_high), x), low = n * splat(-m::ln2_low), high = first + low;
  return {n, shifted, high, (first - high) + low};
}

// e^(high + low) - 1 - high.
template <Floats V>
SINTER_INLINE V exp_rest(reduced<V> const& r) {
  return (r.high * r.high) * math::single::exp_tail(r.high);
}
SINTER_INLINE vec<double> exp_rest(reduced<vec<double>> const& r) {
  return fma(r.high * r.high, math::detail::exp_tail(r.high), fma(r.low, r.high, r.low));
}

// e^(high + low), between sqrt(1/2) and sqrt(2).
template <Floats V>
SINTER_INLINE V exp_mantissa(reduced<V> const& r) {
  if constexpr (native::fused) return fma(fma(math::single::exp_tail(r.high), r.high, splat<V>(1.0f)), r.high, splat<V>(1.0f));
  else
    return splat<V>(1.0f) +
           fma(r.high * r.high, math::single::exp_tail(r.high), r.high);  // one operation more, for a product that is rounded
}
SINTER_INLINE vec<double> exp_mantissa(reduced<vec<double>> const& r) {
  auto const sum = splat(1.0) + r.high, lost = r.high - (sum - splat(1.0));
  return sum + (lost + exp_rest(r));
}

}  // namespace detail
}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
