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

SINTER_NOINLINE inline void read(float const* p, std::size_t n) {
  for (std::size_t i = 0; i + 8 * lanes <= n; i += 8 * lanes)
    times<8>([&](std::size_t k) __attribute__((always_inline)) {
      auto v = batch::load_aligned(p + i + k * lanes).data;
      keep(v);
    });
}
// The second way: adds up integers in eight sums.
SINTER_NOINLINE inline void read_again(float const* p, std::size_t n) {
  typedef std::uint32_t wide __attribute__((vector_size(lanes * 4)));
  typedef wide anywhere __attribute__((aligned(4), may_alias));
  [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
    wide sum[] = {(static_cast<void>(I), wide{})...};
    for (std::size_t i = 0; i + 8 * lanes <= n; i += 8 * lanes) ((sum[I] += *reinterpret_cast<anywhere const*>(p + i + I * lanes)), ...);
    (keep(sum[I]), ...);
  }(std::make_index_sequence<8>{});
}

// The C library's, which may leave out to read what it overwrites.
inline void copy(float const* from, float* to, std::size_t n) { std::memcpy(to, from, n * sizeof(float)); }
SINTER_NOINLINE inline void copy_again(float const* from, float* to, std::size_t n) {
  for (std::size_t i = 0; i + 8 * lanes <= n; i += 8 * lanes)
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      batch v[] = {batch::load_unaligned(from + i + I * lanes)...};
      (keep(v[I].data), ...);
      (v[I].store_unaligned(to + i + I * lanes), ...);
    }(std::make_index_sequence<8>{});
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
// The second way: ten chains that read one factor from memory.
SINTER_NOINLINE inline void fma_again(float const* factors) {
  [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
    batch chain[] = {(static_cast<void>(I), batch(0.25f))...};
    for (int r = 0; r < 600; ++r) {
      batch const x(factors[r % 16]);
      ((chain[I] = sinter::simd::native::fma(x, batch::load_aligned(factors + I * lanes), chain[I]), keep(chain[I].data)), ...);
    }
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
