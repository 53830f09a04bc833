// SPDX-License-Identifier: Apache-2.0
// A product with a map and many rows, as a convolution with many channels: tiles of some columns side by side, the pixels, times a panel of two
// vectors of rows, the channels. The weights are packed into panels; pixels are read where they lie, one by one, whatever the padding and the
// width of the image. The sums of a tile are turned over when they are done.
#pragma once
#include "panels.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace kernels {

template <class T> struct pixels {
  using batch = xsimd::batch<T>;
  using tile = product_detail::tile_shape<T>;
  static constexpr index lanes = tile::lanes, channels = tile::columns, most = product_detail::registers == 32 ? 14 : 6;

  // Where it has been measured to gain: with 32 registers of 64 bytes. A test has it everywhere.
#ifdef SINTER_SIMD_PIXELS
  static constexpr bool always = true, is_known = std::is_floating_point_v<T>;
#else
  static constexpr bool always = false, is_known = std::is_floating_point_v<T> && sizeof(batch) == 64;
#endif
  // Whether weights of so many channels are worth being prepared.
  static constexpr bool fills(index m) {
    return always || (is_known && m > lanes && 16 * product_detail::round_up(m, lanes) <= 17 * (m + 3));
  }
  // So many turns of the depth later a turn's pixels are read that are fetched now: offsets go on for as long behind the last turn.
  static constexpr index soon = 18;
  // Turn k of the depth reads pixels from x + offsets[k] on, those of the second line of a tile `second` elements further on.
  struct call {
    index k;
    T const* x;
    index second;
    std::int32_t const* offsets;
    T const* weights;
    T* sums;  // [pixels][channels]
    bool add;  // they hold those of earlier turns
    T const* ahead;  // what is wanted later, brought into the second-level cache meanwhile
    index ahead_step;  // for two turns
  };
  // Pixels side by side: of one line, or the halves of two.
  static void one_line(call const& c, index count) { kernel_of<1>(count, std::make_index_sequence<most>{})(c); }
  static void two_lines(call const& c, index each) { kernel_of<2>(each, std::make_index_sequence<most / 2>{})(c); }

  // Sums of pixels as rows of channels, `pitch` apart: in whole vectors, whatever stands behind the last pixel.
  static void turn_over(T const* sums, index count, T* to, index pitch) {
    for (index i = 0; i < count; i += lanes)
      for (index c = 0; c < channels; c += lanes)
        turn_square(sums + i * channels + c, to + c * pitch + i, pitch, std::make_index_sequence<static_cast<std::size_t>(lanes)>{});
  }

 private:
  // So often the vectors of both halves take turns as there are digits in their number: then rows are columns.
  template <std::size_t... I> static SINTER_INLINE void turn_square(T const* from, T* to, index pitch, std::index_sequence<I...>) {
    constexpr std::size_t half = sizeof...(I) / 2;
    batch v[] = {batch::load_aligned(from + static_cast<index>(I) * channels)...};
    for (std::size_t n = 1; n < sizeof...(I); n *= 2) {
      batch const next[] = {in_turns<static_cast<int>(I % 2)>(v[I / 2], v[I / 2 + half])...};
      ((v[I] = next[I]), ...);
    }
    (v[I].store_aligned(to + static_cast<index>(I) * pitch), ...);
  }

  template <index Lines, std::size_t... I> static auto kernel_of(index each, std::index_sequence<I...>) {
    static constexpr void (*all[])(call const&){&sum<Lines, static_cast<index>(I) + 1>...};
    return all[each - 1];
  }
  template <index Lines, index Each> static SINTER_NOINLINE void sum(call const& c) {
    run<Each>(c, std::make_index_sequence<static_cast<std::size_t>(Lines * Each)>{},
              std::make_index_sequence<static_cast<std::size_t>(Lines * Each * 2)>{});
  }
  template <index Each, std::size_t... I, std::size_t... A>
  static SINTER_INLINE void run(call const& c, std::index_sequence<I...>, std::index_sequence<A...>) {
    batch acc[] = {(static_cast<void>(A), batch(T(0)))...};
    T* const sums = c.sums;
    if (c.add) ((acc[A] = batch::load_aligned(sums + static_cast<index>(A) * lanes)), ...);
    T const *const x = c.x, *w = c.weights, *ahead = c.ahead;
    std::int32_t const* const offsets = c.offsets;
    index const all = c.k, second = c.second, ahead_step = c.ahead_step;
    auto const place = [&](index offset, std::size_t i) SINTER_INLINED {
      auto const at = static_cast<index>(i);
      return at < Each ? x + offset + at : x + offset + second + (at - Each);
    };
    auto const turn = [&](index k, T const* weights) SINTER_INLINED {
      index const offset = offsets[k];
      batch const y[] = {batch::load_unaligned(weights), batch::load_unaligned(weights + lanes)};
      (product_detail::tile_kernel<T, 1, 2>::row(acc + I * 2, place(offset, I), y, std::make_index_sequence<2>{}), ...);
    };
    // The first and the last pixel may lie in two cache lines, which neighbouring turns of the depth have in common: each fetches one of them.
    index k = 0;
    for (; k + 2 <= all; k += 2, w += 2 * channels, ahead += ahead_step) {
      __builtin_prefetch(ahead, 0, 2);
      __builtin_prefetch(place(offsets[k + soon], 0));
      turn(k, w);
      __builtin_prefetch(place(offsets[k + 1 + soon], sizeof...(I) - 1));
      turn(k + 1, w + channels);
    }
    if (k != all) turn(k, w);
    (acc[A].store_aligned(sums + static_cast<index>(A) * lanes), ...);
  }
};

}  // namespace kernels
}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
