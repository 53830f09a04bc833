// SPDX-License-Identifier: Apache-2.0
// pow of vectors, without branches; float is computed in double.
#pragma once

#include "logarithm.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace detail {

SINTER_INLINE twofold<double> exact_sum(vec<double> const& a, vec<double> const& b) {
  auto const s = a + b, back = s - a;
  return {s, (a - (s - back)) + (b - back)};
}
SINTER_INLINE twofold<double> exact_product(vec<double> const& a, vec<double> const& b) {
  auto const p = a * b;
  if constexpr (native::fused) return {p, fma(a, b, -p)};
  else {
    auto const upper = [](vec<double> const& v) SINTER_INLINED {
      return bit_cast<double>(map<std::int64_t>([](auto const& m, auto const& n) SINTER_INLINED { return m & n; },
                                                bit_cast<std::int64_t>(v), splat(~std::int64_t(0x7ffffff))));
    };
    auto const a1 = upper(a), a2 = a - a1, b1 = upper(b), b2 = b - b1;
    return {p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2};
  }
}

// log(x) to about 2^-65 relative, for positive finite x: the steps of math::detail::precise_log.
SINTER_INLINE twofold<double> precise_log(vec<double> const& x) {
  namespace m = math::detail;
  auto const two = splat(2.0), tiny = splat(0x1p-1022);
  auto const part = split(select(x < tiny, x * splat(0x1p+54), x));
  auto const k = part.exponent - select(x < tiny, splat(54.0), splat(0.0));
  auto const &f = part.f, d = two + f, d_low = f - (d - two), s = f / d;
  auto const sd = exact_product(s, d);
  auto const s_low = (((f - sd.high) - sd.low) - s * d_low) / d;
  auto const z = exact_product(s, s);
  auto const z_low = fma(s, s_low + s_low, z.low);
  auto const cube = exact_product(s, z.high);
  auto const cube_low = fma(s, z_low, fma(s_low, z.high, cube.low));
  auto const third = splat(0x1.5555555555555p-1);
  auto const second = exact_product(cube.high, third);
  auto const second_low = fma(cube.high, splat(0x1.5555555555555p-55), fma(cube_low, third, second.low));
  auto const fifth = fma(cube.high, z.high, fma(cube.high, z_low, cube_low * z.high));
  auto const rest = fifth * m::log_second_tail(z.high);
  auto const a = exact_sum(k * splat(m::ln2_high), s + s), b = exact_sum(a.high, second.high);
  auto const low = (a.low + b.low) + (rest + fma(k, splat(m::ln2_low), (s_low + s_low) + second_low)), high = b.high + low;
  return {high, (b.high - high) + low};
}

// x^y for positive finite x.
SINTER_INLINE vec<double> pow_size(vec<double> const& x, vec<double> const& y) {
  auto const l = precise_log(x);
    // Beyond 2^64 every power of a number other than 1 has left the range.
  auto const exponent = at_most(at_least(y, -0x1p+64), 0x1p+64);
  auto const w = exact_product(exponent, l.high);
  auto const low = fma(exponent, l.low, w.low);
  auto const outside = abs(w.high) > splat(750.0);
  auto r = reduce_exp(at_most(at_least(w.high, -746.0), 710.0));
  auto const more = r.low + select(outside, splat(0.0), low);
  auto const high = r.high + more;
  r.low = (r.high - high) + more;
  r.high = high;
  return scale(exp_mantissa(r), r.n, r.shifted);
}
// The same to a good 2^-44, which is plenty for float; x and y are floats.
SINTER_INLINE vec<double> pow_size_of_floats(vec<double> const& x, vec<double> const& y) {
  auto const p = split(x);
  auto const w = y * log_of(p.exponent, p.f, splat(0.0));
  auto const r = reduce_exp(at_most(at_least(w, -200.0), 200.0));
  return scale_normal(exp_mantissa(r), r.shifted);
}

}  // namespace detail

// x^y with the special cases of C99: 1 ulp.
template <Real T>
SINTER_INLINE vec<T> pow(vec<T> const& x, vec<T> const& y) {
  auto const zero = splat(T(0)), one = splat(T(1)), infinity = splat(math::infinity<T>), size = abs(x);
  vec<T> result;
  if constexpr (sizeof(T) == 4) result = cast<float>(detail::pow_size_of_floats(cast<double>(size), cast<double>(y)));
  else result = detail::pow_size(size, y);
  auto const at_zero = x == zero;
  result = select(at_zero | (size == infinity), select(at_zero == (y < zero), infinity, zero), result);
  result = select(size == one, one, result);
  auto const half = y * splat(T(0.5)), whole = trunc(y);
  auto const odd = (whole == y) & (trunc(half) != half);
  result = copysign(result, select(odd, x, one));
  result = select((x < zero) & (size < infinity) & (whole != y), splat(math::nan<T>), result);
  result = select((x != x) | (y != y), x + y, result);
  return select((y == zero) | (x == one), one, result);
}

}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
