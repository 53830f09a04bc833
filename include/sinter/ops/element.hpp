// SPDX-License-Identifier: Apache-2.0
// The functions that element functions are written with. They have the same names for a number and for a vector of numbers.
#pragma once
#include "../core/config.hpp"
#include "../core/math.hpp"

namespace sinter::element::inline SINTER_ISA {

// How a vector type is made from one number; a plain number is used as it is. A backend specialises it.
template <class V> struct lanes {
  using type = V;
  static SINTER_HD constexpr V splat(V v) { return v; }
  template <class To> static SINTER_HD constexpr To cast(V v) {
    if constexpr (std::is_same_v<To, bool>) return v != V(0);
    else return static_cast<To>(v);
  }
};
template <class V> SINTER_HD constexpr V number(double v) { return lanes<V>::splat(static_cast<typename lanes<V>::type>(v)); }

// GCC's `flatten` does not inline the larger ones.
#define SINTER_ELEMENT(f)                                                \
  template <class V> SINTER_HD SINTER_INLINE constexpr V f(V const& v) { \
    using math::f;                                                       \
    return f(v);                                                         \
  }
SINTER_ELEMENT(exp)
SINTER_ELEMENT(expm1)
SINTER_ELEMENT(log)
SINTER_ELEMENT(log1p)
SINTER_ELEMENT(tanh)
SINTER_ELEMENT(erf)
SINTER_ELEMENT(sigmoid)
SINTER_ELEMENT(softrelu)
SINTER_ELEMENT(gelu)
SINTER_ELEMENT(gelu_tanh)
SINTER_ELEMENT(sin)
SINTER_ELEMENT(cos)
SINTER_ELEMENT(tan)
SINTER_ELEMENT(arcsin)
SINTER_ELEMENT(arccos)
SINTER_ELEMENT(arctan)
SINTER_ELEMENT(sinh)
SINTER_ELEMENT(cosh)
SINTER_ELEMENT(arcsinh)
SINTER_ELEMENT(arccosh)
SINTER_ELEMENT(arctanh)
SINTER_ELEMENT(log2)
SINTER_ELEMENT(log10)
SINTER_ELEMENT(cbrt)
SINTER_ELEMENT(erfinv)
SINTER_ELEMENT(gamma)
SINTER_ELEMENT(gammaln)
SINTER_ELEMENT(sqrt)
SINTER_ELEMENT(abs)
SINTER_ELEMENT(floor)
SINTER_ELEMENT(ceil)
SINTER_ELEMENT(trunc)
SINTER_ELEMENT(rint)
#undef SINTER_ELEMENT

template <class V> SINTER_HD constexpr V pow(V const& a, V const& b) {
  using math::pow;
  return pow(a, b);
}
template <class V> SINTER_HD constexpr V hypot(V const& a, V const& b) {
  using math::hypot;
  return hypot(a, b);
}
template <class M, class V> SINTER_HD constexpr V select(M const& m, V const& a, V const& b) {
  if constexpr (std::is_same_v<M, bool>) return m ? a : b;
  else return select(m, a, b);  // the vector type's own, which is more specialised
}

// F::one of each element, for what has no vector form.
template <class F, class V> SINTER_HD constexpr V each(V const& a, V const& b) {
  if constexpr (std::is_arithmetic_v<V>) return F::one(a, b);
  else return each<F>(a, b);  // the vector type's own, which is more specialised
}

// Sums and products of numbers: integers wrap, and a product of floats is rounded before anything is added to it.
template <class V> SINTER_HD constexpr V add(V a, V b) {
  if constexpr (std::is_same_v<V, std::int32_t> || std::is_same_v<V, std::int64_t>)
    return static_cast<V>(static_cast<std::make_unsigned_t<V>>(a) + static_cast<std::make_unsigned_t<V>>(b));
  else return a + b;
}
template <class V> SINTER_HD constexpr V subtract(V a, V b) {
  if constexpr (std::is_same_v<V, std::int32_t> || std::is_same_v<V, std::int64_t>)
    return static_cast<V>(static_cast<std::make_unsigned_t<V>>(a) - static_cast<std::make_unsigned_t<V>>(b));
  else return a - b;
}
template <class V> SINTER_HD constexpr V multiply(V a, V b) {
  if constexpr (std::is_same_v<V, std::int32_t> || std::is_same_v<V, std::int64_t>)
    return static_cast<V>(static_cast<std::make_unsigned_t<V>>(a) * static_cast<std::make_unsigned_t<V>>(b));
  else if constexpr (std::is_floating_point_v<V>) return math::mul(a, b);
  else return a * b;
}
// x times 2^n and the whole number below x / 2^n. With a count of all bits or more, or a negative one, nothing is left of x but its sign.
template <class V> SINTER_HD constexpr V left_shift(V const& x, V const& n) {
  using T = typename lanes<V>::type;
  V const last = number<V>(8 * sizeof(T) - 1);
  if constexpr (std::is_integral_v<V>) {
    using bits = std::make_unsigned_t<T>;
    return static_cast<bits>(n) > static_cast<bits>(last) ? V(0) : static_cast<V>(static_cast<bits>(x) << n);
  } else return select((n & last) == n, shift_left(x, n & last), number<V>(0));
}
template <class V> SINTER_HD constexpr V right_shift(V const& x, V const& n) {
  using T = typename lanes<V>::type;
  V const last = number<V>(8 * sizeof(T) - 1);
  if constexpr (std::is_integral_v<V>) {
    using bits = std::make_unsigned_t<T>;
    return x >> (static_cast<bits>(n) > static_cast<bits>(last) ? last : n);
  } else return shift_right(x, select((n & last) == n, n, last));
}
// NumPy's maximum and minimum: a NaN in either operand is the result, and of two zeros the first.
template <class V> SINTER_HD constexpr V maximum(V const& a, V const& b) {
  if constexpr (std::is_arithmetic_v<V>) return a >= b || a != a ? a : b;
  else return max(a, b);
}
template <class V> SINTER_HD constexpr V minimum(V const& a, V const& b) {
  if constexpr (std::is_arithmetic_v<V>) return a <= b || a != a ? a : b;
  else return min(a, b);
}
// x, or `bound` where x is less. A NaN in x stays, and of two zeros x is the result; a single instruction does this.
template <class V> SINTER_HD constexpr V at_least(V const& x, V const& bound) {
  if constexpr (std::is_arithmetic_v<V>) return x < bound ? bound : x;
  else return at_least(x, bound);  // the vector type's own, which is more specialised
}

}  // namespace sinter::element::inline SINTER_ISA
