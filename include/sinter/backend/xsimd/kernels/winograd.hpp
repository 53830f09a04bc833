// SPDX-License-Identifier: Apache-2.0
// Convolutions of 3 x 3 in Winograd's form F(4 x 4, 3 x 3) (Lavin and Gray, Fast Algorithms for Convolutional Neural Networks, CVPR 2016). The
// results are cut into tiles of 4 x 4. What each reads, 6 x 6 elements, becomes its values at 36 points; at each point the channels are summed
// by a product of matrices, outputs x inputs times inputs x tiles; and the sums at 36 points become 16 results.
#pragma once
#include "../../../plan/winograd.hpp"
#include "mapped.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace kernels {

template <class Kernel> struct in_winograds_form;
template <class Kernel> struct winograd_kernel {
  using type = Kernel;
};
template <class T, class Slots, class Steps>
  requires(std::is_floating_point_v<T>)
struct winograd_kernel<kernel::mapped_product<T, Slots, Steps>> {
  using type = in_winograds_form<kernel::mapped_product<T, Slots, Steps>>;
};

namespace winograd {
inline constexpr index points = 36, side = 6, tile = 4;

// ---- the transforms in one direction: load(i) gives vector i, store(i, v) takes it

template <class T> SINTER_INLINE xsimd::batch<T> times(T a, xsimd::batch<T> const& x, xsimd::batch<T> const& plus) {
  return product_detail::fused(xsimd::batch<T>(a), x, plus);
}
template <class T, class Load, class Store> SINTER_INLINE void of_image(Load const& load, Store const& store) {
  auto const d0 = load(0), d1 = load(1), d2 = load(2), d3 = load(3), d4 = load(4), d5 = load(5);
  auto const even = times(T(-4), d2, d4), odd = times(T(-4), d1, d3), even2 = d4 - d2, odd2 = d3 - d1;
  store(0, times(T(4), d0, times(T(-5), d2, d4)));
  store(1, even + odd);
  store(2, even - odd);
  store(3, times(T(2), odd2, even2));
  store(4, times(T(-2), odd2, even2));
  store(5, times(T(4), d1, times(T(-5), d3, d5)));
}
template <class T, class Load, class Store> SINTER_INLINE void of_sums(Load const& load, Store const& store) {
  auto const m1 = load(1), m2 = load(2), m3 = load(3), m4 = load(4);
  auto const a = m1 + m2, b = m1 - m2, c = m3 + m4, d = m3 - m4;
  store(0, (load(0) + a) + c);
  store(1, times(T(2), d, b));
  store(2, times(T(4), c, a));
  store(3, times(T(8), d, b) + load(5));
}
inline void of_weights(double const* g, index step, double* to, index to_step) {
  double const outer = g[0] + g[2 * step], far = g[0] / 24 + g[2 * step] / 6;
  to[0] = g[0] / 4;
  to[to_step] = -(outer + g[step]) / 6;
  to[2 * to_step] = -(outer - g[step]) / 6;
  to[3 * to_step] = far + g[step] / 12;
  to[4 * to_step] = far - g[step] / 12;
  to[5 * to_step] = g[2 * step];
}

// Of four vectors, whose elements take turns in four, those that stand at 0, 1, 2 and 3; and back.
template <class T> SINTER_INLINE void part_fours(xsimd::batch<T> const* from, xsimd::batch<T>* to) {
  auto const a = every_second<0>(from[0], from[1]), b = every_second<0>(from[2], from[3]);
  auto const c = every_second<1>(from[0], from[1]), d = every_second<1>(from[2], from[3]);
  to[0] = every_second<0>(a, b);
  to[1] = every_second<0>(c, d);
  to[2] = every_second<1>(a, b);
  to[3] = every_second<1>(c, d);
}
template <class T> SINTER_INLINE void join_fours(xsimd::batch<T> const* from, T* to) {
  constexpr index lanes = product_detail::tile_shape<T>::lanes;
  auto const a = in_turns<0>(from[0], from[2]), b = in_turns<0>(from[1], from[3]);
  auto const c = in_turns<1>(from[0], from[2]), d = in_turns<1>(from[1], from[3]);
  in_turns<0>(a, b).store_unaligned(to);
  in_turns<1>(a, b).store_unaligned(to + lanes);
  in_turns<0>(c, d).store_unaligned(to + 2 * lanes);
  in_turns<1>(c, d).store_unaligned(to + 3 * lanes);
}

// At one point: outputs x inputs times inputs x tiles. The weights are those of some outputs, then of some more.
template <class T> struct products {
  using batch = xsimd::batch<T>;
  static constexpr index lanes = product_detail::tile_shape<T>::lanes, most_rows = product_detail::tile_shape<T>::rows;

  // How many outputs at once, however many tiles a call has.
  static index next_rows(index left) { return product_detail::next_rows<T>(left, 2 * lanes); }
  static void run(index outputs, index inputs, index tiles, T const* weights, T const* images, T* sums, index pitch) {
    static constexpr auto table = []<std::size_t... I>(std::index_sequence<I...>) {
      return std::array<std::array<function, 2>, sizeof...(I)>{
          {{&tile<static_cast<index>(I) + 1, 1>, &tile<static_cast<index>(I) + 1, 2>}...}};
    }(std::make_index_sequence<static_cast<std::size_t>(most_rows)>{});
    for (index i = 0, rows = 0; i < outputs; i += rows) {
      rows = next_rows(outputs - i);
      for (index j = 0; j < tiles; j += 2 * lanes)
        table[static_cast<std::size_t>(rows - 1)][tiles - j > lanes](inputs, weights + i * inputs, images + j, sums + i * pitch + j, pitch);
    }
  }

 private:
  static constexpr index ahead = 4096 / static_cast<index>(sizeof(T));  // of the weights, which come from far and are read in their order
  using function = void (*)(index inputs, T const* w, T const* x, T* to, index pitch);
  template <index Rows, index Width> static SINTER_NOINLINE void tile(index inputs, T const* w, T const* x, T* to, index pitch) {
    [&]<std::size_t... I>(std::index_sequence<I...>) SINTER_INLINED {
      batch sum[] = {(static_cast<void>(I), batch(T(0)))...};
      for (; inputs > 0; --inputs, w += Rows, x += pitch) {
        __builtin_prefetch(w + ahead);
        product_detail::tile_kernel<T, Rows, Width>::step(sum, w, 1, x, 2 * lanes, std::make_index_sequence<Rows>{},
                                                          std::make_index_sequence<Width>{});
      }
      (sum[I].store_unaligned(to + static_cast<index>(I) / Width * pitch + static_cast<index>(I) % Width * lanes), ...);
    }(std::make_index_sequence<static_cast<std::size_t>(Rows * Width)>{});
  }
};

}  // namespace winograd

template <class T, class... Slot, class... Step> struct run<in_winograds_form<kernel::mapped_product<T, types<Slot...>, types<Step...>>>>
    : run<kernel::mapped_product<T, types<Slot...>, types<Step...>>> {
  using base = run<kernel::mapped_product<T, types<Slot...>, types<Step...>>>;
  using nest = typename base::nest;
  using batch = xsimd::batch<T>;
  static constexpr index lanes = product_detail::tile_shape<T>::lanes, points = winograd::points, side = winograd::side,
                         tile = winograd::tile;
  static constexpr int weights = -1 - base::second;

  static std::size_t packed_bytes(launch const& l) {
    auto const extent = [&](int i) { return l.extent[i]; };
    auto const moves = [&](int i) { return l.stride[weights * max_loop + i] != 0; };
    if (!no_winograd_because(*l.map, l.rank, extent, moves).empty()) return 0;
    nest const z(l, base::is_windowed.data());
    return static_cast<std::size_t>(points * z.m * (z.k / 9)) * sizeof(T);
  }
  // The weights at each point: so many outputs at once as a tile of the product has rows, and of these one input after the other.
  static void pack(launch const& l, pointer const* p, std::byte* memory) {
    nest const z(l, base::is_windowed.data());
    T const* const from = p[weights].template get<T>() + z.loops.start[weights];
    T* const to = reinterpret_cast<T*>(memory);
    std::int64_t const inputs = z.k / 9, down = z.stride(weights, z.end - 2), right = z.stride(weights, z.end - 1);
    for (std::int64_t i = 0, rows = 0; i < z.m; i += rows) {
      rows = winograd::products<T>::next_rows(static_cast<index>(z.m - i));
      for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < inputs; ++c) {
          T const* const g = from + z.place(weights, z.rows, z.columns, i + r) + z.place(weights, z.depth, z.end, 9 * c);
          double window[9], lines[3 * side], at[points];
          for (int q = 0; q < 9; ++q) window[q] = static_cast<double>(g[q / 3 * down + q % 3 * right]);
          for (index q = 0; q < 3; ++q) winograd::of_weights(window + q, 3, lines + q, 3);
          for (index q = 0; q < side; ++q) winograd::of_weights(lines + 3 * q, 1, at + side * q, 1);
          for (index q = 0; q < points; ++q) to[q * z.m * inputs + i * inputs + c * rows + r] = static_cast<T>(at[q]);
        }
    }
  }

  static void go(launch const& l, pointer const* p) {
    if (!l.packed) return base::go(l, p);
    nest const z(l, base::is_windowed.data());
    std::int64_t const images = turns(l, 0, z.rows);
    if (images == 0 || z.n == 0) return;
    call const c(z, p, images, reinterpret_cast<T const*>(l.packed));
    if (!c.is_worth_it()) {
      launch directly = l;  // which does not want the weights at points
      directly.packed = nullptr;
      return base::go(directly, p);
    }
    c.run();
  }

 private:
  // Some tiles side by side in one image, from tile (y, x) on; `first` is their place in the block.
  struct strip {
    std::int64_t image, y, x;
    index first, count;
  };
  class call {
   public:
    call(nest const& z, pointer const* p, std::int64_t images, T const* weights_at_points)
        : z_(z),
          p_(p),
          images_(images),
          weights_(weights_at_points),
          high_(z.extent[z.columns]),
          wide_(z.extent[z.columns + 1]),
          down_(product_detail::ceil_div(static_cast<index>(high_), tile)),
          across_(product_detail::ceil_div(static_cast<index>(wide_), tile)),
          inputs_(static_cast<index>(z.k / 9)),
          outputs_(static_cast<index>(z.m)) {
      // As many tiles at once as stay in the cache; but each block reads all weights, so what it keeps is not less than these, up to 128 tiles.
      index const most = std::min(std::max(in_cache / points, inputs_ * outputs_) / (inputs_ + outputs_) + 1, index{128});
      parts_ = product_detail::ceil_div(across_, most);
      longest_ = product_detail::ceil_div(across_, parts_);
      at_once_ = std::max(std::int64_t{1}, most / longest_);
    }
    // Fewer multiplications than the direct form, those in parts of vectors that hold no tile included, and enough of them for each weight, whose
    // 36 values come from farther away than 9.
    bool is_worth_it() const {
      std::int64_t const results = images_ * high_ * wide_, tiles = images_ * down_ * across_;
      return results >= 144 && 4 * points * product_detail::round_up(static_cast<index>(tiles), lanes) < 27 * results;
    }
    void run() const {
      std::int64_t const all = images_ * parts_ * down_;
      for (std::int64_t i = 0; i < all; i += at_once_) {
        strips s{strip_at(i), std::min(all - i, at_once_), 0};
        strip last = s.begin;
        for (std::int64_t k = 0; k < s.count; ++k, last = next(last)) s.tiles = last.first + last.count;
        block(s);
      }
    }

   private:
    static constexpr index bytes = static_cast<index>(sizeof(T)), in_cache = (1 << 20) / bytes;
    nest const& z_;
    pointer const* p_;
    std::int64_t images_;
    T const* weights_;
    std::int64_t high_, wide_, down_, across_, parts_, longest_, at_once_;
    index inputs_, outputs_;

    strip strip_at(std::int64_t i) const {
      std::int64_t const part = i / down_ % parts_;
      strip s{i / down_ / parts_, i % down_, part * longest_, 0, 0};
      s.count = static_cast<index>(std::min(longest_, across_ - s.x));
      return s;
    }
    // The one behind it: downwards first.
    strip next(strip s) const {
      s.first += s.count;
      if (++s.y < down_) return s;
      s.y = 0;
      s.x += s.count;
      if (s.x == across_) s.x = 0, ++s.image;
      s.count = static_cast<index>(std::min(longest_, across_ - s.x));
      return s;
    }
    // Some strips, the first of which begins their block; f(strip, batch of its image) for each.
    struct strips {
      strip begin;
      std::int64_t count;
      index tiles;
    };
    template <class F> void each(strips const& s, F const& f) const {
      strip at = s.begin;
      typename base::batch b = base::batch_at(z_, p_, at.image);
      for (std::int64_t i = 0; i < s.count; ++i) {
        f(at, std::as_const(b));
        std::int64_t const before = at.image;
        at = next(at);
        if (at.image != before && i + 1 < s.count) b.from = base::batch_at(z_, p_, at.image).from;
      }
    }
    void block(strips const& s) const {
      index const tiles = s.tiles, pitch = product_detail::round_up(tiles + lanes, lanes);
      index const of_inputs = apart(inputs_ * pitch), of_outputs = apart(outputs_ * pitch);
      T* const images =
          reinterpret_cast<T*>(scratch_of<scratch_use::planes>(sizeof(T) * static_cast<std::size_t>(points * (of_inputs + of_outputs))));
      T* const sums = images + points * of_inputs;
      double const seconds = 2e-11 / sizeof(float) * static_cast<double>(bytes * points * inputs_ * outputs_ * tiles);
      index const room = product_detail::round_up(static_cast<index>(longest_), lanes) + lanes, line = tile * (tiles + lanes);
      share_blocks(inputs_, seconds, memory_for(2 * side * tile * room), [&](index from, index to, std::byte* memory) {
        transform(s, pitch, of_inputs, room, from, to, images, reinterpret_cast<T*>(memory));
      });
      share_blocks(points, seconds, 0, [&](index from, index to, std::byte*) {
        for (index q = from; q < to; ++q)
          winograd::products<T>::run(outputs_, inputs_, tiles, weights_ + q * outputs_ * inputs_, images + q * of_inputs,
                                     sums + q * of_outputs, pitch);
      });
      share_blocks(outputs_, seconds, memory_for(tile * line), [&](index from, index to, std::byte* memory) {
        finish(s, tiles, pitch, of_outputs, line, sums, from, to, reinterpret_cast<T*>(memory));
      });
    }
    static std::size_t memory_for(index elements) { return static_cast<std::size_t>(product_detail::round_up(elements * bytes, 64)); }
    // How far the values of one point lie from those of the next: not by a power of two, or all points of a tile would share one set of the cache.
    static index apart(index elements) { return product_detail::round_up(elements, 1024 / bytes) + 64 / bytes; }

    // Channels [from, to) of a block at their points. A line of an image is kept as four, whose elements stand 4 apart: so those of neighbouring
    // tiles lie side by side. Strips that follow one another downwards share two lines. What stands behind the last tile of a strip means nothing.
    void transform(strips const& s, index pitch, index point, index room, index from, index to, T* at_points, T* memory) const {
      index const line = tile * room;
      T *const whole = memory, *const parted = whole + side * line;
      std::fill(whole, parted + side * line, T(0));
      for (index c = from; c < to; ++c) {
        typename base::panels::depth k{};
        for (int j = 0; j < base::n; ++j)
          if (base::batch::moves(j)) k.at[j] = z_.place(j, z_.depth, z_.end, 9 * c);
        T* const to_channel = at_points + c * pitch;
        bool first = true;
        each(s, [&](strip const& at, typename base::batch const& b) {
          std::int64_t const top = tile * at.y, known = at.y > 0 && !first ? side - tile : 0;
          copy_lines(b, k, at, known, line, whole);
          T const* lines[side];
          for (std::int64_t y = 0; y < side; ++y) {
            T* const to_line = parted + (top + y) % side * line;
            if (y >= known) part_line(whole + y * line, room, to_line);
            lines[y] = to_line;
          }
          for (index v = 0; v < at.count; v += lanes) of_image(lines, room, v, to_channel + at.first + v, point);
          first = false;
        });
      }
    }
    // The lines of a channel that a strip reads, from line `known` on, with the zeros around the image.
    void copy_lines(typename base::batch const& b, typename base::panels::depth const& channel, strip const& s, std::int64_t known,
                    index line, T* to) const {
      window const &down = z_.window_at[0], &across = z_.window_at[1];
      std::int64_t const top = tile * s.y, left = tile * s.x, count = tile * s.count + side - tile;
      auto const low = static_cast<index>(std::clamp<std::int64_t>(across.shift - left, 0, count)),
                 high = static_cast<index>(std::clamp<std::int64_t>(across.extent + across.shift - left, low, count));
      typename base::panels::strip from{0, 0, 0, b.from};
      auto const move = [&](std::int64_t lines, std::int64_t columns) {
        for (int j = 0; j < base::n; ++j)
          if (base::batch::moves(j)) from.from.at[j] += lines * z_.stride(j, z_.columns) + columns * z_.stride(j, z_.columns + 1);
      };
      auto const zeros = [&](T* at, std::int64_t n) {  // and as many as fill a vector
        for (std::int64_t v = 0; v < n; v += lanes) batch(T(0)).store_unaligned(at + v);
      };
      move(top + known, left);
      for (std::int64_t y = known; y < side; ++y, move(1, 0)) {
        T* const at = to + y * line;
        bool const shown = down.holds(top + y - down.shift) && low < high;
        zeros(at, shown ? low : count);
        if (!shown) continue;
        b.copy(from, channel, low, high - low, at + low);
        zeros(at + high, count - high);
      }
    }
    static void part_line(T const* from, index room, T* to) {
      for (index v = 0; v < room; v += lanes, from += tile * lanes) {
        batch const four[] = {batch::load_aligned(from), batch::load_aligned(from + lanes), batch::load_aligned(from + 2 * lanes),
                              batch::load_aligned(from + 3 * lanes)};
        batch apart[tile];
        winograd::part_fours(four, apart);
        for (index q = 0; q < tile; ++q) apart[q].store_aligned(to + q * room + v);
      }
    }
    static void of_image(T const* const* lines, index room, index v, T* to, index step) {
      batch down[points];
      for (index x = 0; x < side; ++x) {
        index const at = x % tile * room + v + x / tile;
        winograd::of_image<T>([&](int y) SINTER_INLINED { return batch::load_unaligned(lines[y] + at); },
                              [&](int y, batch const& d) SINTER_INLINED { down[y * side + x] = d; });
      }
      for (index y = 0; y < side; ++y, to += side * step)
        winograd::of_image<T>([&](int x) SINTER_INLINED { return down[y * side + x]; },
                              [&](int x, batch const& d) SINTER_INLINED { d.store_unaligned(to + x * step); });
    }
    // Results of outputs [from, to): four lines of each, in which the strips follow one another.
    void finish(strips const& s, index tiles, index pitch, index point, index line, T const* sums, index from, index to, T* lines) const {
      for (index i = from; i < to; ++i) {
        for (index v = 0; v < tiles; v += lanes) of_sums(sums + i * pitch + v, point, lines + tile * v, line);
        each(s, [&](strip const& at, typename base::batch const& b) {
          typename base::epilogue const after{&b};
          index const columns = static_cast<index>(std::min<std::int64_t>(tile * at.count, wide_ - tile * at.x));
          for (std::int64_t y = tile * at.y; y < std::min<std::int64_t>(high_, tile * (at.y + 1)); ++y)
            product_detail::finish<T, typename base::epilogue>(&after, lines + y % tile * line + tile * at.first, line, i, 1,
                                                               static_cast<index>(y * wide_ + tile * at.x), columns);
        });
      }
    }
    static void of_sums(T const* from, index step, T* to, index line) {
      batch down[tile * side];
      for (index x = 0; x < side; ++x, from += step)
        winograd::of_sums<T>([&](int y) SINTER_INLINED { return batch::load_unaligned(from + y * side * step); },
                             [&](int y, batch const& d) SINTER_INLINED { down[y * side + x] = d; });
      for (index y = 0; y < tile; ++y) {
        batch d[tile];
        winograd::of_sums<T>([&](int x) SINTER_INLINED { return down[y * side + x]; },
                             [&](int x, batch const& r) SINTER_INLINED { d[x] = r; });
        winograd::join_fours(d, to + y * line);
      }
    }
  };
};

}  // namespace kernels
}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
