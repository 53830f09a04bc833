// SPDX-License-Identifier: Apache-2.0
// A product with a map that is a convolution of 3 x 3, in one of Winograd's forms (winograd_forms.hpp).
#pragma once
#include "../../../plan/winograd.hpp"
#include "mapped.hpp"
#include "winograd_forms.hpp"

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

template <class T, class... Slot, class... Step> struct run<in_winograds_form<kernel::mapped_product<T, types<Slot...>, types<Step...>>>>
    : run<kernel::mapped_product<T, types<Slot...>, types<Step...>>> {
  using base = run<kernel::mapped_product<T, types<Slot...>, types<Step...>>>;
  using nest = typename base::nest;
  using batch = xsimd::batch<T>;
  static constexpr index lanes = product_detail::tile_shape<T>::lanes;
  static constexpr int weights = -1 - base::second;

  static std::size_t packed_bytes(launch const& l) {
    std::size_t const bytes = in_form(tile_of(l), [&](auto form) {
      if constexpr (is_direct<decltype(form)>) return base::packed_bytes(l);
      else {
        nest const z(l, base::is_windowed.data());
        return static_cast<std::size_t>(form.points * z.m * (z.k / 9)) * sizeof(T);
      }
    });
    return bytes == 0 ? 0 : behind_tile + bytes;
  }
  // The size of tiles, and behind it the weights: a call does not know whether its number of images was known.
  static void pack(launch const& l, pointer const* p, std::byte* memory) {
    int const tile = tile_of(l);
    *reinterpret_cast<int*>(memory) = tile;
    in_form(tile, [&](auto form) {
      if constexpr (is_direct<decltype(form)>) base::pack(l, p, memory + behind_tile);
      else pack_points<decltype(form)>(nest(l, base::is_windowed.data()), p, reinterpret_cast<T*>(memory + behind_tile));
    });
  }
  static void go(launch const& l, pointer const* p) {
    if (!l.packed) return base::go(l, p);
    std::byte const* const packed = l.packed + behind_tile;
    in_form(*reinterpret_cast<int const*>(l.packed), [&](auto form) {
      if constexpr (is_direct<decltype(form)>) {
        launch directly = l;
        directly.packed = packed;
        base::go(directly, p);
      } else {
        nest const z(l, base::is_windowed.data());
        std::int64_t const images = turns(l, 0, z.rows);
        if (images > 0 && z.n > 0) call<decltype(form)>(z, p, images, reinterpret_cast<T const*>(packed)).run();
      }
    });
  }

 private:
  static constexpr std::size_t behind_tile = 64;
  struct direct {};
  template <class Form> static constexpr bool is_direct = std::is_same_v<Form, direct>;
  template <class F> static auto in_form(int tile, F const& f) {
    return tile == 2 ? f(winograd::f2x2{}) : tile == 4 ? f(winograd::f4x4{}) : f(direct{});
  }
  static int tile_of(launch const& l) {
    static_assert(kernel::any_extent < 1);
    return winograd_of(
               *l.map, l.rank, [&](int i) { return l.extent[i]; }, [&](int i) { return l.stride[weights * max_loop + i] != 0; })
        .tile;
  }
  // The weights at each point: so many outputs at once as a tile of the product has rows, and of these one input after the other.
  template <class Form> static void pack_points(nest const& z, pointer const* p, T* to) {
    constexpr index side = Form::side, points = Form::points;
    T const* const from = p[weights].template get<T>() + z.loops.start[weights];
    std::int64_t const inputs = z.k / 9, down = z.stride(weights, z.end - 2), right = z.stride(weights, z.end - 1);
    for (std::int64_t i = 0, rows = 0; i < z.m; i += rows) {
      rows = winograd::products<T>::next_rows(static_cast<index>(z.m - i));
      for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < inputs; ++c) {
          T const* const g = from + z.place(weights, z.rows, z.columns, i + r) + z.place(weights, z.depth, z.end, 9 * c);
          double window[9], lines[3 * side], at[points];
          for (int q = 0; q < 9; ++q) window[q] = static_cast<double>(g[q / 3 * down + q % 3 * right]);
          for (index q = 0; q < 3; ++q) Form::of_weights(window + q, 3, lines + q, 3);
          for (index q = 0; q < side; ++q) Form::of_weights(lines + 3 * q, 1, at + side * q, 1);
          for (index q = 0; q < points; ++q) to[q * z.m * inputs + i * inputs + c * rows + r] = static_cast<T>(at[q]);
        }
    }
  }

  // Some tiles side by side in one image, from tile (y, x) on; `first` is their place in the block.
  struct strip {
    std::int64_t image, y, x;
    index first, count;
  };
  template <class Form> class call {
    static constexpr index points = Form::points, side = Form::side, tile = Form::tile;

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
    static constexpr index bytes = static_cast<index>(sizeof(T)), in_cache = (1 << 20) / bytes, kept = 2 * side;  // lines
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
      share_blocks(inputs_, seconds, memory_for((1 + kept) * tile * room), [&](index from, index to, std::byte* memory) {
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

    // Channels [from, to) of a block at their points. A line of an image is kept in `tile` parts, whose elements stand so far apart: so those of
    // neighbouring tiles lie side by side. Strips that follow one another downwards share two lines. A strip is transformed when the lines of the next one
    // are there: vectors that lie across others can be read only some time behind the stores of these. What stands behind the last tile of a
    // strip means nothing.
    void transform(strips const& s, index pitch, index point, index room, index from, index to, T* at_points, T* memory) const {
      index const line = tile * room;
      T *const whole = memory, *const parted = whole + line;
      for (index c = from; c < to; ++c) {
        typename base::panels::depth const k = channel(c), k_next = channel(std::min(c + 1, to - 1));
        strip before{};
        index first = 0;  // of the lines of `before`
        auto const place = [&](index y) { return parted + (first + y) % kept * line; };
        auto const at_its_points = [&] {
          T const* lines[side];
          for (index y = 0; y < side; ++y) lines[y] = place(y);
          for (index v = 0; v < before.count; v += lanes) of_image(lines, room, v, at_points + c * pitch + before.first + v, point);
        };
        each(s, [&](strip const& at, typename base::batch const& b) {
          index const known = before.count > 0 && at.y > 0 ? side - tile : 0, next = before.count > 0 ? first + side - known : 0;
          for (index y = known; y < side; ++y) part_line(b, k, k_next, at, y, room, whole, parted + (next + y) % kept * line);
          if (before.count > 0) at_its_points();
          before = at;
          first = next;
        });
        at_its_points();
      }
    }
    typename base::panels::depth channel(index c) const {
      typename base::panels::depth k{};
      for (int j = 0; j < base::n; ++j)
        if (base::batch::moves(j)) k.at[j] = z_.place(j, z_.depth, z_.end, 9 * c);
      return k;
    }
    // Line y of a channel that a strip reads, with the zeros around the image, in parts. The same line of the next channel is fetched.
    void part_line(typename base::batch const& b, typename base::panels::depth const& channel, typename base::panels::depth const& next,
                   strip const& s, index y, index room, T* whole, T* to) const {
      window const &down = z_.window_at[0], &across = z_.window_at[1];
      std::int64_t const top = tile * s.y + y, left = tile * s.x, count = tile * s.count + side - tile;
      auto const low = static_cast<index>(std::clamp<std::int64_t>(across.shift - left, 0, count)),
                 high = static_cast<index>(std::clamp<std::int64_t>(across.extent + across.shift - left, low, count));
      if (!down.holds(top - down.shift) || low == high) {
        std::fill_n(to, tile * room, T(0));
        return;
      }
      typename base::panels::strip from{0, 0, 0, b.from};
      for (int j = 0; j < base::n; ++j)
        if (base::batch::moves(j)) from.from.at[j] += top * z_.stride(j, z_.columns) + left * z_.stride(j, z_.columns + 1);
      b.expect(from, next, low, high - low);
      if constexpr (base::first < 0) {
        constexpr int j = -1 - base::first;
        if (z_.stride(j, z_.columns + 1) == 1) {
          T const* const line = b.template memory<j>() + from.from.at[j] + channel.at[j];
          auto const some = [&](index at) SINTER_INLINED {
            if (low <= at && at + lanes <= high) return batch::load_unaligned(line + at);
            return some_lanes<T>::clamped(low - at, high - at).load(line + at);
          };
          return part_line(some, room, to);
        }
      }
      std::fill_n(whole, low, T(0));
      b.copy(from, channel, low, high - low, whole + low);
      std::fill(whole + high, whole + tile * room, T(0));
      part_line([&](index at) SINTER_INLINED { return batch::load_aligned(whole + at); }, room, to);
    }
    template <class Load> static void part_line(Load const& load, index room, T* to) {
      for (index v = 0; v < room; v += lanes) {
        batch whole[tile], apart[tile];
        for (index q = 0; q < tile; ++q) whole[q] = load(tile * v + q * lanes);
        Form::part(whole, apart);
        for (index q = 0; q < tile; ++q) apart[q].store_aligned(to + q * room + v);
      }
    }
    static void of_image(T const* const* lines, index room, index v, T* to, index step) {
      batch down[points];
      for (index x = 0; x < side; ++x) {
        index const at = x % tile * room + v + x / tile;
        Form::template of_image<T>([&](int y) SINTER_INLINED { return batch::load_unaligned(lines[y] + at); },
                                   [&](int y, batch const& d) SINTER_INLINED { down[y * side + x] = d; });
      }
      for (index y = 0; y < side; ++y, to += side * step)
        Form::template of_image<T>([&](int x) SINTER_INLINED { return down[y * side + x]; },
                                   [&](int x, batch const& d) SINTER_INLINED { d.store_unaligned(to + x * step); });
    }
    // Results of outputs [from, to): `tile` lines of each, in which the strips follow one another.
    void finish(strips const& s, index tiles, index pitch, index point, index line, T const* sums, index from, index to, T* lines) const {
      for (index i = from; i < to; ++i) {
        each(s, [&](strip const& at, typename base::batch const& b) {
          std::int64_t const first = tile * at.y * wide_, last = std::min<std::int64_t>(high_, tile * (at.y + 1)) * wide_;
          typename base::epilogue{&b}.expect(i, 1, static_cast<index>(first), static_cast<index>(last - first));
        });
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
        Form::template of_sums<T>([&](int y) SINTER_INLINED { return batch::load_unaligned(from + y * side * step); },
                                  [&](int y, batch const& d) SINTER_INLINED { down[y * side + x] = d; });
      for (index y = 0; y < tile; ++y) {
        batch d[tile];
        Form::template of_sums<T>([&](int x) SINTER_INLINED { return down[y * side + x]; },
                                  [&](int x, batch const& r) SINTER_INLINED { d[x] = r; });
        Form::join(d, to + y * line);
      }
    }
  };
};

}  // namespace kernels
}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
