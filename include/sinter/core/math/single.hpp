// SPDX-License-Identifier: Apache-2.0
// exp, expm1, log, softrelu, tanh, sigmoid and erf in single precision alone, for what has many units for floats and few for doubles: a GPU. Their
// polynomials are written once, for numbers and for vectors: horner() is found for the type of the argument.
//
// Minimax fits; each comment gives the largest error, relative to the whole function.
#pragma once

#include "basic.hpp"

namespace sinter::math::single::inline SINTER_ISA {

template <class... C>
SINTER_HD inline float horner(float x, float highest, C... rest) {
  float y = highest;
  ((y = __builtin_fmaf(y, x, rest)), ...);
  return y;
}

// (e^r - 1 - r) / r^2 for |r| <= log(2) / 2: 2^-28 of e^r.
template <class V>
SINTER_HD SINTER_INLINE V exp_tail(V const& r) {
  return horner(r, 0x1.6ac784p-10f, 0x1.123de4p-7f, 0x1.555858p-5f, 0x1.55548cp-3f, 0x1.fffffcp-2f);
}
// (e^(2 r) - 1 - 2 r) / (2 r^2), same range: exp_tail of 2 r.
template <class V>
SINTER_HD SINTER_INLINE V double_exp_tail(V const& r) {
  return horner(r, 0x1.6ac784p-5f, 0x1.123de4p-3f, 0x1.555858p-2f, 0x1.55548cp-1f, 0x1.fffffcp-1f);
}
// 1.5 (e^-r - 1) / r, same range: exp_tail of -r.
template <class V>
SINTER_HD SINTER_INLINE V logistic_tail(V const& r) {
  return horner(r, 0x1.1015a4p-9f, -0x1.9b5cd6p-7f, 0x1.000242p-4f, -0x1.fffed2p-3f, 0x1.7ffffcp-1f, -0x1.8p+0f);
}
// (log(1 + f) - f + f^2 / 2) / f^3 for sqrt(1/2) <= 1 + f <= sqrt(2): 2^-29 of log(1 + f).
template <class V>
SINTER_HD SINTER_INLINE V log_tail(V const& f) {
  return horner(f, 0x1.de99a6p-5f, -0x1.c9c648p-4f, 0x1.ec9bc8p-4f, -0x1.0005d8p-3f, 0x1.2318d6p-3f, -0x1.553dfap-3f, 0x1.99a4eep-3f,
                -0x1.00004ep-2f, 0x1.555548p-2f);
}
// The same for -1/4 <= f <= 1/2: 2^-29.
template <class V>
SINTER_HD SINTER_INLINE V log_tail_to_half(V const& f) {
  return horner(f, 0x1.3265aep-5f, -0x1.743108p-4f, 0x1.df0a08p-4f, -0x1.04bbd0p-3f, 0x1.246584p-3f, -0x1.55190cp-3f, 0x1.999752p-3f,
                -0x1.000070p-2f, 0x1.55555ap-2f);
}
// (erf(x) - x) / x in x^2 for |x| <= 0.92: 2^-30 of erf.
template <class V>
SINTER_HD SINTER_INLINE V erf_tail(V const& square) {
  return horner(square, 0x1.4f5624p-14f, -0x1.a606c2p-11f, 0x1.5449e4p-8f, -0x1.b80118p-6f, 0x1.ce2d64p-4f, -0x1.812740p-2f,
                0x1.06eba8p-3f);
}
// -log2(erfc(x)) for 0.92 <= x <= 4: 2^-29 of erf.
template <class V>
SINTER_HD SINTER_INLINE V erfc_exponent(V const& x) {
  return horner(x, -0x1.286c20p-12f, 0x1.1fbc6ep-8f, -0x1.06b0ecp-5f, 0x1.331496p-3f, 0x1.d6a93ap-1f, 0x1.a07bfcp+0f, 0x1.281280p-12f);
}
// 2^r for |r| <= 1/2: 2^-28.
template <class V>
SINTER_HD SINTER_INLINE V power_of_two(V const& r) {
  return horner(r, 0x1.180a4ep-13f, 0x1.5ef5dap-10f, 0x1.3b67bcp-7f, 0x1.c6af9ep-5f, 0x1.ebfb94p-3f, 0x1.62e43p-1f, 1.0f);
}

namespace detail {

// Adding it rounds to an integer, which then stands in the low bits.
inline constexpr float rounder = 0x1.8p+23f;

SINTER_HD inline std::int32_t integer_of(float shifted) {
  return static_cast<std::int32_t>(math::detail::to_bits(shifted)) - static_cast<std::int32_t>(math::detail::to_bits(rounder));
}
// 2^n where that is a normal number.
SINTER_HD inline float power(std::int32_t n) { return math::detail::from_bits<float>(static_cast<std::uint32_t>(n + 127) << 23); }
// y 2^n with one rounding: in two halves, each a normal number, of which the first is exact.
SINTER_HD inline float scale(float y, std::int32_t n) { return mul(mul(y, power(n >> 1)), power(n - (n >> 1))); }
// NaN stays NaN.
SINTER_HD inline float at_least(float x, float bound) { return x < bound ? bound : x; }
SINTER_HD inline float at_most(float x, float bound) { return x > bound ? bound : x; }

// x = n log(2) + rest; shifted is n + rounder.
struct reduced {
  float shifted, rest;
};
SINTER_HD inline reduced reduce_exp(float x) {
  float const shifted = __builtin_fmaf(x, 0x1.715476p+0f, rounder), n = shifted - rounder;
  // 355 / 512 times n is exact.
  return {shifted, __builtin_fmaf(n, 0x1.bd0106p-13f, __builtin_fmaf(n, -0x1.63p-1f, x))};
}

}  // namespace detail

// e^x: 1.1 ulp.
SINTER_HD inline float exp(float x) {
  auto const r = detail::reduce_exp(detail::at_most(detail::at_least(x, -105), 89));
  float const mantissa = __builtin_fmaf(__builtin_fmaf(exp_tail(r.rest), r.rest, 1.0f), r.rest, 1.0f);
  return detail::scale(mantissa, detail::integer_of(r.shifted));
}
// e^x - 1: 1.1 ulp. Halved until the end, so that 2^n stays finite.
SINTER_HD inline float expm1(float x) {
  if (abs(x) < 0x1p-26f) return x;
  auto const r = detail::reduce_exp(detail::at_most(detail::at_least(x, -40), 89));
  float const power = detail::power(detail::integer_of(r.shifted) - 1), base = power - 0.5f, high = mul(power, r.rest);
  float const sum = base + high, back = sum - base, lost = (base - (sum - back)) + (high - back);
  float const rest = __builtin_fmaf(power, mul(mul(r.rest, r.rest), exp_tail(r.rest)), lost + ((power - base) - 0.5f));
  float const half = sum + rest;
  return half + half;
}
// 1 ulp; log(0) = -inf, NaN below.
SINTER_HD inline float log(float x) {
  if (!(x > 0) || x == infinity<float>) return x == 0 ? -infinity<float> : x < 0 ? nan<float> : x;
  bool const tiny = x < 0x1p-126f;
  // 0x3f3504f3 is sqrt(1/2).
  std::int32_t const root = 0x3f3504f3, above = static_cast<std::int32_t>(math::detail::to_bits(tiny ? mul(x, 0x1p+23f) : x)) - root;
  float const k = static_cast<float>((above >> 23) - (tiny ? 23 : 0));
  float const f = math::detail::from_bits<float>(static_cast<std::uint32_t>((above & 0x7fffff) + root)) - 1, square = mul(f, f);
  float const rest = __builtin_fmaf(square, -0.5f, __builtin_fmaf(k, -0x1.bd0106p-13f, mul(mul(f, square), log_tail(f))));
  return __builtin_fmaf(k, 0x1.63p-1f, f + rest);
}
// log(1 + e^x), without overflow: 2 ulp. With z = e^-|x| between 0 and 1, 1 + z is 1 + f or 2 (1 + f), f exact.
SINTER_HD inline float softrelu(float x) {
  float const z = exp(-abs(x));
  bool const large = z >= 0.5f;
  float const f = large ? __builtin_fmaf(z, 0.5f, -0.5f) : z, square = mul(f, f);
  float const log = f + __builtin_fmaf(square, -0.5f, mul(mul(f, square), log_tail_to_half(f)));
  return detail::at_least(x, 0) + (large ? log + 0x1.62e430p-1f : log);
}
// 2 ulp: t / (1 + t) with t = (e^(2 |x|) - 1) / 2.
SINTER_HD inline float tanh(float x) {
  float const size = detail::at_most(abs(x), 10);
  float const shifted = __builtin_fmaf(size, 0x1.715476p+1f, detail::rounder), n = shifted - detail::rounder;
  float const r = __builtin_fmaf(n, -0x1.62e430p-2f, size);
  float const part = __builtin_fmaf(mul(r, r), double_exp_tail(r), r), power = detail::power(detail::integer_of(shifted));
  float const t = __builtin_fmaf(power, part, __builtin_fmaf(power, 0.5f, -0.5f));
  // m - m^2 / (1 + t) with m = min(t, 1) is t / (1 + t), less what 1 + t and the quotient round.
  float const m = detail::at_most(t, 1);
  return copysign(__builtin_fmaf(-m, m / (t + 1), m), x);
}
// 1 / (1 + e^-x) = 2^k / (2^k + 1 + (e^-r - 1)) with x = k log(2) + r, whose small values keep all their digits: 2 ulp. 1.5 times everything,
// because nearly 2^-24 would be lost beside 1, and 2^64 too large until the end, so that it is a normal number.
SINTER_HD inline float sigmoid(float x) {
  auto const r = detail::reduce_exp(detail::at_most(detail::at_least(x, -105), 30));
  float const power = mul(1.5f, detail::power(detail::integer_of(r.shifted) + 64));
  float const below = __builtin_fmaf(r.rest, logistic_tail(r.rest), __builtin_fmaf(power, 0x1p-64f, 1.5f));
  return mul(power / below, 0x1p-64f);
}
// 1.5 ulp: to 0.92 an odd polynomial, then 1 - 2^-q(|x|).
SINTER_HD inline float erf(float x) {
  float const size = abs(x);
  if (!(size >= 0.92f)) return __builtin_fmaf(x, erf_tail(mul(x, x)), x);
  float const q = erfc_exponent(detail::at_most(size, 4)), shifted = detail::rounder - q, r = (detail::rounder - shifted) - q;
  return copysign(1 - detail::scale(power_of_two(r), detail::integer_of(shifted)), x);
}

}  // namespace sinter::math::single::inline SINTER_ISA
