// SPDX-License-Identifier: Apache-2.0
// What xsimd lacks or spells differently between 8.1 and 14, on its own batches: the only place that names instructions.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include <xsimd/xsimd.hpp>

#include "../../../core/config.hpp"

// Tests define SINTER_SIMD_PORTABLE to run the code for other processors on x86 (128-bit registers only).
#if defined(__x86_64__) && !defined(SINTER_SIMD_PORTABLE)
#include <immintrin.h>
#define SINTER_SIMD_X86 1
#else
#define SINTER_SIMD_X86 0
#endif
#if SINTER_SIMD_X86 && defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__)
#define SINTER_SIMD_BITS 512
#elif SINTER_SIMD_X86 && defined(__AVX__)
#define SINTER_SIMD_BITS 256
#elif SINTER_SIMD_X86
#define SINTER_SIMD_BITS 128
#else
#define SINTER_SIMD_BITS 0
#endif

// GCC 12 takes the deliberately undefined operand inside its own AVX-512 intrinsics for a mistake (GCC bug 105593).
#if defined(__GNUC__) && !defined(__clang__)
#define SINTER_SIMD_QUIET_BEGIN                                                        \
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wuninitialized\"") \
      _Pragma("GCC diagnostic ignored \"-Wmaybe-uninitialized\"")
#define SINTER_SIMD_QUIET_END _Pragma("GCC diagnostic pop")
#else
#define SINTER_SIMD_QUIET_BEGIN
#define SINTER_SIMD_QUIET_END
#endif

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {

// Elements in every vec<T>, whatever T.
inline constexpr int lanes = static_cast<int>(xsimd::batch<float>::size);

namespace native {

template <class T>
using batch = xsimd::batch<T>;
template <class T>
using batch_bool = xsimd::batch_bool<T>;
template <class T>
using reg = typename batch<T>::register_type;

#if SINTER_SIMD_BITS == 512
static_assert(sizeof(reg<float>) == 64, "sinter: xsimd wants all of -mavx512{f,cd,dq,bw}");
#elif SINTER_SIMD_BITS == 256
static_assert(sizeof(reg<float>) == 32);
#else
static_assert(sizeof(reg<float>) == 16);
#endif

// The compiler's own vector type: integer arithmetic, shuffles and folds need no instruction names.
template <class T, int N>
struct raw_of {
  typedef T type __attribute__((vector_size(sizeof(T) * static_cast<std::size_t>(N))));
};
template <class T, int N = static_cast<int>(batch<T>::size)>
using raw = typename raw_of<T, N>::type;

template <class T>
SINTER_INLINE raw<T> to_raw(batch<T> const& b) {
  return __builtin_bit_cast(raw<T>, static_cast<reg<T>>(b));
}
template <class T>
SINTER_INLINE batch<T> from_raw(raw<T> r) {
  return batch<T>(__builtin_bit_cast(reg<T>, r));
}
template <class To, class From>
SINTER_INLINE batch<To> bit_cast(batch<From> const& b) {
  return batch<To>(__builtin_bit_cast(reg<To>, static_cast<reg<From>>(b)));
}
template <class To, class From>
SINTER_INLINE batch_bool<To> mask_cast(batch_bool<From> const& m) {
  using from_reg = typename batch_bool<From>::register_type;
  using to_reg = typename batch_bool<To>::register_type;
  return batch_bool<To>(__builtin_bit_cast(to_reg, static_cast<from_reg>(m)));
}

// As bits of a real type: xsimd 8.1's choice of integers does not compile for AVX-512 without optimisation.
template <class T>
SINTER_INLINE batch<T> choose(batch_bool<T> const& m, batch<T> const& a, batch<T> const& b) {
  using real = std::conditional_t<sizeof(T) == 4, float, double>;
  return bit_cast<T>(xsimd::select(mask_cast<real>(m), bit_cast<real>(a), bit_cast<real>(b)));
}

template <class T>
SINTER_INLINE batch<T> kept(batch<T> const& b) {
  auto r = static_cast<reg<T>>(b);
  SINTER_KEEP_ROUNDED(r);
  return batch<T>(r);
}

// Rounded as IEEE 754 says; with floats xsimd 8 refines estimates on AArch64, which does not always round so.
template <class T>
SINTER_INLINE batch<T> divide(batch<T> const& a, batch<T> const& b) {
#if defined(__aarch64__)
  return from_raw<T>(to_raw(a) / to_raw(b));
#else
  return a / b;
#endif
}
template <class T>
SINTER_INLINE batch<T> sqrt(batch<T> const& a) {
#if defined(__aarch64__)
  if constexpr (sizeof(T) == 4) return batch<T>(vsqrtq_f32(a));
  else return batch<T>(vsqrtq_f64(a));
#else
  return xsimd::sqrt(a);
#endif
}

// One rounding where the processor fuses, two where it does not; never the compiler's choice.
SINTER_INLINE batch<float> fma(batch<float> const& a, batch<float> const& b, batch<float> const& c) {
#if SINTER_SIMD_BITS == 512
  return batch<float>(_mm512_fmadd_ps(a, b, c));
#elif SINTER_SIMD_BITS == 256 && defined(__FMA__)
  return batch<float>(_mm256_fmadd_ps(a, b, c));
#elif defined(__aarch64__)
  return xsimd::fma(a, b, c);
#else
  return kept(a * b) + c;
#endif
}
SINTER_INLINE batch<double> fma(batch<double> const& a, batch<double> const& b, batch<double> const& c) {
#if SINTER_SIMD_BITS == 512
  return batch<double>(_mm512_fmadd_pd(a, b, c));
#elif SINTER_SIMD_BITS == 256 && defined(__FMA__)
  return batch<double>(_mm256_fmadd_pd(a, b, c));
#elif defined(__aarch64__)
  return xsimd::fma(a, b, c);
#else
  return kept(a * b) + c;
#endif
}
template <class T>
SINTER_INLINE batch<T> fnma(batch<T> const& a, batch<T> const& b, batch<T> const& c) {
#if SINTER_SIMD_BITS == 512
  if constexpr (sizeof(T) == 4) return batch<T>(_mm512_fnmadd_ps(a, b, c));
  else return batch<T>(_mm512_fnmadd_pd(a, b, c));
#elif SINTER_SIMD_BITS == 256 && defined(__FMA__)
  if constexpr (sizeof(T) == 4) return batch<T>(_mm256_fnmadd_ps(a, b, c));
  else return batch<T>(_mm256_fnmadd_pd(a, b, c));
#elif defined(__aarch64__)
  return xsimd::fma(-a, b, c); // of fnma xsimd 8 makes a product and a sum
#else
  return c - kept(a * b);
#endif
}
#if SINTER_SIMD_BITS == 512 || (SINTER_SIMD_BITS == 256 && defined(__FMA__)) || defined(__aarch64__)
inline constexpr bool fused = true;
#else
inline constexpr bool fused = false;
#endif

// Twice as many integers as there are lanes, from 8 to 16 bits; and products of pairs of them, added up in 32 bits.
SINTER_INLINE raw<std::int16_t, 2 * lanes> widen(raw<std::int8_t, 2 * lanes> v) {
#if SINTER_SIMD_BITS == 512
  return __builtin_bit_cast(raw<std::int16_t, 2 * lanes>, _mm512_cvtepi8_epi16(__builtin_bit_cast(__m256i, v)));
#elif SINTER_SIMD_BITS == 256 && defined(__AVX2__)
  return __builtin_bit_cast(raw<std::int16_t, 2 * lanes>, _mm256_cvtepi8_epi16(__builtin_bit_cast(__m128i, v)));
#else
  return __builtin_convertvector(v, raw<std::int16_t, 2 * lanes>);
#endif
}
SINTER_INLINE raw<std::int32_t> dot_pairs(raw<std::int16_t, 2 * lanes> a, raw<std::int16_t, 2 * lanes> b) {
#if SINTER_SIMD_BITS == 512
  return __builtin_bit_cast(raw<std::int32_t>, _mm512_madd_epi16(__builtin_bit_cast(__m512i, a), __builtin_bit_cast(__m512i, b)));
#elif SINTER_SIMD_BITS == 256 && defined(__AVX2__)
  return __builtin_bit_cast(raw<std::int32_t>, _mm256_madd_epi16(__builtin_bit_cast(__m256i, a), __builtin_bit_cast(__m256i, b)));
#elif SINTER_SIMD_BITS == 128
  return __builtin_bit_cast(raw<std::int32_t>, _mm_madd_epi16(__builtin_bit_cast(__m128i, a), __builtin_bit_cast(__m128i, b)));
#else
  auto const x = __builtin_bit_cast(raw<std::int32_t>, a), y = __builtin_bit_cast(raw<std::int32_t>, b);
  return (x << 16 >> 16) * (y << 16 >> 16) + (x >> 16) * (y >> 16);
#endif
}

// The immediates of roundps.
inline constexpr int to_nearest = 0x08, to_floor = 0x09, to_ceil = 0x0a, to_zero = 0x0b;

template <int Mode, class T>
SINTER_INLINE batch<T> round(batch<T> const& x) {
#if SINTER_SIMD_BITS == 512
  if constexpr (sizeof(T) == 4) return batch<T>(_mm512_roundscale_ps(x, Mode));
  else return batch<T>(_mm512_roundscale_pd(x, Mode));
#elif SINTER_SIMD_BITS == 256
  if constexpr (sizeof(T) == 4) return batch<T>(_mm256_round_ps(x, Mode));
  else return batch<T>(_mm256_round_pd(x, Mode));
#elif SINTER_SIMD_BITS == 128 && defined(__SSE4_1__)
  if constexpr (sizeof(T) == 4) return batch<T>(_mm_round_ps(x, Mode));
  else return batch<T>(_mm_round_pd(x, Mode));
#else
    // Adding 2^p rounds to an integer; the sign goes back last, for -0.
  using bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  auto const sign = to_raw(bit_cast<bits>(x)) & std::numeric_limits<bits>::min();
  auto const size = from_raw<T>(__builtin_bit_cast(raw<T>, to_raw(bit_cast<bits>(x)) & std::numeric_limits<bits>::max()));
  batch<T> const big(sizeof(T) == 4 ? T(8388608) : T(4503599627370496)), one(T(1)), none(T(0));
  auto near = (size + big) - big;
  if constexpr (Mode == to_zero) near = near - xsimd::select(near > size, one, none);
  near = from_raw<T>(__builtin_bit_cast(raw<T>, to_raw(bit_cast<bits>(near)) | sign));
  if constexpr (Mode == to_floor) near = near - xsimd::select(near > x, one, none);
  if constexpr (Mode == to_ceil) near = near + xsimd::select(near < x, one, none);
  near = from_raw<T>(__builtin_bit_cast(raw<T>, to_raw(bit_cast<bits>(near)) | sign));
  return xsimd::select(size < big, near, x);
#endif
}

// b where either is NaN or both are zero, as minps and maxps do.
template <class T>
SINTER_INLINE batch<T> min_or_second(batch<T> const& a, batch<T> const& b) {
#if SINTER_SIMD_BITS == 512
  if constexpr (sizeof(T) == 4) return batch<T>(_mm512_min_ps(a, b));
  else return batch<T>(_mm512_min_pd(a, b));
#elif SINTER_SIMD_BITS == 256
  if constexpr (sizeof(T) == 4) return batch<T>(_mm256_min_ps(a, b));
  else return batch<T>(_mm256_min_pd(a, b));
#elif SINTER_SIMD_BITS == 128
  if constexpr (sizeof(T) == 4) return batch<T>(_mm_min_ps(a, b));
  else return batch<T>(_mm_min_pd(a, b));
#else
  return xsimd::select(a < b, a, b);
#endif
}
template <class T>
SINTER_INLINE batch<T> max_or_second(batch<T> const& a, batch<T> const& b) {
#if SINTER_SIMD_BITS == 512
  if constexpr (sizeof(T) == 4) return batch<T>(_mm512_max_ps(a, b));
  else return batch<T>(_mm512_max_pd(a, b));
#elif SINTER_SIMD_BITS == 256
  if constexpr (sizeof(T) == 4) return batch<T>(_mm256_max_ps(a, b));
  else return batch<T>(_mm256_max_pd(a, b));
#elif SINTER_SIMD_BITS == 128
  if constexpr (sizeof(T) == 4) return batch<T>(_mm_max_ps(a, b));
  else return batch<T>(_mm_max_pd(a, b));
#else
  return xsimd::select(a > b, a, b);
#endif
}

// Of each two elements of two registers the first (First = 0) or the second.
template <int First, class T>
SINTER_INLINE batch<T> every_second(batch<T> const& a, batch<T> const& b) {
  return [&]<int... I>(std::integer_sequence<int, I...>) SINTER_INLINED {
    return from_raw<T>(__builtin_shufflevector(to_raw(a), to_raw(b), (2 * I + First)...));
  }(std::make_integer_sequence<int, static_cast<int>(batch<T>::size)>{});
}
// p[0], p[2], p[4], ...: as many as a register has, and nothing is read behind the last of them.
template <class T>
SINTER_INLINE batch<T> every_second(T const* p) {
  constexpr int n = static_cast<int>(batch<T>::size);
  auto const a = to_raw(batch<T>::load_unaligned(p)), b = to_raw(batch<T>::load_unaligned(p + n - 1));
  return [&]<int... I>(std::integer_sequence<int, I...>) SINTER_INLINED {
    return from_raw<T>(__builtin_shufflevector(a, b, (2 * I < n ? 2 * I : 2 * I + 1)...));
  }(std::make_integer_sequence<int, n>{});
}

}  // namespace native
}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
