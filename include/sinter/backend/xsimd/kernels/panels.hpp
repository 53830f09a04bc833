// SPDX-License-Identifier: Apache-2.0
// The columns of a product with a map as its tiles read them: gathered through the windows into panels, with zeros around what they show, so
// that what a convolution reads many times is laid out in the cache only.
#pragma once
#include "nest.hpp"
#include "product.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace kernels {

// Of a product with N operands in memory; its windows stand behind them. A batch is one product of a launch and has
//   z, from                          its loops, and where its operands and windows begin
//   moves(operand)                   whether the first operand is made of it
//   copy(strip, k, low, count, to)   writes elements [low, low + count) of a strip, which the windows show
//   is_linear()                      whether that works beyond the last column, too, as far as the windows show elements
//   reading(f)                       calls f(batch) where `copy` works
template <class T, int N> struct panels {
  static constexpr int all = kernel::mapped_loops<N>::size;
  static constexpr index width = product_detail::tile_shape<T>::columns;
  struct position {
    std::int64_t at[all]{};
  };
  // Columns side by side in the innermost of their loops.
  struct strip {
    index first, count;
    std::int64_t column;
    position from;
  };
  struct depth : position {
    std::int64_t turn[max_loop]{};
  };

  // Elements (k, j) to (k, j + columns) for some k.
  template <class Batch> static void gather(Batch const& b, index j, index columns, index k, index count, T* to) {
    for (index c = 0; c < columns && count > 0; c += width) panel(b, j + c, std::min(width, columns - c), k, count, to + c * count);
  }

 private:
  using nest = kernels::nest<N>;

  template <class Batch> static void panel(Batch const& b, index j, index columns, index k, index count, T* to) {
    nest const& z = b.z;
    strip strips[static_cast<std::size_t>(width)];
    int used = 0;
    std::int64_t const line = z.extent[z.depth - 1];
    for (index c = 0; c < columns; ++used) {
      strip& s = strips[used];
      s.first = c;
      s.column = j + c;
      s.count = std::min(columns - c, static_cast<index>(line - (j + c) % line));
      for (int o = 0; o < all; ++o)
        if (Batch::moves(o)) s.from.at[o] = b.from.at[o] + z.place(o, z.columns, z.depth, j + c);
      c += s.count;
    }
    depth at{};
    seek(z, k, at);
    for (index q = 0; q < count; ++q, to += width) {
      for (int s = 0; s < used; ++s) fill(b, strips[s], at, to);
      std::fill(to + columns, to + width, T(0));
      next(z, at);
    }
  }
  static void seek(nest const& z, std::int64_t k, depth& at) {
    for (int d = z.end - 1; d >= z.depth; --d) {
      at.turn[d] = k % z.extent[d];
      k /= z.extent[d];
      for (int o = 0; o < all; ++o) at.at[o] += at.turn[d] * z.stride(o, d);
    }
  }
  static void next(nest const& z, depth& at) {
    for (int d = z.end - 1; d >= z.depth; --d) {
      bool const more = ++at.turn[d] < z.extent[d];
      std::int64_t const by = more ? 1 : 1 - at.turn[d];
      for (int o = 0; o < all; ++o) at.at[o] += by * z.stride(o, d);
      if (more) return;
      at.turn[d] = 0;
    }
  }
  // A strip in one turn of the depth.
  template <class Batch> static void fill(Batch const& b, strip const& s, depth const& k, T* panel_row) {
    index low = 0, high = s.count;
    for (int w = 0; w < b.z.windows; ++w) {
      std::int64_t const place = s.from.at[N + w] + k.at[N + w], step = b.z.stride(N + w, b.z.depth - 1),
                         last = b.z.window_at[w].extent - 1 - place;
      if (step == 0) {
        if (place < 0 || last < 0) high = 0;
      } else {
        if (place < 0) low = std::max(low, static_cast<index>((step - 1 - place) / step));
        high = std::min(high, static_cast<index>(last < 0 ? 0 : last / step + 1));
      }
    }
    T* const to = panel_row + s.first;
    if (low >= high) {
      std::fill(to, to + s.count, T(0));
      return;
    }
    std::fill(to, to + low, T(0));
    b.copy(s, k, low, high - low, to + low);
    std::fill(to + high, to + s.count, T(0));
  }
};

// Of each two elements of two vectors the first (First = 0) or the second.
template <int First, class T> SINTER_INLINE xsimd::batch<T> every_second(xsimd::batch<T> const& a, xsimd::batch<T> const& b) {
  return [&]<int... I>(std::integer_sequence<int, I...>) SINTER_INLINED {
    return native::from_raw<T>(__builtin_shufflevector(native::to_raw(a), native::to_raw(b), (2 * I + First)...));
  }(std::make_integer_sequence<int, static_cast<int>(product_detail::tile_shape<T>::lanes)>{});
}
// Elements 0, 0 of both, then 1, 1, ...: of the first halves (Half = 0) or the second ones.
template <int Half, class T> SINTER_INLINE xsimd::batch<T> in_turns(xsimd::batch<T> const& a, xsimd::batch<T> const& b) {
  constexpr int lanes = static_cast<int>(product_detail::tile_shape<T>::lanes);
  return [&]<int... I>(std::integer_sequence<int, I...>) SINTER_INLINED {
    return native::from_raw<T>(__builtin_shufflevector(native::to_raw(a), native::to_raw(b), ((Half * lanes + I) / 2 + I % 2 * lanes)...));
  }(std::make_integer_sequence<int, lanes>{});
}
// Elements 0, 2, ... of `from`: so many to `to`.
template <class T> void copy_every_second(T const* from, index count, T* to) {
  using batch = xsimd::batch<T>;
  constexpr index lanes = product_detail::tile_shape<T>::lanes;
  if (count <= lanes) {  // behind the last of them nothing may be read
    int const all = static_cast<int>(2 * count - 1), n = static_cast<int>(lanes);
    batch const a = some_lanes<T>(0, std::min(all, n)).load(from), b = all > n ? some_lanes<T>(0, all - n).load(from + lanes) : batch(T(0));
    batch const v = every_second<0>(a, b);
    if constexpr (sizeof(T) == 8) store_partial(to, vec<T>{v, v}, static_cast<int>(count));
    else store_partial(to, vec<T>{v}, static_cast<int>(count));
    return;
  }
  for (index c = 0; c + lanes < count; c += lanes)
    every_second<0>(batch::load_unaligned(from + 2 * c), batch::load_unaligned(from + 2 * c + lanes)).store_unaligned(to + c);
  // The last of them end where the strip ends.
  T const* const last = from + 2 * (count - lanes) - 1;
  every_second<1>(batch::load_unaligned(last), batch::load_unaligned(last + lanes)).store_unaligned(to + (count - lanes));
}
// What lies in memory, `step` elements apart.
template <class T> void copy_strip(T const* from, std::int64_t step, index count, T* to) {
  if constexpr (std::is_floating_point_v<T>) {
    if (step == 1) {
      index c = 0;
      for (; c + simd::lanes <= count; c += simd::lanes) store(to + c, load(from + c));
      if (c < count) store_partial(to + c, load_partial(from + c, static_cast<int>(count - c)), static_cast<int>(count - c));
      return;
    }
    if (step == 2) return copy_every_second(from, count, to);
  }
  for (index c = 0; c < count; ++c) to[c] = from[c * step];
}

}  // namespace kernels
}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
