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

using native::every_second;
// Elements 0, 0 of both, then 1, 1, ...: of the first halves (Half = 0) or the second ones.
template <int Half, class T> SINTER_INLINE xsimd::batch<T> in_turns(xsimd::batch<T> const& a, xsimd::batch<T> const& b) {
  constexpr int lanes = static_cast<int>(product_detail::tile_shape<T>::lanes);
  return [&]<int... I>(std::integer_sequence<int, I...>) SINTER_INLINED {
    return native::from_raw<T>(__builtin_shufflevector(native::to_raw(a), native::to_raw(b), ((Half * lanes + I) / 2 + I % 2 * lanes)...));
  }(std::make_integer_sequence<int, lanes>{});
}
// What lies in memory, `step` elements apart.
template <class T> void copy_strip(T const* from, std::int64_t step, index count, T* to) {
  index c = 0;
  if constexpr (std::is_floating_point_v<T>) {
    if (step == 1)
      for (; c + simd::lanes <= count; c += simd::lanes) store(to + c, load(from + c));
    if (step == 2)
      for (; c + simd::lanes <= count; c += simd::lanes) store(to + c, gather(from + 2 * c, 2));
    if (c < count && (step == 1 || step == 2)) {
      int const rest = static_cast<int>(count - c);
      return store_partial(to + c, read<true>(from + c * step, step, rest), rest);
    }
  }
  for (; c < count; ++c) to[c] = from[c * step];
}

// Elements (i, k) to (i, k + count) of operand j, which begins at `at`. Turns of the outermost loop are often a page apart, as in the gradient of a
// convolution's input, so that some of them are fetched beforehand.
template <class T, int N> void copy_row(nest<N> const& z, int j, T const* at, index i, index k, index count, T* to) {
  if (count == 0) return;  // a loop may have no turns
  std::int64_t rest = k;
  at += z.place(j, z.rows, z.columns, i) + z.place(j, z.depth, z.end, rest);
  std::int64_t turn[max_loop]{}, extent[max_loop]{}, step[max_loop]{};
  int n = 0;  // loops, the innermost first
  for (int d = z.end - 1; d >= z.depth; --d) {
    if (d > z.depth && z.extent[d] == 1) continue;
    extent[n] = d > z.depth ? z.extent[d] : INT64_MAX;
    step[n] = z.stride(j, d);
    turn[n] = d > z.depth ? rest % z.extent[d] : rest;
    rest /= z.extent[d];
    ++n;
  }
  std::int64_t const ahead = 8 * step[n - 1], by = step[0];
  while (true) {
    auto const some = static_cast<index>(std::min<std::int64_t>(extent[0] - turn[0], count));
    for (index q = 0; q < some; ++q) to[q] = at[q * by];
    to += some;
    count -= some;
    if (count == 0) return;
    at += (some - 1) * by;
    turn[0] = extent[0];
    int d = 0;
    do {
      at -= (extent[d] - 1) * step[d];
      turn[d++] = 0;
    } while (++turn[d] == extent[d]);
    at += step[d];
    if (d == n - 1) __builtin_prefetch(at + ahead);
  }
}
// The operands of one product of a launch in memory: where they begin in `z`. `first` is nullptr where the first one is computed.
template <class T> struct operands_of {
  using panels = kernels::panels<T, 2>;
  nest<2> const& z;
  T const *first, *second;
  typename panels::position from;

  operands_of(nest<2> const& loops, T const* x, T const* y, std::int64_t i) : z(loops), first(x), second(y), from() {
    for (int j = 0; j < panels::all; ++j) from.at[j] = z.loops.start[j] + (z.rows > 0 ? z.place(j, 0, z.rows, i) : 0);
  }
  T const* first_at() const { return first ? first + from.at[0] : nullptr; }
  static constexpr bool moves(int operand) { return operand != 1; }
  void copy(typename panels::strip const& s, typename panels::depth const& k, index low, index count, T* to) const {
    std::int64_t const step = z.stride(0, z.depth - 1);
    copy_strip(first + (s.from.at[0] + k.at[0] + low * step), step, count, to);
  }
  template <class F> void reading(F read) const { read(*this); }
  static constexpr bool is_linear() { return true; }
  // The second operand, where it does not lie as rows: elements (i, k) to (i, k + count).
  void operator()(std::size_t i, std::size_t k, std::size_t count, T* to) const {
    copy_row(z, 1, second + from.at[1], static_cast<index>(i), static_cast<index>(k), static_cast<index>(count), to);
  }
  // What a schedule is given of them; what follows the product is the caller's.
  product_detail::task<T> task() const {
    product_detail::task<T> t{};
    t.a = {second + from.at[1], z.stride(1, z.rows), 1};
    t.source = this;
    t.fill = &product_detail::fill_computed<T, operands_of>;
    return t;
  }
};

}  // namespace kernels
}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
