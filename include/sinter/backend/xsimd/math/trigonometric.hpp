// SPDX-License-Identifier: Apache-2.0
// sin, cos, tan, their inverses, hyperbolic functions, logarithms to other bases and cube roots of vectors. Those of floats are computed in
// double and rounded once.
#pragma once

#include "../../../core/math/inverse.hpp"
#include "error_function.hpp"
#include "logarithm.hpp"
#include "power.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {

// What the functions of core/math/inverse.hpp are written with.
SINTER_INLINE vec<double> mul(vec<double> const& a, vec<double> const& b) { return a * b; }

namespace detail {

struct angle {
  vec<double> turns, high, low;  // quarters of a turn
};
// The steps of math::detail::reduce_near_angle.
SINTER_INLINE angle reduce_near_angle(vec<double> const& x) {
  namespace m = math::detail;
  auto const n = rint(x * splat(0x1.45f306dc9c883p-1));
  auto const a = exact_product(n, splat(m::half_pi)), b = exact_product(n, splat(m::half_pi_low));
  auto const first = exact_sum(x - a.high, -a.low), second = exact_sum(first.high, -b.high);
  auto const low = ((first.low + second.low) - b.low) - n * splat(-0x1.f1976b7ed8fbcp-110), high = second.high + low;
  return {n, high, (second.high - high) + low};
}
SINTER_INLINE vec<double> sine(angle const& a) {
  auto const z = a.high * a.high;
  return a.high + ((a.high * z) * math::detail::sin_tail(z) + a.low);
}
SINTER_INLINE vec<double> cosine(angle const& a) {
  auto const z = a.high * a.high;
  return splat(1.0) - (splat(0.5) * z - ((z * z) * math::detail::cos_tail(z) - a.high * a.low));
}
SINTER_INLINE vec<bool> is_odd(vec<double> const& n) {
  auto const half = n * splat(0.5);
  return floor(half) != half;
}
// F::one of the elements that are too large for three parts of pi / 2. Hardly any program has one.
template <class F>
SINTER_INLINE vec<double> with_far_angles(vec<double> const& x, vec<double> const& near) {
  auto const far = abs(x) > splat(math::detail::largest_near_angle);
  return any(far) ? select(far, each<F>(x), near) : near;
}
SINTER_INLINE vec<double> sin_or_cos(vec<double> const& x, double quadrants) {
  auto const a = reduce_near_angle(x);
  auto const turns = a.turns + splat(quadrants), value = select(is_odd(turns), cosine(a), sine(a));
  return select(is_odd(floor(turns * splat(0.5))), -value, value);
}

#define SINTER_SIMD_OF_NUMBERS(f)                      \
  struct f##_of_number {                               \
    static double one(double x) { return math::f(x); } \
  };
SINTER_SIMD_OF_NUMBERS(sin)
SINTER_SIMD_OF_NUMBERS(cos)
SINTER_SIMD_OF_NUMBERS(tan)
#undef SINTER_SIMD_OF_NUMBERS

// The steps of math::detail::product_of and log_to_base.
SINTER_INLINE vec<double> log_to_base(vec<double> const& x, double c, double c_low) {
  auto const l = precise_log(x);
  auto const p = exact_product(l.high, splat(c));
  return log_special(x, splat(0.0), p.high + fma(l.low, splat(c), fma(l.high, splat(c_low), p.low)));
}

}  // namespace detail

// 1.1 ulp; NaN of infinities.
SINTER_INLINE vec<double> sin(vec<double> const& x) {
  auto const near = select(x == splat(0.0), x, detail::sin_or_cos(x, 0));
  return detail::with_far_angles<detail::sin_of_number>(x, near);
}
SINTER_INLINE vec<double> cos(vec<double> const& x) { return detail::with_far_angles<detail::cos_of_number>(x, detail::sin_or_cos(x, 1)); }
// 3 ulp.
SINTER_INLINE vec<double> tan(vec<double> const& x) {
  auto const a = detail::reduce_near_angle(x);
  auto const s = detail::sine(a), c = detail::cosine(a);
  auto const odd = detail::is_odd(a.turns);
  auto const near = select(x == splat(0.0), x, select(odd, -c, s) / select(odd, s, c));
  return detail::with_far_angles<detail::tan_of_number>(x, near);
}
// The same bounds as of numbers, see core/math/inverse.hpp.
SINTER_INLINE vec<double> arcsin(vec<double> const& x) { return math::detail::arcsin_of(x); }
SINTER_INLINE vec<double> arccos(vec<double> const& x) { return math::detail::arccos_of(x); }
SINTER_INLINE vec<double> arctan(vec<double> const& x) { return math::detail::arctan_of(x); }
SINTER_INLINE vec<double> sinh(vec<double> const& x) { return math::detail::sinh_of(x); }
SINTER_INLINE vec<double> cosh(vec<double> const& x) { return math::detail::cosh_of(x); }
SINTER_INLINE vec<double> arcsinh(vec<double> const& x) { return math::detail::arcsinh_of(x); }
SINTER_INLINE vec<double> arccosh(vec<double> const& x) {
  return select(x < splat(1.0), splat(math::nan<double>), math::detail::arccosh_of(x));
}
SINTER_INLINE vec<double> arctanh(vec<double> const& x) { return math::detail::arctanh_of(x); }
SINTER_INLINE vec<double> log2(vec<double> const& x) { return detail::log_to_base(x, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56); }
SINTER_INLINE vec<double> log10(vec<double> const& x) { return detail::log_to_base(x, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57); }
SINTER_INLINE vec<double> cbrt(vec<double> const& x) {
  auto const size = abs(x), c = splat(0x1.5555555555555p-2);
  auto const l = detail::precise_log(size);
  auto const third = detail::exact_product(l.high, c);
  auto r = detail::reduce_exp(third.high);
  auto const more = r.low + fma(l.low, c, fma(l.high, splat(0x1.5555555555555p-56), third.low)), high = r.high + more;
  r.low = (r.high - high) + more;
  r.high = high;
  auto const finite = detail::scale_normal(detail::exp_mantissa(r), r.shifted);
  return select((size > splat(0.0)) & (size < splat(math::infinity<double>)), copysign(finite, x), x);
}
template <Real T>
SINTER_INLINE vec<T> hypot(vec<T> const& x, vec<T> const& y) {
  auto const infinity = splat(math::infinity<T>);
  vec<T> r;
  if constexpr (sizeof(T) == 4) r = cast<float>(math::detail::hypot_of(cast<double>(x), cast<double>(y)));
  else r = math::detail::hypot_of(x, y);
  return select((abs(x) == infinity) | (abs(y) == infinity), infinity, r);
}

#define SINTER_SIMD_IN_DOUBLE(f) \
  SINTER_INLINE vec<float> f(vec<float> const& x) { return cast<float>(f(cast<double>(x))); }
SINTER_SIMD_IN_DOUBLE(sin)
SINTER_SIMD_IN_DOUBLE(cos)
SINTER_SIMD_IN_DOUBLE(tan)
SINTER_SIMD_IN_DOUBLE(arcsin)
SINTER_SIMD_IN_DOUBLE(arccos)
SINTER_SIMD_IN_DOUBLE(arctan)
SINTER_SIMD_IN_DOUBLE(sinh)
SINTER_SIMD_IN_DOUBLE(cosh)
SINTER_SIMD_IN_DOUBLE(arcsinh)
SINTER_SIMD_IN_DOUBLE(arccosh)
SINTER_SIMD_IN_DOUBLE(arctanh)
SINTER_SIMD_IN_DOUBLE(log2)
SINTER_SIMD_IN_DOUBLE(log10)
SINTER_SIMD_IN_DOUBLE(cbrt)
#undef SINTER_SIMD_IN_DOUBLE

}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
