// SPDX-License-Identifier: Apache-2.0
// Dot products of contiguous rows: reads weights[N][K] as they are, for products with few rows or few columns.
#pragma once

#include <sinter/backend/xsimd/product/pack.hpp>

#include <utility>

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace product_detail {

template <class T>
struct dot_call {
  index k; // at least one vector
  T const* x;
  index x_stride;
  T const* w;
  index w_stride;
  index w_rows; // in one group of kernel rows, those beyond repeat the last one
  index groups;
  T* out; // [X][groups * W]
  index out_stride;
};

template <class T>
struct lane_numbers {
  alignas(64) T value[static_cast<std::size_t>(tile_shape<T>::lanes)];

  constexpr lane_numbers() noexcept : value{} {
    for (index i = 0; i < tile_shape<T>::lanes; ++i) { value[i] = static_cast<T>(i); }
  }
};
template <class T>
inline constexpr lane_numbers<T> lane_number{};

template <class T>
struct lane_vector;
template <>
struct lane_vector<float> {
  using type = float __attribute__((vector_size(sizeof(xsimd::batch<float>))));
};
template <>
struct lane_vector<double> {
  using type = double __attribute__((vector_size(sizeof(xsimd::batch<double>))));
};

// Adds up the lanes of Count vectors at once: the upper half of the lanes to the lower, then of those, until one is left.
template <class T, index Count>
struct lane_sums {
  static constexpr index lanes = tile_shape<T>::lanes;
  using row = typename lane_vector<T>::type;

  // a and b hold segments of Width lanes; the result has a's segments, then b's, each folded in half.
  template <index Width, std::size_t... I>
  static SINTER_INLINE row fold(row const& a, row const& b, std::index_sequence<I...>) noexcept {
    constexpr auto from = [](std::size_t i) {
      return static_cast<int>(static_cast<index>(i) / (Width / 2) * Width + static_cast<index>(i) % (Width / 2));
    };
    return __builtin_shufflevector(a, b, from(I)...) + __builtin_shufflevector(a, b, (from(I) + static_cast<int>(Width / 2))...);
  }

  template <index Width, std::size_t... V>
  static SINTER_INLINE void halve(row const* v, T* out, std::index_sequence<V...>) noexcept {
    constexpr std::size_t held = sizeof...(V);
    if constexpr (Width == 1) {
      std::memcpy(out, v, std::min(sizeof(row) * held, sizeof(T) * static_cast<std::size_t>(Count)));
    } else {
      constexpr auto all = std::make_index_sequence<static_cast<std::size_t>(lanes)>{};
      if constexpr (held == 1) {
        row const next[] = {fold<Width>(v[0], v[0], all)};
        halve<Width / 2>(next, out, std::index_sequence<0>{});
      } else {
        pairs<Width>(v, out, std::make_index_sequence<held / 2>{});
      }
    }
  }

  template <index Width, std::size_t... V>
  static SINTER_INLINE void pairs(row const* v, T* out, std::index_sequence<V...> half) noexcept {
    row const next[] = {fold<Width>(v[2 * V], v[2 * V + 1], std::make_index_sequence<static_cast<std::size_t>(lanes)>{})...};
    halve<Width / 2>(next, out, half);
  }
};

// Lane l of an accumulator sums k = l, l + lanes, ... in ascending order; the last k % lanes elements are the upper lanes of the
// vector that ends at K. Then lane_sums.
template <class T, index X, index W>
struct dot_kernel {
  using batch = xsimd::batch<T>;
  static constexpr index lanes = tile_shape<T>::lanes;

  template <std::size_t... J>
  static SINTER_INLINE void step(batch* acc, batch const* x, batch w, std::index_sequence<J...>) noexcept {
    if constexpr (X > 1) {
      SINTER_KEEP_ROUNDED(w.data); // GCC would load it again for every x
    }
    ((acc[J * W] = fused(x[J], w, acc[J * W])), ...);
  }

  template <std::size_t... J, std::size_t... R, std::size_t... I>
  static SINTER_INLINE void run(dot_call<T> const& d, T const* w0, index const (&w_row)[W], T* out, std::index_sequence<J...> xs,
                                std::index_sequence<R...>, std::index_sequence<I...>) noexcept {
    batch acc[] = {(static_cast<void>(I), batch(T(0)))...};
    T const* const w[] = {w0 + w_row[R]...};
    T const* const x[] = {d.x + static_cast<index>(J) * d.x_stride...};
    index k = 0;
    for (; k + lanes <= d.k; k += lanes) {
      batch const v[] = {batch::load_unaligned(x[J] + k)...};
      (step(acc + R, v, batch::load_unaligned(w[R] + k), xs), ...);
    }
    if (k < d.k) {
      auto const wanted = batch::load_aligned(lane_number<T>.value) >= batch(static_cast<T>(lanes - (d.k - k)));
      batch const zero(T(0));
      index const last = d.k - lanes;
      batch const v[] = {xsimd::select(wanted, batch::load_unaligned(x[J] + last), zero)...};
      (step(acc + R, v, xsimd::select(wanted, batch::load_unaligned(w[R] + last), zero), xs), ...);
    }
    typename lane_sums<T, W>::row rows[X * W];
    (std::memcpy(&rows[I], &acc[I].data, sizeof(rows[I])), ...);
    (lane_sums<T, W>::template halve<lanes>(rows + J * W, out + static_cast<index>(J) * d.out_stride, std::make_index_sequence<W>{}), ...);
  }

  static SINTER_NOINLINE void call(dot_call<T> const& d) noexcept {
    index w_row[W];
    for (index r = 0; r < W; ++r) { w_row[r] = std::min(r, d.w_rows - 1) * d.w_stride; }
    for (index g = 0; g < d.groups; ++g) {
      run(d, d.w + g * W * d.w_stride, w_row, d.out + g * W, std::make_index_sequence<X>{}, std::make_index_sequence<W>{},
          std::make_index_sequence<X * W>{});
    }
  }
};

// The kernel for one to four rows of x and, for each, four sums: with 16 registers, there is room for three.
template <class T>
inline constexpr index dot_xs = registers == 32 ? 4 : 3;
template <class T>
inline void dot_four(dot_call<T> const& d, index xs) noexcept {
  if constexpr (dot_xs<T> == 4) {
    if (xs == 4) { return dot_kernel<T, 4, 4>::call(d); }
  }
  xs == 1 ? dot_kernel<T, 1, 4>::call(d) : xs == 2 ? dot_kernel<T, 2, 4>::call(d) : dot_kernel<T, 3, 4>::call(d);
}

// The rows of x that are multiplied at once: nearly equal shares.
template <class T>
[[nodiscard]] inline index xs_at_once(index xs) noexcept {
  return xs <= dot_xs<T> ? xs : ceil_div(xs, ceil_div(xs, dot_xs<T>));
}

// Whole groups of rows of w, whose sums are written where they belong: c[x * cx + w]. Returns how many rows of w they are.
template <class T>
SINTER_INLINE index dots_in_groups(dot_call<T>& d, index xs, index ws, T* c, index cx) noexcept {
  T const* const x = d.x;
  T const* const w = d.w;
  index const most = xs_at_once<T>(xs);
  index const width = xs == 1 ? 8 : 4;
  // Rows of w that stay in the first-level cache until all of x has seen them.
  index const near = xs == most ? ws : std::max(small_b<T> / d.k / 4 * 4, index{4});
  d.w_rows = width;
  d.out_stride = cx;
  index r = 0;
  while (r + width <= ws) {
    index const some = std::min(near, ws - r) / width * width;
    d.w = w + r * d.w_stride;
    d.groups = some / width;
    for (index i = 0; i < xs; i += most) {
      d.x = x + i * d.x_stride;
      d.out = c + i * cx + r;
      if (xs == 1) {
        dot_kernel<T, 1, 8>::call(d);
      } else {
        dot_four(d, std::min(most, xs - i));
      }
    }
    r += some;
  }
  d.x = x;
  d.w = w;
  return r;
}

// c[x * cx + w * cw] for `xs` rows of x and `ws` rows of w; every row of w comes from far once for all rows of x. The call is changed in
// place: a copy would be read in vectors before its parts, written one by one, have left the store buffer, and all would wait.
template <class T>
SINTER_NOINLINE void dots(dot_call<T>& d, index xs, index ws, T* c, index cx, index cw) noexcept {
  index r = cw == 1 ? dots_in_groups(d, xs, ws, c, cx) : 0;
  T const* const x = d.x;
  T const* const w = d.w;
  index const most = xs_at_once<T>(xs);
  alignas(64) T out[16];
  d.out = out;
  d.groups = 1;
  d.out_stride = 4;
  index const at_once = xs == 1 && ws - r > 4 ? 8 : 4;
  for (; r < ws; r += at_once) {
    d.w = w + r * d.w_stride;
    d.w_rows = std::min(ws - r, at_once);
    for (index i = 0; i < xs; i += most) {
      index const some = std::min(most, xs - i);
      d.x = x + i * d.x_stride;
      if (d.w_rows > 4) {
        dot_kernel<T, 1, 8>::call(d);
      } else {
        dot_four(d, some);
      }
      for (index p = 0; p < some; ++p) {
        T* const to = c + (i + p) * cx + r * cw;
        for (index s = 0; s < d.w_rows; ++s) { to[s * cw] = out[p * 4 + s]; }
      }
    }
  }
}

}  // namespace product_detail
}  // namespace SINTER_ISA
}  // namespace sinter::simd
