// SPDX-License-Identifier: Apache-2.0
// The first n elements only, or some in the middle: loads and stores that touch no other memory. Part of ../batch.hpp.
#pragma once

#include <algorithm>

#include "../batch.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {

// Elements 0 .. n-1 at p, 0 <= n <= lanes; the other lanes are zero.
template <Element T>
SINTER_INLINE vec<T> load_partial(T const* p, int n) {
#if SINTER_SIMD_BITS == 512
  auto const k = static_cast<unsigned>(static_cast<__mmask16>(native::first(n)));
  auto const lo = static_cast<__mmask8>(k & 255u), hi = static_cast<__mmask8>(k >> 8);
  if constexpr (std::is_same_v<T, float>) return {xsimd::batch<T>(_mm512_maskz_loadu_ps(static_cast<__mmask16>(k), p))};
  else if constexpr (std::is_same_v<T, std::int32_t>) {
    return {xsimd::batch<T>(_mm512_maskz_loadu_epi32(static_cast<__mmask16>(k), p))};
  } else if constexpr (std::is_same_v<T, double>) {
    return {xsimd::batch<T>(_mm512_maskz_loadu_pd(lo, p)), xsimd::batch<T>(_mm512_maskz_loadu_pd(hi, p + lanes / 2))};
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    return {xsimd::batch<T>(_mm512_maskz_loadu_epi64(lo, p)), xsimd::batch<T>(_mm512_maskz_loadu_epi64(hi, p + lanes / 2))};
  } else
#elif SINTER_SIMD_BITS == 256
  if constexpr (sizeof(T) == 4) {
    __m256i const m = _mm256_castps_si256(native::first(n));
    return detail::bit_cast<T>(vec<float>{xsimd::batch<float>(_mm256_maskload_ps(reinterpret_cast<float const*>(p), m))});
  } else if constexpr (sizeof(T) == 8) {
    auto const [lo, hi] = native::widen(native::first(n));
    auto const* q = reinterpret_cast<double const*>(p);
    return detail::bit_cast<T>(vec<double>{xsimd::batch<double>(_mm256_maskload_pd(q, _mm256_castpd_si256(lo))),
                                           xsimd::batch<double>(_mm256_maskload_pd(q + lanes / 2, _mm256_castpd_si256(hi)))});
  } else
#endif
  {
    T memory[static_cast<std::size_t>(lanes)] = {};
    for (int i = 0; i < n; ++i) memory[i] = p[i];
    return load(memory);
  }
}

// p[0], p[2], ...: n of them, 1 <= n <= lanes; nothing is read behind the last of them.
template <Real T>
SINTER_INLINE vec<T> every_second_of(T const* p, int n) {
  constexpr int size = static_cast<int>(lanes);
  int const all = 2 * n - 1;
  vec<T> const a = load_partial(p, std::min(all, size)), b = load_partial(p + size, std::max(all - size, 0));
  if constexpr (vec<T>::parts == 1) return {native::every_second<0>(a.lo, b.lo)};
  else return {native::every_second<0>(a.lo, a.hi), native::every_second<0>(b.lo, b.hi)};
}

// Lanes 0 .. n-1 to p, 0 <= n <= lanes.
template <Element T>
SINTER_INLINE void store_partial(T* p, vec<T> const& v, int n) {
#if SINTER_SIMD_BITS == 512
  auto const k = static_cast<unsigned>(static_cast<__mmask16>(native::first(n)));
  auto const lo = static_cast<__mmask8>(k & 255u), hi = static_cast<__mmask8>(k >> 8);
  if constexpr (std::is_same_v<T, float>) _mm512_mask_storeu_ps(p, static_cast<__mmask16>(k), v.lo);
  else if constexpr (std::is_same_v<T, std::int32_t>) _mm512_mask_storeu_epi32(p, static_cast<__mmask16>(k), v.lo);
  else if constexpr (std::is_same_v<T, double>) {
    _mm512_mask_storeu_pd(p, lo, v.lo);
    _mm512_mask_storeu_pd(p + lanes / 2, hi, v.hi);
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    _mm512_mask_storeu_epi64(p, lo, v.lo);
    _mm512_mask_storeu_epi64(p + lanes / 2, hi, v.hi);
  } else
#elif SINTER_SIMD_BITS == 256
  if constexpr (sizeof(T) == 4) {
    __m256i const m = _mm256_castps_si256(native::first(n));
    _mm256_maskstore_ps(reinterpret_cast<float*>(p), m, detail::bit_cast<float>(v).lo);
  } else if constexpr (sizeof(T) == 8) {
    auto const [lo, hi] = native::widen(native::first(n));
    auto* q = reinterpret_cast<double*>(p);
    auto const w = detail::bit_cast<double>(v);
    _mm256_maskstore_pd(q, _mm256_castpd_si256(lo), w.lo);
    _mm256_maskstore_pd(q + lanes / 2, _mm256_castpd_si256(hi), w.hi);
  } else
#endif
  {
    T memory[static_cast<std::size_t>(lanes)];
    store(memory, v);
    for (int i = 0; i < n; ++i) p[i] = memory[i];
  }
}

// Lane 0 to p. Who reads it next need not wait, as for what was written under a mask, until it is in the cache.
template <Element T>
SINTER_INLINE void store_first(T* p, vec<T> const& v) {
  if constexpr (sizeof(T) < 4) store_partial(p, v, 1);
  else *p = native::to_raw(v.lo)[0];
}

// Lanes low .. high-1 of one register of floats or doubles, 0 <= low, high <= lanes.
template <class T> class some_lanes {
 public:
  // Whether loading some lanes takes no longer than loading all of them.
  static constexpr bool is_as_fast = SINTER_SIMD_BITS == 512;

  some_lanes() = default;
  some_lanes(int low, int high) {
#if SINTER_SIMD_BITS == 512
    mask_ = ((1u << high) - 1u) & ~((1u << low) - 1u);
#elif SINTER_SIMD_BITS == 256
    for (int i = 0; i < size; ++i) mask_[i] = i >= low && i < high ? -1 : 0;
#else
    low_ = low;
    high_ = high;
#endif
  }
  // Low and high may lie beyond the lanes.
  SINTER_INLINE static some_lanes clamped(std::int64_t low, std::int64_t high) {
    return {static_cast<int>(std::clamp<std::int64_t>(low, 0, size)), static_cast<int>(std::clamp<std::int64_t>(high, 0, size))};
  }
  // The other lanes are zero.
  SINTER_INLINE xsimd::batch<T> load(T const* p) const {
#if SINTER_SIMD_BITS == 512
    if constexpr (sizeof(T) == 4) return xsimd::batch<T>(_mm512_maskz_loadu_ps(static_cast<__mmask16>(mask_), p));
    else return xsimd::batch<T>(_mm512_maskz_loadu_pd(static_cast<__mmask8>(mask_), p));
#elif SINTER_SIMD_BITS == 256
    auto const m = _mm256_load_si256(reinterpret_cast<__m256i const*>(mask_));
    if constexpr (sizeof(T) == 4) return xsimd::batch<T>(_mm256_maskload_ps(p, m));
    else return xsimd::batch<T>(_mm256_maskload_pd(p, m));
#else
    T memory[static_cast<std::size_t>(size)] = {};
    for (int i = low_; i < high_; ++i) memory[i] = p[i];
    return xsimd::batch<T>::load_unaligned(memory);
#endif
  }

 private:
  static constexpr int size = static_cast<int>(xsimd::batch<T>::size);
#if SINTER_SIMD_BITS == 512
  unsigned mask_ = 0;
#elif SINTER_SIMD_BITS == 256
  alignas(32) std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t> mask_[static_cast<std::size_t>(size)]{};
#else
  int low_ = 0, high_ = 0;
#endif
};

}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
