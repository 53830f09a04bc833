// SPDX-License-Identifier: Apache-2.0
// The gamma function, its logarithm, and the inverse of erf. With the same bits in constant expressions and at run time.
//
// The coefficients are interpolations at Chebyshev's points, computed with 170 bits; each comment gives the largest error, relative to the whole
// function, before they are rounded.
#pragma once

#include "inverse.hpp"

namespace sinter::math::inline SINTER_ISA {

namespace detail {

// erfinv(x) / x in z = x^2, |x| <= 1/2: 2^-61.
template <class V>
SINTER_HD SINTER_INLINE constexpr V erfinv_near_zero(V const& z) {
  return horner(z, 0x1.ebabd1a6a2469p-4, -0x1.8af293987967fp-4, 0x1.6549e2528d134p-4, -0x1.7eea0f1d96346p-10, 0x1.fa6e99af1c795p-6,
                0x1.b9dcba921c856p-6, 0x1.049c5b96cfb40p-5, 0x1.2aa3f3e188ee7p-5, 0x1.5eec804dd7c46p-5, 0x1.a7c84db275d4ap-5,
                0x1.0a1318d0130dcp-4, 0x1.62847c4705debp-4, 0x1.053c2c0aba07cp-3, 0x1.db29fb2fee5d7p-3, 0x1.c5bf891b4ef6bp-1);
}
// erfinv(1 - e^(-s^2)) / s in t = (s - 9/4) / (s + 9/4), from 1/2 on up to the last double below 1: 2^-58.
template <class V>
SINTER_HD SINTER_INLINE constexpr V erfinv_near_one(V const& t) {
  return horner(t, 0x1.33955d3a0ddffp-7, 0x1.b894da5a993bap-7, -0x1.68cecbd241aadp-5, 0x1.09bfa608cfce7p-6, 0x1.ea6e1e7158a42p-6,
                -0x1.58b2228186f11p-5, 0x1.03eb412fdcf50p-5, -0x1.93a9201193d27p-7, -0x1.fef1a1bc453bbp-7, 0x1.5254095d4fc69p-5,
                -0x1.94fc2e5b0cfc6p-5, 0x1.0a884e9795290p-5, 0x1.267f72b627e22p-8, -0x1.7a5cf8a2cb3f5p-5, 0x1.2496c5e9f5765p-4,
                -0x1.040e6f08724fep-4, 0x1.28ab59f8a36a0p-6, 0x1.9a39b88d55a40p-5, -0x1.c9194e8cd2067p-4, 0x1.0767b873c5691p-3,
                -0x1.2c451d08b2f3bp-4, -0x1.01c8fd65a3c99p-4, 0x1.f43036d36aac2p-3, -0x1.a1cb8fafaeab3p-2, 0x1.86fefafb5ece9p-2,
                0x1.b74e02c19b698p-1);
}
// log(gamma(x)) / ((x - 1) (x - 2)) in t = (x - 11/8) / (x + 11/8), 0.9 <= x <= 2.15: 2^-61.
SINTER_HD constexpr double gammaln_middle(double t) {
  return horner(t, -0x1.05da1bd154b27p-5, 0x1.14c583c043dc4p-5, -0x1.0be67f8fc3850p-5, 0x1.ff6fa3eb1bfcep-6, -0x1.342a33839fd32p-5,
                0x1.2990f7335f21ap-5, -0x1.6b039e54c0e3ap-5, 0x1.5bc664e90d01ap-5, -0x1.b96917b89f03dp-5, 0x1.a2a2894211649p-5,
                -0x1.1996e867888acp-4, 0x1.06aee2518b173p-4, -0x1.8532720982943p-4, 0x1.5fa9827e4121fp-4, -0x1.3c6d0c1c42c62p-3,
                0x1.0818788ef9ef0p-3, -0x1.cbd9b54ed4b13p-2, 0x1.013d8539b967ap-1);
}
// What Stirling's formula leaves out, times x, in z = 1 / x^2, x >= 8: 2^-62.
SINTER_HD constexpr double stirling_tail(double z) {
  return horner(z, -0x1.55b3a71b66a2ep-6, 0x1.96db40614b193p-8, -0x1.f5ff2fdcdf048p-10, 0x1.b94f6d6592192p-11, -0x1.38137ec070147p-11,
                0x1.a01a019ee0dbep-11, -0x1.6c16c16c16b29p-9, 0x1.5555555555555p-4);
}

template <class V>
SINTER_HD SINTER_INLINE constexpr V erfinv_of(V const& x) {
  V const size = abs(x), one(1), middle(2.25);
  V const s = sqrt(-log(one - size)), t = (s - middle) / (s + middle);
  V const near = mul(size, erfinv_near_zero(mul(size, size))), far = mul(s, erfinv_near_one(t));
  return copysign(select(size > V(0.5), far, near), x);
}

// (x + more) log(x) - x + log(2 pi) / 2 + what is left out, for 8 <= x <= 2^60, with an error of about 2^-64 of its largest term: log(gamma(x))
// where `more` is -1/2, log(gamma(x + 1)) where it is 1/2.
SINTER_HD constexpr twofold stirling(double x, double more) {
  auto const l = precise_log(x);
  auto const factor = exact_sum(x, more);
  auto const p = exact_product(factor.high, l.high);
  auto const a = exact_sum(p.high, -x), b = exact_sum(a.high, 0x1.d67f1c864beb5p-1);
  double const rest = mul(factor.low, l.high) + mul(factor.high, l.low), tail = stirling_tail(1 / mul(x, x)) / x;
  double const low = ((p.low + rest) + (a.low + b.low)) + (tail - 0x1.65b5a1b7ff5dfp-55), high = b.high + low;
  return {high, (b.high - high) + low};
}
// For -8 < x < 8: gamma(x) is e^`logarithm`, the gamma function of the first x + k from 8 on, over `product`, x (x + 1) ... (x + k - 1).
struct raised {
  twofold logarithm, product;
};
SINTER_HD constexpr raised raise(double x) {
  twofold p{1, 0}, y{x, 0};
  for (int k = 1; y.high < 8; ++k) {
    auto const q = exact_product(p.high, y.high);
    double const low = q.low + (mul(p.high, y.low) + mul(p.low, y.high)), high = q.high + low;
    p = {high, (q.high - high) + low};
    y = exact_sum(x, k);
  }
  auto l = stirling(y.high, -0.5);
  l.low += mul(y.low, log(y.high) - 0.5 / y.high);  // the derivative
  return {l, p};
}
// |sin(pi x)|, which has no quadrant, because x minus the nearest whole number is exact.
SINTER_HD constexpr double sin_of_turns(double x) {
  double const f = abs(x - rint(x));
  auto const a = exact_product(f <= 0.25 ? f : 0.5 - f, 2 * half_pi);
  auto const r = sin_cos({0, a.high, a.low + mul(f <= 0.25 ? f : 0.5 - f, 2 * half_pi_low)});
  return f <= 0.25 ? r.sine : r.cosine;
}
SINTER_HD constexpr double difference(twofold const& a, twofold const& b) {
  auto const d = exact_sum(a.high, -b.high);
  return d.high + (d.low + (a.low - b.low));
}
SINTER_HD constexpr bool is_whole(double x) { return trunc(x) == x; }

// gamma(x) for x <= -8, no whole number: pi / (sin(pi x) gamma(1 - x)) without its sign.
SINTER_HD constexpr double reflected_gamma(double x) {
  if (x < -190) return 0;
  auto const l = stirling(-x, 0.5);
  auto const r = reduce_exp(-l.high, -l.low);
  double const sum = 1 + r.high, lost = r.high - (sum - 1), power = sum + (lost + exp_rest(r));
  auto const p = split(2 * half_pi / sin_of_turns(x) * power);
  return scale(p.mantissa, static_cast<int>(r.n) + p.exponent);
}

}  // namespace detail

// 4 ulp in double.
SINTER_HD constexpr double erfinv(double x) {
  if (isnan(x)) return x;
  double const size = abs(x);
  return size > 1 ? nan<double> : size == 1 ? copysign(infinity<double>, x) : detail::erfinv_of(x);
}

// The gamma function: 1.5 ulp in double for x > -8, 3.5 below, factorials exact. As C's tgamma: NaN of negative whole numbers and of -inf; at a
// zero an infinity of its sign.
SINTER_HD constexpr double gamma(double x) {
  if (isnan(x) || x == infinity<double>) return x;
  if (abs(x) <= 0x1p-1024) return copysign(infinity<double>, x);
  if (abs(x) < 0x1p-60) return 1 / x;
  if (x > 172) return infinity<double>;
  if (x < 0 && detail::is_whole(x)) return nan<double>;
  if (x <= -8) return detail::is_whole(0.5 * floor(x)) ? detail::reflected_gamma(x) : -detail::reflected_gamma(x);
  if (x >= 8) {
    auto const l = detail::stirling(x, -0.5);
    return detail::exp_of(detail::reduce_exp(l.high, l.low));
  }
  auto const [l, p] = detail::raise(x);
  double const e = detail::exp_of(detail::reduce_exp(l.high, l.low)), q = e / p.high;
  auto const back = detail::exact_product(q, p.high);
  return q + (((e - back.high) - back.low) - mul(q, p.low)) / p.high;
}

// The logarithm of the size of gamma(x): 4 ulp in double for x > 0. Below zero it has zeros that are no doubles; next to them its error is at
// most 2^-58, for x < -8 2^-50. Infinite at 0, negative whole numbers and infinities.
SINTER_HD constexpr double gammaln(double x) {
  if (isnan(x)) return x;
  if (isinf(x) || x > 0x1.754d9278b51a7p+1014 || (x <= 0 && detail::is_whole(x))) return infinity<double>;
  if (abs(x) < 0x1p-60) return -log(abs(x));
  // 0, not -0, at 1.
  if (x >= 0.9 && x <= 2.15) return mul(mul(x - 1, x - 2), detail::gammaln_middle((x - 1.375) / (x + 1.375))) + 0.0;
  if (x > 0x1p+60) {
    auto const l = detail::precise_log(x);
    auto const less = detail::exact_sum(l.high, -1);
    return mul(x, less.high) + mul(x, less.low + l.low);
  }
  if (x >= 8) return detail::stirling(x, -0.5).high;
  if (x > -8) {
    auto const [l, p] = detail::raise(x);
    auto const d = detail::precise_log(abs(p.high));
    return detail::difference(l, {d.high, d.low + p.low / p.high});
  }
  return detail::difference(detail::precise_log(2 * detail::half_pi / detail::sin_of_turns(x)), detail::stirling(-x, 0.5));
}

// Of floats they are computed in double and rounded.
SINTER_HD constexpr float erfinv(float x) { return isnan(x) ? x : detail::to_float(erfinv(static_cast<double>(x))); }
SINTER_HD constexpr float gamma(float x) { return isnan(x) ? x : detail::to_float(gamma(static_cast<double>(x))); }
SINTER_HD constexpr float gammaln(float x) { return isnan(x) ? x : detail::to_float(gammaln(static_cast<double>(x))); }

}  // namespace sinter::math::inline SINTER_ISA
