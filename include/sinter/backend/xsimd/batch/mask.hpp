// SPDX-License-Identifier: Apache-2.0
// Masks: between 32-bit and 64-bit lanes, to and from bits, and as bytes in memory.
#pragma once

#include "native.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace native {

struct wide_mask {
  batch_bool<double> lo, hi;
};

SINTER_INLINE wide_mask widen(batch_bool<float> const& m) {
  using half = batch_bool<double>;
#if SINTER_SIMD_BITS == 512
  auto const k = static_cast<unsigned>(static_cast<__mmask16>(m));
  return {half(static_cast<__mmask8>(k & 255u)), half(static_cast<__mmask8>(k >> 8))};
#elif SINTER_SIMD_BITS == 256
  __m256 const v = m, even = _mm256_unpacklo_ps(v, v), odd = _mm256_unpackhi_ps(v, v);
  return {half(_mm256_castps_pd(_mm256_permute2f128_ps(even, odd, 0x20))), half(_mm256_castps_pd(_mm256_permute2f128_ps(even, odd, 0x31)))};
#else
  using mask_reg = typename half::register_type;
  auto const v = __builtin_bit_cast(raw<std::int32_t>, static_cast<typename batch_bool<float>::register_type>(m));
  return {half(__builtin_bit_cast(mask_reg, __builtin_shufflevector(v, v, 0, 0, 1, 1))),
          half(__builtin_bit_cast(mask_reg, __builtin_shufflevector(v, v, 2, 2, 3, 3)))};
#endif
}

SINTER_INLINE batch_bool<float> narrow(batch_bool<double> const& lo, batch_bool<double> const& hi) {
  using full = batch_bool<float>;
#if SINTER_SIMD_BITS == 512
  auto const k = static_cast<unsigned>(static_cast<__mmask8>(lo)) | static_cast<unsigned>(static_cast<__mmask8>(hi)) << 8;
  return full(static_cast<__mmask16>(k));
#elif SINTER_SIMD_BITS == 256
  __m256 const a = _mm256_castpd_ps(lo), b = _mm256_castpd_ps(hi);
  return full(_mm256_shuffle_ps(_mm256_permute2f128_ps(a, b, 0x20), _mm256_permute2f128_ps(a, b, 0x31), 0x88));
#else
  using mask_reg = typename batch_bool<double>::register_type;
  auto const a = __builtin_bit_cast(raw<std::int32_t>, static_cast<mask_reg>(lo));
  auto const b = __builtin_bit_cast(raw<std::int32_t>, static_cast<mask_reg>(hi));
  return full(__builtin_bit_cast(typename full::register_type, __builtin_shufflevector(a, b, 0, 2, 4, 6)));
#endif
}

#if SINTER_SIMD_BITS != 512
// The lanes of a mask as integers: -1 where set.
SINTER_INLINE raw<std::int32_t> mask_lanes(batch_bool<float> const& m) {
  return __builtin_bit_cast(raw<std::int32_t>, static_cast<typename batch_bool<float>::register_type>(m));
}
SINTER_INLINE batch_bool<float> lanes_mask(raw<std::int32_t> v) {
  return batch_bool<float>(__builtin_bit_cast(typename batch_bool<float>::register_type, v));
}
#endif

// Bit by bit: xsimd 8.1's operators on masks are not to be trusted with AVX-512.
template <class F>
SINTER_INLINE batch_bool<float> combine(F f, batch_bool<float> const& a, batch_bool<float> const& b) {
#if SINTER_SIMD_BITS == 512
  return batch_bool<float>(
      static_cast<__mmask16>(f(static_cast<unsigned>(static_cast<__mmask16>(a)), static_cast<unsigned>(static_cast<__mmask16>(b)))));
#else
  return lanes_mask(f(mask_lanes(a), mask_lanes(b)));
#endif
}

// Bit i is lane i.
SINTER_INLINE std::uint32_t to_bits(batch_bool<float> const& m) {
#if SINTER_SIMD_BITS == 512
  return static_cast<__mmask16>(m);
#elif SINTER_SIMD_BITS == 256
  return static_cast<std::uint32_t>(_mm256_movemask_ps(m));
#elif SINTER_SIMD_BITS == 128
  return static_cast<std::uint32_t>(_mm_movemask_ps(m));
#else
  auto const v = mask_lanes(m) & raw<std::int32_t>{1, 2, 4, 8};
  return static_cast<std::uint32_t>(v[0] | v[1] | v[2] | v[3]);
#endif
}

SINTER_INLINE batch_bool<float> load_mask(bool const* p) {
#if SINTER_SIMD_BITS == 512
  auto const bytes = _mm_loadu_si128(reinterpret_cast<__m128i const*>(p));
  auto const words = _mm512_cvtepu8_epi32(bytes);
  return batch_bool<float>(_mm512_test_epi32_mask(words, words));
#else
  typedef std::uint8_t some_bytes __attribute__((vector_size(lanes)));
  some_bytes bytes;
  std::memcpy(&bytes, p, sizeof bytes);
  return lanes_mask(__builtin_convertvector(bytes, raw<std::int32_t>) != 0);
#endif
}

SINTER_INLINE void store_mask(bool* p, batch_bool<float> const& m) {
#if SINTER_SIMD_BITS == 512
  auto const words = _mm512_maskz_set1_epi32(static_cast<__mmask16>(m), 1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm512_cvtepi32_epi8(words));
#else
  typedef std::uint8_t some_bytes __attribute__((vector_size(lanes)));
  some_bytes const bytes = __builtin_convertvector(mask_lanes(m) & 1, some_bytes);
  std::memcpy(static_cast<void*>(p), &bytes, sizeof bytes);
#endif
}

enum class order { equal, unequal, less, less_equal, greater, greater_equal };

// xsimd 8.1's != is false for NaN with AVX-512, hence our own. Unequal holds for NaN, all others do not.
template <order O, class T>
SINTER_INLINE batch_bool<T> compare(batch<T> const& a, batch<T> const& b) {
#if SINTER_SIMD_BITS == 512
  constexpr int reals[] = {_CMP_EQ_OQ, _CMP_NEQ_UQ, _CMP_LT_OS, _CMP_LE_OS, _CMP_GT_OS, _CMP_GE_OS};
  constexpr auto real = reals[static_cast<int>(O)];
  constexpr int integers[] = {0, 4, 1, 2, 6, 5};  // vpcmpd's predicates, an enumeration to one compiler only
  constexpr auto integer = integers[static_cast<int>(O)];
  if constexpr (std::is_same_v<T, float>) return batch_bool<T>(_mm512_cmp_ps_mask(a, b, real));
  else if constexpr (std::is_same_v<T, double>) return batch_bool<T>(_mm512_cmp_pd_mask(a, b, real));
  else if constexpr (sizeof(T) == 4) return batch_bool<T>(_mm512_cmp_epi32_mask(a, b, integer));
  else return batch_bool<T>(_mm512_cmp_epi64_mask(a, b, integer));
#else
  auto const x = to_raw(a), y = to_raw(b);
  auto const mask = [](auto m) SINTER_INLINED { return batch_bool<T>(__builtin_bit_cast(typename batch_bool<T>::register_type, m)); };
  if constexpr (O == order::equal) return mask(x == y);
  else if constexpr (O == order::unequal) return mask(x != y);
  else if constexpr (O == order::less) return mask(x < y);
  else if constexpr (O == order::less_equal) return mask(x <= y);
  else if constexpr (O == order::greater) return mask(x > y);
  else return mask(x >= y);
#endif
}

// The first n lanes set.
SINTER_INLINE batch_bool<float> first(int n) {
#if SINTER_SIMD_BITS == 512
  return batch_bool<float>(static_cast<__mmask16>((1u << static_cast<unsigned>(n)) - 1u));
#else
  return [n]<std::size_t... I>(std::index_sequence<I...>) SINTER_INLINED {
    return lanes_mask(raw<std::int32_t>{static_cast<std::int32_t>(I)...} < n);
  }(std::make_index_sequence<static_cast<std::size_t>(lanes)>{});
#endif
}

SINTER_INLINE batch_bool<float> splat_mask(bool value) {
#if SINTER_SIMD_BITS == 512
  return batch_bool<float>(static_cast<__mmask16>(value ? 0xffffu : 0u));
#else
  return lanes_mask(raw<std::int32_t>{} - static_cast<std::int32_t>(value));
#endif
}

}  // namespace native
}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
