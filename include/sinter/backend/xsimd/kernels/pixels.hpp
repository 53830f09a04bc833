// SPDX-License-Identifier: Apache-2.0
// A product with a map and many rows, as a convolution with many channels: tiles of some columns side by side, the pixels, times a panel of one or
// two vectors of rows, the channels. The weights are packed into panels; pixels are read where they lie, one by one, whatever the padding and the
// width of the image. The sums of a tile are turned over when they are done.
#pragma once
#include "panels.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace kernels {

// Which tiles of pixels there are, and when they gain. A test has them everywhere.
template <class T> struct pixel_tiles {
#ifdef SINTER_SIMD_PIXELS
  static constexpr bool always = true;
#else
  static constexpr bool always = false;
#endif
  static constexpr index lanes = product_detail::tile_shape<T>::lanes;
  static constexpr bool are_known = std::is_floating_point_v<T> && (always || lanes * static_cast<index>(sizeof(T)) >= 32);
  // Vectors of a panel: one holds all channels of a small convolution where vectors are large.
  static constexpr bool one_is_known = are_known && (always || lanes * static_cast<index>(sizeof(T)) == 64);
  static constexpr index vectors(index m) { return one_is_known && m <= lanes ? 1 : 2; }
  // Whether weights of so many channels are worth being prepared.
  static constexpr bool fill(index m) {
    return always || (are_known && (one_is_known || m > lanes) && 16 * product_detail::round_up(m, lanes) <= 17 * (m + 3));
  }
  static constexpr index most = product_detail::registers == 32 ? 14 : 6;  // pixels of a tile
  // Cycles for one turn of the depth of m channels of n pixels in lines, as measured: one for each two vectors, not less than four for a tile,
  // whose sums would wait for themselves; and where tiles are large, two more for each.
  static constexpr index cycles(index m, index n, index line) {
    index const together = 2 * line <= most ? 2 * line : line, tiles = product_detail::ceil_div(together, most), of = vectors(m);
    index const sums = product_detail::ceil_div(of * product_detail::ceil_div(together, tiles), index{2});
    return product_detail::ceil_div(m, of * lanes) * product_detail::ceil_div(n, together) * tiles *
           (std::max(sums, index{4}) + (most > 6 ? 2 : 0));
  }
  // So many turns of the depth later a turn's pixels are read that are fetched now: offsets go on for as long behind the last turn.
  static constexpr index soon = 18;
  // Weights as a panel of so many vectors reads them: one turn of the depth after the other.
  static std::size_t packed_size(index m, index k) { return static_cast<std::size_t>(product_detail::round_up(m, vectors(m) * lanes) * k); }
};

template <class T, index Vectors> class pixels {
  using batch = xsimd::batch<T>;
  using task = product_detail::task<T>;
  static constexpr index lanes = product_detail::tile_shape<T>::lanes;

 public:
  static constexpr index channels = Vectors * lanes, most = pixel_tiles<T>::most, soon = pixel_tiles<T>::soon;  // of a tile

  // m channels of pixels in lines; turn k of the depth reads a pixel at x + its place + offsets[k]. The weights are as pack_panels writes them.
  pixels(index m, index depth, index line, index lines, T const* x, std::int32_t const* offsets, T const* weights)
      : m_(m),
        depth_(depth),
        line_(line),
        lines_(lines),
        lines_at_once_(std::max(at_once / line, index{1})),
        parts_(product_detail::ceil_div(line, at_once)),
        panels_(product_detail::ceil_div(m, channels)),
        x_(x),
        offsets_(offsets),
        weights_(weights) {}
  // Panels of channels in whole lines, or in a part of one.
  index blocks() const { return product_detail::ceil_div(lines_, lines_at_once_) * parts_ * panels_; }
  // One of them, in parts of the depth: so the weights of a part and those of the next one stay in the cache. `place`: where a column lies.
  template <class Place> void sum(index i, Place const& place, task const& t) const {
    constexpr index pitch = product_detail::round_up(at_once + most, lanes), deepest = 2048;
    alignas(64) T sums[static_cast<std::size_t>(pitch * channels)];
    alignas(64) T turned[static_cast<std::size_t>(pitch * channels)];
    index const panel = i % panels_, part = i / panels_ % parts_, line = i / panels_ / parts_ * lines_at_once_;
    block const b{line, std::min(line + lines_at_once_, lines_), line_ * part / parts_, line_ * (part + 1) / parts_};
    index const deep = product_detail::ceil_div(depth_, product_detail::ceil_div(depth_, deepest)),
                columns = (b.lines_end - b.line) * (b.end - b.begin);
    for (index k = 0; k < depth_; k += deep) {
      index const some = std::min(deep, depth_ - k), next_panel = (panel + 1) % panels_;
      T const *const here = weights_ + (panel * depth_ + k) * channels, *const next = k + some < depth_
                                                                                          ? here + some * channels
                                                                                          : weights_ + next_panel * depth_ * channels;
      index const first = panel * channels, rows = k + some == depth_ ? std::min(channels, m_ - first) : 0;
      tiles(b, place, {some, x_, 0, offsets_ + k, here, sums, k > 0, next, 0}, [&](index j, index count) {
        if (t.expect) t.expect(t.epilogue, first, rows, j, count);
      });
    }
    turn_over(sums, columns, turned, pitch);
    t.finish(t.epilogue, turned, pitch, panel * channels, std::min(channels, m_ - panel * channels), line_ * b.line + b.begin, columns);
  }

 private:
  static constexpr index at_once = 200;  // pixels of a block
  index m_, depth_, line_, lines_, lines_at_once_, parts_, panels_;
  T const* x_;
  std::int32_t const* offsets_;
  T const* weights_;

  struct block {
    index line, lines_end, begin, end;  // columns [begin, end) of each line
  };
  // A tile: turn k of the depth reads pixels from x + offsets[k] on, those of a second line `second` elements further on.
  struct call {
    index k;
    T const* x;
    index second;
    std::int32_t const* offsets;
    T const* weights;
    T* sums;  // [pixels][channels]
    bool add;  // they hold those of earlier turns
    T const* ahead;  // what is wanted later, brought into the cache meanwhile
    index ahead_step;  // for two turns
  };
  template <class Place, class Expect> void tiles(block const& b, Place const& place, call c, Expect const& expect) const {
    index const count = b.end - b.begin, parts = product_detail::ceil_div(count, most), lines = b.lines_end - b.line;
    bool const two = count == line_ && 2 * count <= most;
    c.ahead_step = product_detail::ceil_div(2 * channels, two ? product_detail::ceil_div(lines, index{2}) : lines * parts);
    auto const done = [&](index some) {
      c.sums += some * channels;
      c.ahead += c.k / 2 * c.ahead_step;
    };
    for (index line = b.line; line < b.lines_end; ++line) {
      index const column = line_ * line + b.begin, at = place(column);
      c.x = x_ + at;
      if (two && (line + 1 < b.lines_end || count < most / 2)) {
        bool const is_last = ++line == b.lines_end;  // there is nothing beside it, and no tile for it alone
        c.second = is_last ? 0 : place(line_ * line) - at;
        expect(column, is_last ? count : 2 * count);
        kernel_of<2, 1>(count, std::make_index_sequence<most / 2>{})(c);
        done(2 * count);
      } else
        for (index p = 0; p < parts; ++p) {
          index const from = count * p / parts, some = count * (p + 1) / parts - from;
          c.x = x_ + at + from;
          expect(column + from, some);
          kernel_of<1, most / 2>(some, std::make_index_sequence<most - most / 2 + 1>{})(c);
          done(some);
        }
    }
  }
  // Sums of pixels as rows of channels, `pitch` apart: in whole vectors, whatever stands behind the last pixel.
  static void turn_over(T const* sums, index count, T* to, index pitch) {
    for (index i = 0; i < count; i += lanes)
      for (index c = 0; c < channels; c += lanes)
        turn_square(sums + i * channels + c, to + c * pitch + i, pitch, std::make_index_sequence<static_cast<std::size_t>(lanes)>{});
  }
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

  // Of pixels side by side in one line, at least half a tile, or in two.
  template <index Lines, index Least, std::size_t... I> static auto kernel_of(index each, std::index_sequence<I...>) {
    static constexpr void (*all[])(call const&){&sum<Lines, static_cast<index>(I) + Least>...};
    return all[each - Least];
  }
  template <index Lines, index Each> static SINTER_NOINLINE void sum(call const& c) {
    run<Each>(c, std::make_index_sequence<static_cast<std::size_t>(Lines * Each)>{},
              std::make_index_sequence<static_cast<std::size_t>(Lines * Each * Vectors)>{});
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
      batch y[Vectors];
      for (index v = 0; v < Vectors; ++v) {
        y[v] = batch::load_unaligned(weights + v * lanes);
        SINTER_KEEP_ROUNDED(y[v].data);  // Clang would load those of the next turn meanwhile, for which there is no register
      }
      (product_detail::tile_kernel<T, 1, Vectors>::row(acc + I * Vectors, place(offset, I), y, std::make_index_sequence<Vectors>{}), ...);
    };
    // The first and the last pixel may lie in two cache lines, which neighbouring turns of the depth have in common: each fetches one of them.
    index k = 0;
    for (; k + 2 <= all; k += 2, w += 2 * channels, ahead += ahead_step) {
      __builtin_prefetch(ahead, 0, 3);
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
