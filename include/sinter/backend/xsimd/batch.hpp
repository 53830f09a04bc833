// SPDX-License-Identifier: Apache-2.0
// The one shim over xsimd 8.1 to 14: `lanes` elements of float, double, int32, int64 or bool, and what kernels do with them. Numbers of
// fewer bits (batch/stored.hpp) are loaded, stored and cast.
//
//   auto const x = simd::load(p);  simd::store(q, simd::select(x > simd::splat(0.0f), x, x * simd::splat(0.1f)));
//
// Every vec<T> has the same number of elements, so that one kernel may mix types: a 64-bit type takes two registers, a mask one.
// Each lane is computed as if alone, and no product is contracted into a sum: fused is only what says fma.
#pragma once

#if defined(__CUDACC__)
#error "sinter: xsimd cannot be read by nvcc; include the CUDA backend in .cu files instead"
#endif

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "../../core/dtype.hpp"
#include "batch/mask.hpp"
#include "batch/native.hpp"
#include "batch/stored.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {

template <class T>
concept Number =
    std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t>;
template <class T>
concept Stored = is_narrow(dtype_of<T>);
template <class T>
concept Element = Number<T> || Stored<T> || std::is_same_v<T, bool>;
template <class T>
concept Real = std::is_same_v<T, float> || std::is_same_v<T, double>;
template <class T>
concept Integer = Number<T> && !Real<T>;

// Named members, not an array: GCC 12 keeps these in registers without having to unroll a loop first.
template <class T>
struct vec {
  using element = T;
  static constexpr int parts = 1;
  xsimd::batch<T> lo;
};
template <class T>
  requires(sizeof(T) == 8)
struct vec<T> {
  using element = T;
  static constexpr int parts = 2;
  xsimd::batch<T> lo, hi;

  vec() = default;
  SINTER_INLINE vec(xsimd::batch<T> const& first, xsimd::batch<T> const& second) : lo(first), hi(second) {}
  SINTER_INLINE explicit vec(T v) : lo(v), hi(v) {}  // without it V(1) would be a 1 in half of the lanes
};
template <>
struct vec<bool> {
  using element = bool;
  static constexpr int parts = 1;
  xsimd::batch_bool<float> lo;
  SINTER_UNAVAILABLE(
      "an element function computes several elements at once: for `c ? a : b` and `if` write element::select(c, a, b), for && and || write "
      "& and |")
  explicit operator bool() const { return false; }
};

template <Stored T>
struct vec<T> {
  using element = T;
  static constexpr int parts = 1;
  native::bits_of_stored<T> lo;
};

template <class T>
using integer_of = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

namespace detail {

template <class R, class F, class... V>
SINTER_INLINE vec<R> map(F f, V const&... v) {
  if constexpr (vec<R>::parts == 1) return {f(v.lo...)};
  else return {f(v.lo...), f(v.hi...)};
}

// A comparison of 64-bit lanes gives two registers of mask.
template <class F, class T>
SINTER_INLINE vec<bool> test(F f, vec<T> const& a, vec<T> const& b) {
  if constexpr (vec<T>::parts == 1) return {native::mask_cast<float>(f(a.lo, b.lo))};
  else return {native::narrow(native::mask_cast<double>(f(a.lo, b.lo)), native::mask_cast<double>(f(a.hi, b.hi)))};
}

template <class U, class T>
SINTER_INLINE vec<U> bit_cast(vec<T> const& v) {
  return map<U>([](auto const& b) SINTER_INLINED { return native::bit_cast<U>(b); }, v);
}

// Two's complement without the undefined overflow of signed types.
template <class T, class F, class... V>
SINTER_INLINE xsimd::batch<T> as_unsigned(F f, V const&... v) {
  using unsigned_raw = native::raw<std::make_unsigned_t<T>, static_cast<int>(xsimd::batch<T>::size)>;
  return native::from_raw<T>(__builtin_bit_cast(native::raw<T>, f(__builtin_bit_cast(unsigned_raw, native::to_raw(v))...)));
}

}  // namespace detail

#define SINTER_SIMD_EACH(args, ...) [] args SINTER_INLINED { return __VA_ARGS__; }

// ---- constants and memory -------------------------------------------------------------------------------------------------

template <Element T>
SINTER_INLINE vec<T> splat(T value) {
  if constexpr (std::is_same_v<T, bool>) return {native::splat_mask(value)};
  else if constexpr (Stored<T>) return {native::splat_stored(value)};
  else if constexpr (vec<T>::parts == 1) return {xsimd::batch<T>(value)};
  else return {xsimd::batch<T>(value), xsimd::batch<T>(value)};
}

// `lanes` elements at p, which need not be aligned. A bool is a byte, 0 or 1.
template <Element T>
SINTER_INLINE vec<T> load(T const* p) {
  using batch = xsimd::batch<T>;
  if constexpr (std::is_same_v<T, bool>) return {native::load_mask(p)};
  else if constexpr (Stored<T>) return {native::load_stored(p)};
  else if constexpr (vec<T>::parts == 1) return {batch::load_unaligned(p)};
  else return {batch::load_unaligned(p), batch::load_unaligned(p + lanes / 2)};
}
template <Element T>
SINTER_INLINE void store(T* p, vec<T> const& v) {
  if constexpr (std::is_same_v<T, bool>) native::store_mask(p, v.lo);
  else if constexpr (Stored<T>) std::memcpy(static_cast<void*>(p), &v.lo, sizeof v.lo);
  else {
    v.lo.store_unaligned(p);
    if constexpr (vec<T>::parts == 2) v.hi.store_unaligned(p + lanes / 2);
  }
}

namespace detail {

// Lane i is f(i).
template <Element T, class F>
SINTER_INLINE vec<T> generate(F f) {
  return [f]<std::size_t... I>(std::index_sequence<I...>) SINTER_INLINED {
    if constexpr (std::is_same_v<T, bool> || Stored<T>) {
      T const memory[] = {f(static_cast<std::int64_t>(I))..., f(static_cast<std::int64_t>(I + sizeof...(I)))...};
      return load(memory);
    } else if constexpr (vec<T>::parts == 1) {
      return vec<T>{native::from_raw<T>(native::raw<T>{f(static_cast<std::int64_t>(I))...})};
    } else {
      return vec<T>{native::from_raw<T>(native::raw<T>{f(static_cast<std::int64_t>(I))...}),
                    native::from_raw<T>(native::raw<T>{f(static_cast<std::int64_t>(I + sizeof...(I)))...})};
    }
  }(std::make_index_sequence<static_cast<std::size_t>(std::is_same_v<T, bool> || Stored<T> ? lanes / 2 : lanes / vec<T>::parts)>{});
}

}  // namespace detail

// 0, 1, 2, ...
template <Number T>
SINTER_INLINE vec<T> iota() {
  return detail::generate<T>([](std::int64_t i) SINTER_INLINED { return static_cast<T>(i); });
}

// p[0], p[stride], p[2 * stride], ...; the stride counts elements and may be 0 or negative.
template <Element T>
SINTER_INLINE vec<T> gather(T const* p, std::int64_t stride) {
  if constexpr (Real<T>)
    if (stride == 2) {
      if constexpr (vec<T>::parts == 1) return {native::every_second(p)};
      else return {native::every_second(p), native::every_second(p + lanes)};
    }
  return detail::generate<T>([p, stride](std::int64_t i) SINTER_INLINED { return p[i * stride]; });
}
template <Element T>
SINTER_INLINE void scatter(T* p, std::int64_t stride, vec<T> const& v) {
  T memory[static_cast<std::size_t>(lanes)];
  store(memory, v);
  for (std::int64_t i = 0; i < lanes; ++i) p[i * stride] = memory[i];
}

// ---- masks ----------------------------------------------------------------------------------------------------------------

SINTER_INLINE vec<bool> operator&(vec<bool> const& a, vec<bool> const& b) {
  return {native::combine(SINTER_SIMD_EACH((auto x, auto y), x & y), a.lo, b.lo)};
}
SINTER_INLINE vec<bool> operator|(vec<bool> const& a, vec<bool> const& b) {
  return {native::combine(SINTER_SIMD_EACH((auto x, auto y), x | y), a.lo, b.lo)};
}
SINTER_INLINE vec<bool> operator^(vec<bool> const& a, vec<bool> const& b) {
  return {native::combine(SINTER_SIMD_EACH((auto x, auto y), x ^ y), a.lo, b.lo)};
}
SINTER_INLINE vec<bool> operator!(vec<bool> const& a) { return a ^ vec<bool>{native::splat_mask(true)}; }
SINTER_INLINE vec<bool> operator==(vec<bool> const& a, vec<bool> const& b) { return !(a ^ b); }
SINTER_INLINE vec<bool> operator!=(vec<bool> const& a, vec<bool> const& b) { return a ^ b; }

SINTER_INLINE bool any(vec<bool> const& m) { return native::to_bits(m.lo) != 0; }
SINTER_INLINE bool all(vec<bool> const& m) { return native::to_bits(m.lo) == (1u << static_cast<unsigned>(lanes)) - 1u; }

// Where m, a; elsewhere b.
template <Element T>
SINTER_INLINE vec<T> select(vec<bool> const& m, vec<T> const& a, vec<T> const& b) {
  if constexpr (std::is_same_v<T, bool>) return (m & a) | (!m & b);
  else if constexpr (vec<T>::parts == 1) return {native::choose(native::mask_cast<T>(m.lo), a.lo, b.lo)};
  else {
    auto const [lo, hi] = native::widen(m.lo);
    return {native::choose(native::mask_cast<T>(lo), a.lo, b.lo), native::choose(native::mask_cast<T>(hi), a.hi, b.hi)};
  }
}

// ---- arithmetic -----------------------------------------------------------------------------------------------------------

template <Number T>
SINTER_INLINE vec<T> operator+(vec<T> const& a, vec<T> const& b) {
  return detail::map<T>(SINTER_SIMD_EACH((auto const& x, auto const& y), x + y), a, b);
}
template <Number T>
SINTER_INLINE vec<T> operator-(vec<T> const& a, vec<T> const& b) {
  return detail::map<T>(SINTER_SIMD_EACH((auto const& x, auto const& y), x - y), a, b);
}
// Rounded, always: see SINTER_KEEP_ROUNDED.
template <Number T>
SINTER_INLINE vec<T> operator*(vec<T> const& a, vec<T> const& b) {
  if constexpr (Real<T>) return detail::map<T>(SINTER_SIMD_EACH((auto const& x, auto const& y), native::kept(x * y)), a, b);
  else {
    return detail::map<T>(
        SINTER_SIMD_EACH((auto const& x, auto const& y), detail::as_unsigned<T>(SINTER_SIMD_EACH((auto p, auto q), p * q), x, y)), a, b);
  }
}
// Integers truncate toward zero; dividing one by zero is undefined, as in C++.
template <Number T>
SINTER_INLINE vec<T> operator/(vec<T> const& a, vec<T> const& b) {
  if constexpr (Real<T>) return detail::map<T>(SINTER_SIMD_EACH((auto const& x, auto const& y), native::divide(x, y)), a, b);
  else {
    return detail::map<T>(SINTER_SIMD_EACH((auto const& x, auto const& y), native::from_raw<T>(native::to_raw(x) / native::to_raw(y))), a,
                          b);
  }
}
template <Number T>
SINTER_INLINE vec<T> operator-(vec<T> const& a) {
  if constexpr (Real<T>) {
    auto const sign = splat(std::numeric_limits<integer_of<T>>::min());
    return detail::bit_cast<T>(
        detail::map<integer_of<T>>(SINTER_SIMD_EACH((auto const& x, auto const& y), x ^ y), detail::bit_cast<integer_of<T>>(a), sign));
  } else {
    return splat(T(0)) - a;
  }
}
template <Number T>
SINTER_INLINE vec<T> abs(vec<T> const& a) {
  if constexpr (Real<T>) {
    auto const rest = splat(std::numeric_limits<integer_of<T>>::max());
    return detail::bit_cast<T>(
        detail::map<integer_of<T>>(SINTER_SIMD_EACH((auto const& x, auto const& y), x & y), detail::bit_cast<integer_of<T>>(a), rest));
  } else {
    return select(a < splat(T(0)), -a, a);
  }
}
// The size of a with the sign of b.
template <Real T>
SINTER_INLINE vec<T> copysign(vec<T> const& a, vec<T> const& b) {
  using bits = integer_of<T>;
  auto const rest = splat(std::numeric_limits<bits>::max()), sign = splat(std::numeric_limits<bits>::min());
  return detail::bit_cast<T>(
      detail::map<bits>(SINTER_SIMD_EACH((auto const& x, auto const& y, auto const& r, auto const& s), (x & r) | (y & s)),
                        detail::bit_cast<bits>(a), detail::bit_cast<bits>(b), rest, sign));
}
// a * b + c: one rounding where the processor has it, else two (native::fused says which).
template <Real T>
SINTER_INLINE vec<T> fma(vec<T> const& a, vec<T> const& b, vec<T> const& c) {
  return detail::map<T>(SINTER_SIMD_EACH((auto const& x, auto const& y, auto const& z), native::fma(x, y, z)), a, b, c);
}
// c - a * b, likewise.
template <Real T>
SINTER_INLINE vec<T> fnma(vec<T> const& a, vec<T> const& b, vec<T> const& c) {
  return detail::map<T>(SINTER_SIMD_EACH((auto const& x, auto const& y, auto const& z), native::fnma(x, y, z)), a, b, c);
}
template <Real T>
SINTER_INLINE vec<T> sqrt(vec<T> const& a) {
  return detail::map<T>(SINTER_SIMD_EACH((auto const& x), native::sqrt(x)), a);
}

#define SINTER_SIMD_ROUND(name, mode)                                                            \
  template <Real T>                                                                              \
  SINTER_INLINE vec<T> name(vec<T> const& a) {                                                   \
    return detail::map<T>(SINTER_SIMD_EACH((auto const& x), native::round<native::mode>(x)), a); \
  }
SINTER_SIMD_ROUND(floor, to_floor)
SINTER_SIMD_ROUND(ceil, to_ceil)
SINTER_SIMD_ROUND(trunc, to_zero)
SINTER_SIMD_ROUND(rint, to_nearest)
#undef SINTER_SIMD_ROUND

#define SINTER_SIMD_COMPARE(op, name)                                                                                        \
  template <Number T>                                                                                                        \
  SINTER_INLINE vec<bool> operator op(vec<T> const& a, vec<T> const& b) {                                                    \
    return detail::test(SINTER_SIMD_EACH((auto const& x, auto const& y), native::compare<native::order::name>(x, y)), a, b); \
  }
SINTER_SIMD_COMPARE(==, equal)
SINTER_SIMD_COMPARE(!=, unequal)
SINTER_SIMD_COMPARE(<, less)
SINTER_SIMD_COMPARE(<=, less_equal)
SINTER_SIMD_COMPARE(>, greater)
SINTER_SIMD_COMPARE(>=, greater_equal)
#undef SINTER_SIMD_COMPARE

// By a number of bits known in advance; to the right with copies of the sign.
template <int N, Integer T>
SINTER_INLINE vec<T> shift_left(vec<T> const& a) {
  return detail::map<T>(SINTER_SIMD_EACH((auto const& x), detail::as_unsigned<T>(SINTER_SIMD_EACH((auto p), p << N), x)), a);
}
template <int N, Integer T>
SINTER_INLINE vec<T> shift_right(vec<T> const& a) {
  return detail::map<T>(SINTER_SIMD_EACH((auto const& x), native::from_raw<T>(native::to_raw(x) >> N)), a);
}

// The bits of integers.
template <Integer T>
SINTER_INLINE vec<T> operator&(vec<T> const& a, vec<T> const& b) {
  return detail::map<T>(SINTER_SIMD_EACH((auto const& x, auto const& y), x & y), a, b);
}
template <Integer T>
SINTER_INLINE vec<T> operator|(vec<T> const& a, vec<T> const& b) {
  return detail::map<T>(SINTER_SIMD_EACH((auto const& x, auto const& y), x | y), a, b);
}
template <Integer T>
SINTER_INLINE vec<T> operator^(vec<T> const& a, vec<T> const& b) {
  return detail::map<T>(SINTER_SIMD_EACH((auto const& x, auto const& y), x ^ y), a, b);
}
// By as many bits as each lane of `n` says, from 0 to the last one of T.
template <Integer T>
SINTER_INLINE vec<T> shift_left(vec<T> const& a, vec<T> const& n) {
  return detail::map<T>(
      SINTER_SIMD_EACH((auto const& x, auto const& y), detail::as_unsigned<T>(SINTER_SIMD_EACH((auto p, auto q), p << q), x, y)), a, n);
}
template <Integer T>
SINTER_INLINE vec<T> shift_right(vec<T> const& a, vec<T> const& n) {
  return detail::map<T>(SINTER_SIMD_EACH((auto const& x, auto const& y), native::from_raw<T>(native::to_raw(x) >> native::to_raw(y))), a,
                        n);
}

// NumPy's minimum: a <= b or a is NaN ? a : b, so a NaN in either comes out, and of two zeros the first.
template <Number T>
SINTER_INLINE vec<T> min(vec<T> const& a, vec<T> const& b) {
  if constexpr (Real<T>) {
    auto const least = detail::map<T>(SINTER_SIMD_EACH((auto const& x, auto const& y), native::min_or_second(y, x)), a, b);
    return select(b != b, b, least);
  } else {
    return select(a <= b, a, b);
  }
}
// x, or `bound` where x is less; a NaN and, of two zeros, x stay.
template <Number T>
SINTER_INLINE vec<T> at_least(vec<T> const& x, vec<T> const& bound) {
  if constexpr (Real<T>) return detail::map<T>(SINTER_SIMD_EACH((auto const& a, auto const& b), native::max_or_second(a, b)), bound, x);
  else return select(x < bound, bound, x);
}
template <Number T>
SINTER_INLINE vec<T> max(vec<T> const& a, vec<T> const& b) {
  if constexpr (Real<T>) {
    auto const most = detail::map<T>(SINTER_SIMD_EACH((auto const& x, auto const& y), native::max_or_second(y, x)), a, b);
    return select(b != b, b, most);
  } else {
    return select(a >= b, a, b);
  }
}

}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END

#include "batch/cast.hpp"
#include "batch/each.hpp"
#include "batch/number.hpp"
#include "batch/partial.hpp"
#include "batch/reduce.hpp"
#include "batch/twin.hpp"
