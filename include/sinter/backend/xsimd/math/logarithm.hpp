// SPDX-License-Identifier: Apache-2.0
// log, log1p, softrelu and pow of vectors, without branches.
#pragma once

#include "exponential.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {

namespace detail {

// A positive number is 2^exponent * (1 + f), where 1 + f lies between sqrt(1/2) and sqrt(2).
template <Real T>
struct parts {
  vec<T> exponent, f;
};

SINTER_INLINE parts<float> split(vec<float> const& x) {
    // 0x3f3504f3 is sqrt(1/2).
  auto const root = splat(std::int32_t(0x3f3504f3)), above = bit_cast<std::int32_t>(x) - root;
  auto const mantissa =
      map<std::int32_t>([](auto const& a, auto const& b) SINTER_INLINED { return a & b; }, above, splat(std::int32_t(0x7fffff))) + root;
  return {cast<float>(shift_right<23>(above)), bit_cast<float>(mantissa) - splat(1.0f)};
}
SINTER_INLINE parts<double> split(vec<double> const& x) {
    // Exponent and mantissa become numbers by putting other exponents in front of their bits.
  auto const bits = bit_cast<std::int64_t>(x);
  auto const both = [](auto const& a, auto const& b) SINTER_INLINED { return a & b; };
  auto const either = [](auto const& a, auto const& b) SINTER_INLINED { return a | b; };
  auto const biased = map<std::int64_t>(
      [](auto const& b) SINTER_INLINED { return as_unsigned<std::int64_t>([](auto v) SINTER_INLINED { return v >> 52; }, b); }, bits);
  auto const exponent =
      bit_cast<double>(map<std::int64_t>(either, biased, splat(std::int64_t(0x4330000000000000)))) - splat(0x1p+52 + 1023);
  auto const mantissa = bit_cast<double>(map<std::int64_t>(either, map<std::int64_t>(both, bits, splat(std::int64_t(0xfffffffffffff))),
                                                           splat(std::int64_t(0x3ff0000000000000))));
  auto const large = mantissa > splat(0x1.6a09e667f3bcdp+0);
  return {exponent + select(large, splat(1.0), splat(0.0)), mantissa * select(large, splat(0.5), splat(1.0)) - splat(1.0)};
}

// log(1 + f) - f and k log(2), joined so that the small terms meet first.
SINTER_INLINE vec<float> log_of(vec<float> const& k, vec<float> const& f) {
  auto const square = f * f;
  auto const rest = fma(square, splat(-0.5f), fma(k, splat(-0x1.bd0106p-13f), (f * square) * math::single::log_tail(f)));
  return fma(k, splat(0x1.63p-1f), f + rest);
}
SINTER_INLINE vec<double> log_of(vec<double> const& k, vec<double> const& f, vec<double> const& correction) {
  namespace m = math::detail;
  auto const s = f / (splat(2.0) + f), z = s * s, half = (splat(0.5) * f) * f, rest = z * m::log_tail(z);
  return fma(k, splat(m::ln2_high), f - (half - fma(s, half + rest, fma(k, splat(m::ln2_low), correction))));
}

// NaN and infinity are their own logarithms.
template <Real T>
SINTER_INLINE vec<T> log_special(vec<T> const& x, vec<T> const& pole, vec<T> const& result) {
  constexpr T infinity = math::infinity<T>;
  auto const finite = select(x < splat(infinity), result, x);
  return select(x > pole, finite, select(x == pole, splat(-infinity), splat(math::nan<T>)));
}

// log(1 + x) for finite x > -1, without special cases.
SINTER_INLINE vec<float> log1p_finite(vec<float> const& x) {
    // What 1 + x lost, exactly (Knuth's sum), scaled as the mantissa was; nothing is lost where 2^-k would not be normal.
  auto const one = splat(1.0f), u = one + x, back = u - one, lost = (one - (u - back)) + (x - back);
  auto const p = split(u);
  auto const shifted = splat(rounder<float>) - at_most(p.exponent, 126.0f);
  return log_of(p.exponent, fma(lost, power_of_two(shifted), p.f));
}
SINTER_INLINE vec<double> log1p_finite(vec<double> const& x) {
  auto const one = splat(1.0), u = one + x, back = u - one, lost = (one - (u - back)) + (x - back);
  auto const p = split(u);
  return log_of(p.exponent, p.f, lost / u);
}

}  // namespace detail

// 1 ulp; log(0) = -inf, NaN below.
SINTER_INLINE vec<float> log(vec<float> const& x) {
  auto const tiny = x < splat(0x1p-126f);
  auto const p = detail::split(select(tiny, x * splat(0x1p+23f), x));
  auto const k = p.exponent - select(tiny, splat(23.0f), splat(0.0f));
  return detail::log_special(x, splat(0.0f), detail::log_of(k, p.f));
}
SINTER_INLINE vec<double> log(vec<double> const& x) {
  auto const tiny = x < splat(0x1p-1022);
  auto const p = detail::split(select(tiny, x * splat(0x1p+54), x));
  auto const k = p.exponent - select(tiny, splat(54.0), splat(0.0));
  return detail::log_special(x, splat(0.0), detail::log_of(k, p.f, splat(0.0)));
}

// log(1 + x): 2 ulp.
template <Real T>
SINTER_INLINE vec<T> log1p(vec<T> const& x) {
  constexpr T least = sizeof(T) == 4 ? T(0x1p-26) : T(0x1p-55);
  return select(abs(x) < splat(least), x, detail::log_special(x, splat(T(-1)), detail::log1p_finite(x)));
}

// log(1 + e^x), without overflow: 2 ulp. With z = e^-|x| between 0 and 1, 1 + z is 1 + f or 2 (1 + f), f exact.
template <Floats V>
SINTER_INLINE V softrelu(V const& x) {
  V const z = detail::exp_minus_abs(x), half = splat<V>(0.5f);
  auto const large = z >= half;
  V const f = select(large, fma(z, half, -half), z), square = f * f;
  V const log = f + fma(square, -half, (f * square) * math::single::log_tail_to_half(f));
  return detail::at_least(x, 0.0f) + select(large, log + splat<V>(0x1.62e430p-1f), log);
}
SINTER_INLINE vec<double> softrelu(vec<double> const& x) {
  auto const rest = detail::log1p_finite(detail::exp_minus_abs(x));
  return select(x == x, detail::at_least(x, 0.0) + rest, x);
}

}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
