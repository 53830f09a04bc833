// SPDX-License-Identifier: Apache-2.0
// Numbers of 8 and 16 bits, `lanes` of them as the compiler's own vector: between memory and the float32 or int32 that is computed.
#pragma once

#include "../../../core/float16.hpp"
#include "native.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace native {

template <class T>
using bits_of_stored = raw<std::conditional_t<is_float16<T>, std::uint16_t, T>, lanes>;

template <class T>
SINTER_INLINE bits_of_stored<T> load_stored(T const* p) {
  bits_of_stored<T> r;
  std::memcpy(&r, p, sizeof r);
  return r;
}
template <class T>
SINTER_INLINE bits_of_stored<T> splat_stored(T value) {
  if constexpr (is_float16<T>) return bits_of_stored<T>{} + value.bits;
  else return bits_of_stored<T>{} + value;
}

using words = raw<std::uint32_t, lanes>;
// Lane i of `a` where lane i of `mask` is all ones, else of `b`.
SINTER_INLINE words either(words mask, words a, words b) { return (mask & a) | (~mask & b); }
template <class M>
SINTER_INLINE words as_words(M m) {
  return __builtin_bit_cast(words, m);
}
SINTER_INLINE batch<float> floats(words w) { return from_raw<float>(__builtin_bit_cast(raw<float>, w)); }

template <class T>
SINTER_INLINE auto computed(bits_of_stored<T> v) {
  if constexpr (std::is_same_v<T, bfloat16>) return floats(__builtin_convertvector(v, words) << 16);
  else if constexpr (!std::is_same_v<T, float16>) return from_raw<std::int32_t>(__builtin_convertvector(v, raw<std::int32_t>));
#if SINTER_SIMD_BITS == 512
  else return batch<float>(_mm512_cvtph_ps(__builtin_bit_cast(__m256i, v)));
#elif SINTER_SIMD_BITS == 256 && defined(__F16C__)
  else return batch<float>(_mm256_cvtph_ps(__builtin_bit_cast(__m128i, v)));
#else
  else {
    words const w = __builtin_convertvector(v, words), sign = (w & 0x8000u) << 16, size = (w & 0x7fffu) << 13;
    // The exponent's bias, by a sum; infinity and NaN, whose exponent has no more bits; subnormal numbers, by a difference of floats.
    words const normal = size + (112u << 23), special = (size + (224u << 23)) | (as_words((size & 0x7fffffu) != 0) & 0x400000u);
    words const small = __builtin_bit_cast(words, to_raw(floats(size + (113u << 23)) - floats(words{} + (113u << 23))));
    words const rest = either(as_words(size < (1u << 23)), small, normal);
    return floats(sign | either(as_words(size >= (31u << 23)), special, rest));
  }
#endif
}

// To nearest, ties to even; integers keep their low bits.
template <class T>
SINTER_INLINE bits_of_stored<T> stored(batch<float> const& v) {
#if SINTER_SIMD_BITS == 512
  if constexpr (std::is_same_v<T, float16>)
    return __builtin_bit_cast(bits_of_stored<T>, _mm512_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
#elif SINTER_SIMD_BITS == 256 && defined(__F16C__)
  if constexpr (std::is_same_v<T, float16>) return __builtin_bit_cast(bits_of_stored<T>, _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT));
#endif
  words const w = __builtin_bit_cast(words, to_raw(v)), sign = w & 0x80000000u, size = w ^ sign, infinite = words{} + 0x7f800000u;
  if constexpr (std::is_same_v<T, bfloat16>) {
    words const rounded = (w + 0x7fffu + (w >> 16 & 1u)) >> 16, quiet = w >> 16 | 0x40u;
    return __builtin_convertvector(either(as_words(size > infinite), quiet, rounded), bits_of_stored<T>);
  } else {
    words const special = either(as_words(size > infinite), (size >> 13 & 0x3ffu) | 0x7e00u, words{} + 0x7c00u);
    // A sum with a float whose last bit is the smallest half's rounds as a half would be.
    words const magic = words{} + (126u << 23);
    words const small = __builtin_bit_cast(words, to_raw(floats(size) + floats(magic))) - magic;
    words const normal = (size + ((15u - 127u) << 23) + 0xfffu + (size >> 13 & 1u)) >> 13;
    words const rest = either(as_words(size < (113u << 23)), small, normal);
    return __builtin_convertvector(either(as_words(size >= (143u << 23)), special, rest) | sign >> 16, bits_of_stored<T>);
  }
}
template <class T>
SINTER_INLINE bits_of_stored<T> stored(batch<std::int32_t> const& v) {
  return __builtin_convertvector(to_raw(v), bits_of_stored<T>);
}

}  // namespace native
}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
