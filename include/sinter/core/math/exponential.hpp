// SPDX-License-Identifier: Apache-2.0
// exp, log and functions written with them, with the same bits in constant expressions and at run time.
//
// Reduction by multiples of log(2) in two parts (Cody and Waite), logarithm by atanh as in W. Kahan's and K. C. Ng's fdlibm note;
// float functions compute in double and round once, but for some on a GPU (single.hpp).
#pragma once

#include "polynomials.hpp"
#include "single.hpp"

namespace sinter::math::inline SINTER_ISA {

namespace detail {

// An unevaluated sum: about 106 bits (Dekker 1971).
struct twofold {
  double high, low;
};

// What exp and expm1 share: x = n log(2) + high + low.
struct reduced {
  double n, high, low;
};
SINTER_HD constexpr reduced reduce_exp(double x, double below = 0) {
    // Adding 1.5 * 2^52 rounds to an integer.
  double const n = (mul(x, log2_e) + 0x1.8p+52) - 0x1.8p+52;
  double const high = x - mul(n, ln2_high), low = below - mul(n, ln2_low), sum = high + low;
  return {n, sum, (high - sum) + low};
}

// e^(high + low) - 1 - high.
SINTER_HD constexpr double exp_rest(reduced r) { return (r.low + mul(r.low, r.high)) + mul(mul(r.high, r.high), exp_tail(r.high)); }

SINTER_HD constexpr double exp_of(reduced r) {
    // The rounding error of 1 + high is added to the rest.
  double const sum = 1 + r.high, lost = r.high - (sum - 1);
  return scale(sum + (lost + exp_rest(r)), static_cast<int>(r.n));
}

struct parts {
  int exponent;
  double mantissa;
};
// x = 2^exponent * mantissa, sqrt(1/2) <= mantissa < sqrt(2), for positive finite x.
SINTER_HD constexpr parts split(double x) {
  int shift = 0;
  if (x < 0x1p-1022) x *= 0x1p+54, shift = -54;
    // 0x3fe6a09e667f3bcd is sqrt(1/2).
  std::uint64_t const bits = to_bits(x) - 0x3fe6a09e667f3bcdu;
  int const exponent = static_cast<int>(static_cast<std::int64_t>(bits) >> 52);
  return {exponent + shift, from_bits<double>((bits & 0xfffffffffffffu) + 0x3fe6a09e667f3bcdu)};
}

// log(2^exponent * mantissa) + correction.
SINTER_HD constexpr double log_of(parts p, double correction) {
  double const f = p.mantissa - 1, s = f / (2 + f), z = mul(s, s), half = mul(0.5 * f, f);
  double const rest = mul(z, log_tail(z)), k = p.exponent;
  return mul(k, ln2_high) - ((half - (mul(s, half + rest) + (mul(k, ln2_low) + correction))) - f);
}

}  // namespace detail

// e^x: 1 ulp in double.
SINTER_HD constexpr double exp(double x) {
  if (isnan(x)) return x;
  if (x > 710) return infinity<double>;
  if (x < -746) return 0;
  return detail::exp_of(detail::reduce_exp(x));
}

namespace detail {

// e^x - 1 for |x| <= 40, and its rounding error.
SINTER_HD constexpr twofold expm1_of(double x) {
  auto const r = reduce_exp(x);
  double const power = power_of_two(static_cast<int>(r.n)), base = power - 1, high = mul(power, r.high);
    // base + high, exactly, whichever is larger.
  double const sum = base + high, back = sum - base, lost = (base - (sum - back)) + (high - back);
  double const rest = (lost + ((power - base) - 1)) + mul(power, exp_rest(r)), all = sum + rest;
  return {all, rest - (all - sum)};
}

}  // namespace detail

// e^x - 1: 1 ulp in double.
SINTER_HD constexpr double expm1(double x) {
  if (isnan(x) || abs(x) < 0x1p-54) return x;
  if (x < -40) return -1;
  return x > 40 ? exp(x) : detail::expm1_of(x).high;
}

// 1 ulp in double; log(0) = -inf, NaN below.
SINTER_HD constexpr double log(double x) {
  if (isnan(x) || x == infinity<double>) return x;
  if (x == 0) return -infinity<double>;
  if (x < 0) return nan<double>;
  return detail::log_of(detail::split(x), 0);
}

// log(1 + x): 1 ulp in double.
SINTER_HD constexpr double log1p(double x) {
  if (isnan(x) || x == infinity<double> || abs(x) < 0x1p-54) return x;
  if (x == -1) return -infinity<double>;
  if (x < -1) return nan<double>;
    // The rounding error of 1 + x (exact by Knuth's sum) is corrected with the derivative of log.
  double const u = 1 + x, back = u - 1, lost = (1 - (u - back)) + (x - back);
  return detail::log_of(detail::split(u), lost / u);
}

// log(1 + e^x), without overflow: 2 ulp in double.
SINTER_HD constexpr double softrelu(double x) {
  if (isnan(x)) return x;
  return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

// -t / (2 + t) with t = e^(-2 |x|) - 1, all rounding errors corrected: 1.5 ulp in double.
SINTER_HD constexpr double tanh(double x) {
  if (isnan(x)) return x;
  double const size = abs(x);
  if (size > 20) return copysign(1.0, x);
  if (size < 0x1p-28) return x;
  auto const t = detail::expm1_of(-2 * size);
  double const d = 2 + t.high, lost = (t.high - (d - 2)) + t.low, q = -t.high / d;
  return copysign(q - (t.low + mul(q, lost)) / d, x);
}

// 1 / (1 + e^-x), whose small values keep all their digits: 2 ulp in double.
SINTER_HD constexpr double sigmoid(double x) {
  if (isnan(x)) return x;
  double const z = exp(-abs(x)), d = 1 + z, lost = z - (d - 1), q = (signbit(x) ? z : 1) / d;
  return q - mul(q, lost) / d;
}

#define SINTER_MATH_FLOAT(name)                                                      \
    /* name(x) rounded: 0.5 ulp but for the rare case that lies next to a midpoint. */ \
  SINTER_HD constexpr float name(float x) { return isnan(x) ? x : detail::to_float(name(static_cast<double>(x))); }
#if defined(__CUDA_ARCH__)
#define SINTER_MATH_SINGLE(name)                                          \
    /* Single precision alone: within 2 ulp. */                             \
  SINTER_HD constexpr float name(float x) {                               \
    if (!__builtin_is_constant_evaluated()) return single::name(x);       \
    return isnan(x) ? x : detail::to_float(name(static_cast<double>(x))); \
  }
#else
#define SINTER_MATH_SINGLE(name) SINTER_MATH_FLOAT(name)
#endif
SINTER_MATH_SINGLE(exp)
SINTER_MATH_SINGLE(expm1)
SINTER_MATH_SINGLE(log)
SINTER_MATH_FLOAT(log1p)
SINTER_MATH_SINGLE(softrelu)
SINTER_MATH_SINGLE(tanh)
SINTER_MATH_SINGLE(sigmoid)

}  // namespace sinter::math::inline SINTER_ISA
