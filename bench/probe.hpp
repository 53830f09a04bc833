// SPDX-License-Identifier: Apache-2.0
// What this core can do: reading, copying and floating-point operations, each in two ways that share no code, to check one by the other.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "harness.hpp"
#include "sinter/backend/xsimd/batch.hpp"

namespace bench {

using batch = xsimd::batch<float>;
inline constexpr std::size_t lanes = batch::size;

struct array {
  explicit array(std::size_t n) : size(n), data(static_cast<float*>(std::aligned_alloc(4096, (n * sizeof(float) / 4096 + 2) * 4096))) {
    for (std::size_t i = 0; i < n; ++i) data.get()[i] = static_cast<float>((i * 2654435761u) % 1009) / 504.5f - 1.0f;
  }
  struct release {
    void operator()(float* p) const { std::free(p); }
  };
  std::size_t size;
  std::unique_ptr<float, release> data;
  float* get() const { return data.get(); }
};

// Nothing is done with the value, and it may not be left out.
template <class V> SINTER_INLINE void keep(V& v) {
#if defined(__AVX512F__)
  __asm__ volatile("" : "+v"(v));
#elif defined(__x86_64__)
  __asm__ volatile("" : "+x"(v));
#else
  __asm__ volatile("" : "+w"(v));
#endif
}
template <std::size_t N, class F> SINTER_INLINE void times(F f) {
  [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) { (f(I), ...); }(std::make_index_sequence<N>{});
}

// By pointers that move: an index register in the address would cost a second micro-operation for each load that something is added to.
SINTER_NOINLINE inline void read(float const* p, std::size_t n) {
  for (float const* const end = p + n / (16 * lanes) * (16 * lanes); p != end; p += 16 * lanes)
    times<16>([&](std::size_t k) __attribute__((always_inline)) {
      auto v = batch::load_aligned(p + k * lanes).data;
      keep(v);
    });
}
// The second way: plain integers, four vectors at hand at a time. Adding them up would be slower: with AVX-512 there are as many loads as
// additions in a cycle, and one that comes late is never made up for.
SINTER_NOINLINE inline void read_again(float const* p, std::size_t n) {
  typedef std::uint32_t wide __attribute__((vector_size(lanes * 4), aligned(4), may_alias));
  for (std::size_t left = n / (16 * lanes); left != 0; --left, p += 16 * lanes)
    times<4>([&](std::size_t k) __attribute__((always_inline)) {
      wide const* const v = reinterpret_cast<wide const*>(p + 4 * k * lanes);
#if defined(__AVX512F__)
      __asm__ volatile("" ::"v"(v[0]), "v"(v[1]), "v"(v[2]), "v"(v[3]));
#elif defined(__x86_64__)
      __asm__ volatile("" ::"x"(v[0]), "x"(v[1]), "x"(v[2]), "x"(v[3]));
#else
      __asm__ volatile("" ::"w"(v[0]), "w"(v[1]), "w"(v[2]), "w"(v[3]));
#endif
    });
}

// The C library's, which may leave out to read what it overwrites.
inline void copy(float const* from, float* to, std::size_t n) { std::memcpy(to, from, n * sizeof(float)); }
// The second way: the processor's own instruction for it where it has one. Vectors read what they overwrite and take a fifth longer.
SINTER_NOINLINE inline void copy_again(float const* from, float* to, std::size_t n) {
#if defined(__x86_64__)
  std::size_t bytes = n * sizeof(float);
  __asm__ volatile("rep movsb" : "+S"(from), "+D"(to), "+c"(bytes)::"memory");
#else
  for (std::size_t i = 0; i + 8 * lanes <= n; i += 8 * lanes)
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      batch v[] = {batch::load_unaligned(from + i + I * lanes)...};
      (keep(v[I].data), ...);
      (v[I].store_unaligned(to + i + I * lanes), ...);
    }(std::make_index_sequence<8>{});
#endif
}

// Chains enough for two units of four cycles. One call is `fma_operations` of one vector each.
inline constexpr int fma_operations = 12 * 500;
SINTER_NOINLINE inline void fma() {
  [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
    batch chain[] = {(static_cast<void>(I), batch(0.5f))...};
    batch x(0.999f), y(0.001f);
    keep(x.data);
    keep(y.data);
    for (int r = 0; r < 500; ++r) ((chain[I] = sinter::simd::native::fma(chain[I], x, y), keep(chain[I].data)), ...);
  }(std::make_index_sequence<12>{});
}
// The second way: ten chains of the compiler's own vectors. Nothing comes from memory: with AVX-512, loads beside the operations bring the
// clock down by a sixth, and a row that has both is only compared fairly because its blocks take turns with those of the limit.
SINTER_NOINLINE inline void fma_again(float const* factors) {
  typedef float wide __attribute__((vector_size(lanes * 4)));
  [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
    wide chain[] = {(static_cast<void>(I), wide{} + factors[I])...};
    wide x = wide{} + 0.9f, y = wide{} + 0.1f;
    keep(x);
    keep(y);
    for (int r = 0; r < 600; ++r) ((chain[I] = x * chain[I] + y, keep(chain[I])), ...);
  }(std::make_index_sequence<10>{});
}

// ---- limits of a row

inline limit reading(float const* p, std::size_t n) {
  return {[=] { read(p, n); }};
}
inline limit copying(float const* from, float* to, std::size_t n) {
  return {[=] { copy(from, to, n); }};
}
// So many operations of one vector each, at the rate of the two floating-point ports.
inline limit ports(double vectors) {
  return {[] { fma(); }, vectors / fma_operations};
}
inline limit flops(double n) { return ports(n / 2 / static_cast<double>(lanes)); }

}  // namespace bench
