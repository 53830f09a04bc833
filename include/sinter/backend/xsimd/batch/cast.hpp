// SPDX-License-Identifier: Apache-2.0
// Conversions between element types, lane i to lane i, as static_cast does it. Part of ../batch.hpp.
#pragma once

#include "../batch.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {

namespace detail {

// Where no instruction exists: one element at a time.
template <Element To, Number From>
SINTER_INLINE vec<To> cast_each(vec<From> const& v) {
  From from[static_cast<std::size_t>(lanes)];
  To to[static_cast<std::size_t>(lanes)];
  store(from, v);
  for (int i = 0; i < lanes; ++i) to[i] = static_cast<To>(from[i]);
  return load(to);
}

}  // namespace detail

#define SINTER_SIMD_CAST(from, to) (std::is_same_v<From, from> && std::is_same_v<To, to>)

// Real to integer truncates toward zero (out of range is undefined, as in C++); int64 to int32 keeps the low bits; to bool
// is != 0.
template <Element To, Element From>
SINTER_INLINE vec<To> cast(vec<From> const& v) {
  using i32 [[maybe_unused]] = std::int32_t;
  using i64 [[maybe_unused]] = std::int64_t;
  if constexpr (std::is_same_v<To, From>) return v;
  else if constexpr (Stored<From>) return {native::computed<From>(v.lo)};
  else if constexpr (Stored<To> && std::is_same_v<From, double>) return detail::cast_each<To>(v);
  else if constexpr (Stored<To>) return {native::stored<To>(v.lo)};
  else if constexpr (std::is_same_v<From, bool>) return select(v, splat(To(1)), splat(To(0)));
  else if constexpr (std::is_same_v<To, bool>) return v != splat(From(0));
#if SINTER_SIMD_BITS == 512
  else if constexpr (SINTER_SIMD_CAST(float, i32)) return {xsimd::batch<To>(_mm512_cvttps_epi32(v.lo))};
  else if constexpr (SINTER_SIMD_CAST(i32, float)) return {xsimd::batch<To>(_mm512_cvtepi32_ps(v.lo))};
  else if constexpr (SINTER_SIMD_CAST(double, i64)) {
    return {xsimd::batch<To>(_mm512_cvttpd_epi64(v.lo)), xsimd::batch<To>(_mm512_cvttpd_epi64(v.hi))};
  } else if constexpr (SINTER_SIMD_CAST(i64, double)) {
    return {xsimd::batch<To>(_mm512_cvtepi64_pd(v.lo)), xsimd::batch<To>(_mm512_cvtepi64_pd(v.hi))};
  } else if constexpr (sizeof(From) == 4) {
    auto const all = __builtin_bit_cast(__m512i, static_cast<native::reg<From>>(v.lo));
    __m256i const lo = _mm512_castsi512_si256(all), hi = _mm512_extracti64x4_epi64(all, 1);
    __m256 const flo = _mm256_castsi256_ps(lo), fhi = _mm256_castsi256_ps(hi);
    if constexpr (SINTER_SIMD_CAST(float, double)) {
      return {xsimd::batch<To>(_mm512_cvtps_pd(flo)), xsimd::batch<To>(_mm512_cvtps_pd(fhi))};
    } else if constexpr (SINTER_SIMD_CAST(float, i64)) {
      return {xsimd::batch<To>(_mm512_cvttps_epi64(flo)), xsimd::batch<To>(_mm512_cvttps_epi64(fhi))};
    } else if constexpr (SINTER_SIMD_CAST(i32, double)) {
      return {xsimd::batch<To>(_mm512_cvtepi32_pd(lo)), xsimd::batch<To>(_mm512_cvtepi32_pd(hi))};
    } else {
      return {xsimd::batch<To>(_mm512_cvtepi32_epi64(lo)), xsimd::batch<To>(_mm512_cvtepi32_epi64(hi))};
    }
  } else {
    __m256i lo, hi;
    if constexpr (SINTER_SIMD_CAST(double, float)) {
      lo = _mm256_castps_si256(_mm512_cvtpd_ps(v.lo)), hi = _mm256_castps_si256(_mm512_cvtpd_ps(v.hi));
    } else if constexpr (SINTER_SIMD_CAST(i64, float)) {
      lo = _mm256_castps_si256(_mm512_cvtepi64_ps(v.lo)), hi = _mm256_castps_si256(_mm512_cvtepi64_ps(v.hi));
    } else if constexpr (SINTER_SIMD_CAST(double, i32)) {
      lo = _mm512_cvttpd_epi32(v.lo), hi = _mm512_cvttpd_epi32(v.hi);
    } else {
      lo = _mm512_cvtepi64_epi32(v.lo), hi = _mm512_cvtepi64_epi32(v.hi);
    }
    auto const all = _mm512_inserti64x4(_mm512_castsi256_si512(lo), hi, 1);
    return {xsimd::batch<To>(__builtin_bit_cast(native::reg<To>, all))};
  }
#elif SINTER_SIMD_BITS == 256
  else if constexpr (SINTER_SIMD_CAST(float, i32)) return {xsimd::batch<To>(_mm256_cvttps_epi32(v.lo))};
  else if constexpr (SINTER_SIMD_CAST(i32, float)) return {xsimd::batch<To>(_mm256_cvtepi32_ps(v.lo))};
  else if constexpr (SINTER_SIMD_CAST(float, double)) {
    return {xsimd::batch<To>(_mm256_cvtps_pd(_mm256_castps256_ps128(v.lo))),
            xsimd::batch<To>(_mm256_cvtps_pd(_mm256_extractf128_ps(v.lo, 1)))};
  } else if constexpr (SINTER_SIMD_CAST(i32, double)) {
    return {xsimd::batch<To>(_mm256_cvtepi32_pd(_mm256_castsi256_si128(v.lo))),
            xsimd::batch<To>(_mm256_cvtepi32_pd(_mm256_extractf128_si256(v.lo, 1)))};
  } else if constexpr (SINTER_SIMD_CAST(double, float)) {
    return {xsimd::batch<To>(_mm256_set_m128(_mm256_cvtpd_ps(v.hi), _mm256_cvtpd_ps(v.lo)))};
  } else if constexpr (SINTER_SIMD_CAST(double, i32)) {
    return {xsimd::batch<To>(_mm256_set_m128i(_mm256_cvttpd_epi32(v.hi), _mm256_cvttpd_epi32(v.lo)))};
  }
#elif SINTER_SIMD_BITS == 128
  else if constexpr (SINTER_SIMD_CAST(float, i32)) return {xsimd::batch<To>(_mm_cvttps_epi32(v.lo))};
  else if constexpr (SINTER_SIMD_CAST(i32, float)) return {xsimd::batch<To>(_mm_cvtepi32_ps(v.lo))};
  else if constexpr (SINTER_SIMD_CAST(float, double)) {
    return {xsimd::batch<To>(_mm_cvtps_pd(v.lo)), xsimd::batch<To>(_mm_cvtps_pd(_mm_movehl_ps(v.lo, v.lo)))};
  } else if constexpr (SINTER_SIMD_CAST(double, float)) {
    return {xsimd::batch<To>(_mm_movelh_ps(_mm_cvtpd_ps(v.lo), _mm_cvtpd_ps(v.hi)))};
  } else if constexpr (SINTER_SIMD_CAST(i32, double)) {
    return {xsimd::batch<To>(_mm_cvtepi32_pd(v.lo)), xsimd::batch<To>(_mm_cvtepi32_pd(_mm_shuffle_epi32(v.lo, 0xee)))};
  } else if constexpr (SINTER_SIMD_CAST(double, i32)) {
    return {xsimd::batch<To>(_mm_unpacklo_epi64(_mm_cvttpd_epi32(v.lo), _mm_cvttpd_epi32(v.hi)))};
  }
#else
  else if constexpr (sizeof(From) == sizeof(To)) {
    return detail::map<To>(
        [](auto const& b) SINTER_INLINED { return native::from_raw<To>(__builtin_convertvector(native::to_raw(b), native::raw<To>)); }, v);
  }
#endif
#if SINTER_SIMD_BITS != 512
  else return detail::cast_each<To>(v);
#endif
}

#undef SINTER_SIMD_CAST

}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
