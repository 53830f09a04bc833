// SPDX-License-Identifier: Apache-2.0
// Convolutions of a single channel with windows of 3 x 3 or 5 x 5, in steps of one or two: several lines of sums at once, so that each vector
// of the image is loaded once for all sums that need it. The image is read where it lies; around it are zeros.
#pragma once
#include "panels.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace kernels {

// Element (i, j) is data[i * pitch + j]; the first window shows line -top and column -left.
template <class T> struct image {
  T const* data = nullptr;
  index pitch = 0, lines = 0, columns = 0, top = 0, left = 0;
};

template <class T> class line_sums {
  using batch = xsimd::batch<T>;
  static constexpr index lanes = product_detail::tile_shape<T>::lanes;

 public:
  static constexpr index at_once = product_detail::registers == 32 ? 8 : 4, longest = 512, largest_window = 5;
  static constexpr index most_columns = 2 * longest + 64;  // of an image

  line_sums(index window, index step) : window_(window), step_(step) {}
  static bool knows(index window, index step) {
    return (step == 1 || step == 2) && (window == 3 || (window == 5 && product_detail::registers == 32));
  }
  // Lines [i, i + at_once) of sums, or half as many, each of `width` sums that lie one behind the other, with a vector's room behind the last.
  // Row: the window's factors. Each sum is added in the order of its factors.
  void some(image<T> const& x, bool all, T const* row, index i, index width, T* to) const {
    constexpr index half = at_once / 2;
    if (step_ == 2) all ? with_window<2, at_once>(x, row, i, width, to) : with_window<2, half>(x, row, i, width, to);
    else all ? with_window<1, at_once>(x, row, i, width, to) : with_window<1, half>(x, row, i, width, to);
  }

 private:
  index window_, step_;
  // A line above or below the image.
  alignas(64) static constexpr T zeros[static_cast<std::size_t>(most_columns)]{};

  template <index Step, index Lines> void with_window(image<T> const& x, T const* row, index i, index width, T* to) const {
    if constexpr (product_detail::registers == 32)
      if (window_ == 5) return sums<5, Step, Lines>(x, row, i, width, to);
    sums<3, Step, Lines>(x, row, i, width, to);
  }
  template <index Window, index Step, index Lines> static void sums(image<T> const& x, T const* row, index i, index width, T* to) {
    constexpr index shown = (Lines - 1) * Step + Window;
    T const* line[static_cast<std::size_t>(shown)];
    for (index y = 0; y < shown; ++y) {
      index const at = i * Step - x.top + y;
      line[y] = at >= 0 && at < x.lines ? x.data + at * x.pitch : zeros;
    }
    // The last vector of a line writes on in the next line, whose first vector follows.
    for (index v = product_detail::round_up(width, lanes) - lanes; v >= 0; v -= lanes) {
      index const first = v * Step - x.left;
      if constexpr (some_lanes<T>::is_as_fast)
        vector<Window, Step, Lines>(border<Window, Step>(first, x.columns), line, first, row, width, to + v);
      else if (first >= 0 && first + Window - 1 + Step * lanes <= x.columns)
        vector<Window, Step, Lines>(inside{}, line, first, row, width, to + v);
      else vector<Window, Step, Lines>(border<Window, Step>(first, x.columns), line, first, row, width, to + v);
    }
  }

  // Loads of a vector and its neighbours: number N of them begins N elements, or, in steps of two, N % 2 vectors and N / 2 * 2 elements
  // further on.
  struct inside {
    template <index> SINTER_INLINE batch load(T const* p) const { return batch::load_unaligned(p); }
  };
  template <index N> using up_to = std::make_integer_sequence<index, N>;
  template <index Step> static constexpr index offset(index n) { return Step == 1 ? n : n % 2 * lanes + n / 2 * 2; }
  template <index Window, index Step> static constexpr index loads = Step == 1 ? Window : Window + 1;
  template <index Window, index Step> struct border {
    some_lanes<T> mask[static_cast<std::size_t>(loads<Window, Step>)];
    border(index first, index columns) : border(first, columns, up_to<loads<Window, Step>>{}) {}
    template <index... N>
    SINTER_INLINE border(index first, index columns, std::integer_sequence<index, N...>)
        : mask{in_line(first + offset<Step>(N), columns)...} {}
    SINTER_INLINE static some_lanes<T> in_line(index at, index columns) { return some_lanes<T>::clamped(-at, columns - at); }
    template <index N> SINTER_INLINE batch load(T const* p) const { return mask[N].load(p); }
  };
  // One function for many sums and none for each of them: a compiler of AVX-512 would spend longer on this file than on a network.
  template <index Window, index Step, index Lines, class Loads>
  SINTER_INLINE static void vector(Loads const& from, T const* const* line, index first, T const* row, index width, T* to) {
    vector<Window, Step, Lines>(from, line, first, row, width, to, up_to<Lines>{}, up_to<(Lines - 1) * Step + Window>{});
  }
  template <index Window, index Step, index Lines, class Loads, index... L, index... Y>
  SINTER_INLINE static void vector(Loads const& from, T const* const* line, index first, T const* row, index width, T* to,
                                   std::integer_sequence<index, L...>, std::integer_sequence<index, Y...>) {
    batch sum[] = {(static_cast<void>(L), batch(T(0)))...};
    (add_line<Window, Step, Lines, Y>(from, line[Y] + first, row, sum, up_to<loads<Window, Step>>{}, up_to<Window>{}), ...);
    (sum[L].store_unaligned(to + L * width), ...);
  }
  // Line Y of what is shown is a part of sums [first, last].
  template <index Window, index Step, index Lines, index Y, class Loads, index... N, index... C>
  SINTER_INLINE static void add_line(Loads const& from, T const* at, T const* row, batch* sum, std::integer_sequence<index, N...>,
                                     std::integer_sequence<index, C...>) {
    constexpr index first = Y < Window ? 0 : (Y - Window) / Step + 1, last = std::min(Lines - 1, Y / Step);
    batch const x[] = {from.template load<N>(at + offset<Step>(N))...};
    (add_column<Window, Step, C>(x, row + (Y - first * Step) * Window + C, sum + first, up_to<last - first + 1>{}), ...);
  }
  template <index Window, index Step, index C, index... L>
  SINTER_INLINE static void add_column(batch const* x, T const* factor, batch* sum, std::integer_sequence<index, L...>) {
    batch v = x[C];
    if constexpr (Step == 2) v = every_second<C % 2>(x[C / 2 * 2], x[C / 2 * 2 + 1]);
    SINTER_KEEP_ROUNDED(v.data);  // GCC would load it again for each sum
    ((sum[L] = product_detail::fused(batch(factor[-L * Step * Window]), v, sum[L])), ...);
  }
};

}  // namespace kernels
}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
