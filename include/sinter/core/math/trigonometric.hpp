// SPDX-License-Identifier: Apache-2.0
// sin, cos and tan of all finite numbers, with the same bits in constant expressions and at run time.
#pragma once

#include "special.hpp"

namespace sinter::math::inline SINTER_ISA {

namespace detail {

// pi / 2 in two parts.
inline constexpr double half_pi = 0x1.921fb54442d18p+0, half_pi_low = 0x1.1a62633145c07p-54;
// Up to here the product with 2 / pi is reduced by three parts of pi / 2; beyond, by as many bits of 2 / pi as it takes.
inline constexpr double largest_near_angle = 0x1p+30;

struct angle {
  int quadrant;
  double high, low;
};
// x minus the nearest multiple of pi / 2, which is taken in three parts; their products with a whole number are exact sums.
SINTER_HD constexpr angle reduce_near_angle(double x) {
  double const n = rint(mul(x, 0x1.45f306dc9c883p-1));
  auto const a = exact_product(n, half_pi), b = exact_product(n, half_pi_low);
  auto const first = exact_sum(x - a.high, -a.low), second = exact_sum(first.high, -b.high);
  double const low = ((first.low + second.low) - b.low) - mul(n, -0x1.f1976b7ed8fbcp-110), high = second.high + low;
  return {static_cast<int>(static_cast<std::int64_t>(n) & 3), high, (second.high - high) + low};
}

// The same for finite x of any size above 1 (Payne and Hanek 1983): of 2 / pi the 256 bits whose products with x are neither multiples of 4
// nor too small. No double comes nearer to a multiple of pi / 2 than 2^-62, so that 190 of them are behind the point.
SINTER_HD constexpr angle reduce_far_angle(double x) {
  constexpr std::uint32_t two_over_pi[] = {
      // behind two words of zeros
      0,          0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a,
      0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4,
      0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7,
      0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d, 0xa9e39161, 0x5ee61b08};
  std::uint64_t const b = to_bits(x) & ~sign_bit<double>, mantissa = (b & 0xfffffffffffffu) | std::uint64_t(1) << 52;
  int const exponent = static_cast<int>(b >> 52) - 1075, first = exponent - 2 + 64;  // |x| is mantissa * 2^exponent
  // Word i of mantissa times 256 bits of the table from bit `first` on, the highest first; 2^254 is 1.
  std::uint32_t product[8]{};
  std::uint64_t carry = 0, held = 0;
  for (int i = 7; i >= 0; --i) {
    int const word = (first >> 5) + i, shift = first & 31;
    std::uint64_t const pair = static_cast<std::uint64_t>(two_over_pi[word]) << 32 | two_over_pi[word + 1];
    std::uint64_t const bits = (pair >> (32 - shift)) & 0xffffffffu, low = bits * (mantissa & 0xffffffffu);
    carry += held + (low & 0xffffffffu);
    product[i] = static_cast<std::uint32_t>(carry);
    carry = (carry >> 32) + (low >> 32);
    held = bits * (mantissa >> 32);
  }
  // Two bits of the quadrant; the rest is a fraction of pi / 2, from 1/2 on less than the next quadrant.
  int quadrant = static_cast<int>(product[0] >> 30);
  for (int i = 0; i < 8; ++i) product[i] = product[i] << 2 | (i < 7 ? product[i + 1] >> 30 : 0);
  bool const above = product[0] >> 31 != 0;
  if (above) {
    ++quadrant;
    for (std::uint32_t& p : product) p = ~p;
  }
  int from = 0;
  while (product[from] == 0 && from < 3) ++from;
  double const unit = power_of_two(-32 * (from + 1));
  auto const top = exact_sum(product[from] * 0x1p+32, static_cast<double>(product[from + 1]));
  double const rest = top.low + (product[from + 2] * 0x1p-32 + product[from + 3] * 0x1p-64);
  auto const fraction = exact_sum(top.high, rest);
  auto const r = exact_product(fraction.high * unit * 0x1p-32, half_pi);
  double const more = r.low + (mul(fraction.high * unit * 0x1p-32, half_pi_low) + mul(fraction.low * unit * 0x1p-32, half_pi));
  auto const all = exact_sum(r.high, more);
  bool const turned = above != signbit(x);
  return {(signbit(x) ? -quadrant : quadrant) & 3, turned ? -all.high : all.high, turned ? -all.low : all.low};
}

struct sine_and_cosine {
  double sine, cosine;
};
// Of finite numbers.
SINTER_HD constexpr angle reduce_angle(double x) { return abs(x) <= largest_near_angle ? reduce_near_angle(x) : reduce_far_angle(x); }
// But for the quadrant.
SINTER_HD constexpr sine_and_cosine sin_cos(angle const& a) {
  double const z = mul(a.high, a.high);
  return {a.high + (mul(mul(a.high, z), sin_tail(z)) + a.low), 1 - (0.5 * z - (mul(mul(z, z), cos_tail(z)) - mul(a.high, a.low)))};
}
// The sine, so many quadrants further on.
SINTER_HD constexpr double sine_of(angle const& a, int quadrants) {
  auto const r = sin_cos(a);
  int const quadrant = a.quadrant + quadrants;
  double const value = (quadrant & 1) != 0 ? r.cosine : r.sine;
  return (quadrant & 2) != 0 ? -value : value;
}
SINTER_HD constexpr double sin_or_cos(double x, int quadrants) {
  return isnan(x) || isinf(x) ? nan<double> : sine_of(reduce_angle(x), quadrants);
}

}  // namespace detail

// 1.1 ulp in double; NaN of infinities.
SINTER_HD constexpr double sin(double x) { return x == 0 ? x : detail::sin_or_cos(x, 0); }
SINTER_HD constexpr double cos(double x) { return detail::sin_or_cos(x, 1); }
// The same for |x| up to 2^30, without the code for larger ones.
SINTER_HD constexpr double cos_of_near_angle(double x) { return detail::sine_of(detail::reduce_near_angle(x), 1); }
// 3 ulp in double.
SINTER_HD constexpr double tan(double x) {
  if (x == 0) return x;
  if (isnan(x) || isinf(x)) return nan<double>;
  auto const a = detail::reduce_angle(x);
  auto const r = detail::sin_cos(a);
  return (a.quadrant & 1) != 0 ? -r.cosine / r.sine : r.sine / r.cosine;
}

SINTER_MATH_FLOAT(sin)
SINTER_MATH_FLOAT(cos)
SINTER_MATH_FLOAT(tan)

}  // namespace sinter::math::inline SINTER_ISA
