// SPDX-License-Identifier: Apache-2.0
// Winograd's forms of a convolution of 3 x 3 (Lavin and Gray, Fast Algorithms for Convolutional Neural Networks, CVPR 2016). The results are cut
// into tiles of `tile` x `tile`. What each reads, `side` x `side` elements, becomes its values at so many points; at each point the channels
// are summed by a product of matrices, outputs x inputs times inputs x tiles; and the sums at the points become the results of a tile.
#pragma once
#include "panels.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace kernels::winograd {

template <class T> SINTER_INLINE xsimd::batch<T> times(T a, xsimd::batch<T> const& x, xsimd::batch<T> const& plus) {
  return product_detail::fused(xsimd::batch<T>(a), x, plus);
}

// Each form has its transforms in one direction: load(i) gives vector i, store(i, v) takes it. `part` parts `tile` vectors, whose elements take
// turns in `tile`, by their turn; `join` is the way back, to memory.
struct f2x2 {
  static constexpr index tile = 2, side = tile + 2, points = side * side;

  template <class T, class Load, class Store> static SINTER_INLINE void of_image(Load const& load, Store const& store) {
    auto const d0 = load(0), d1 = load(1), d2 = load(2), d3 = load(3);
    store(0, d0 - d2);
    store(1, d1 + d2);
    store(2, d2 - d1);
    store(3, d1 - d3);
  }
  template <class T, class Load, class Store> static SINTER_INLINE void of_sums(Load const& load, Store const& store) {
    auto const m1 = load(1), m2 = load(2);
    store(0, (load(0) + m1) + m2);
    store(1, (m1 - m2) - load(3));
  }
  static void of_weights(double const* g, index step, double* to, index to_step) {
    double const outer = g[0] + g[2 * step];
    to[0] = g[0];
    to[to_step] = (outer + g[step]) / 2;
    to[2 * to_step] = (outer - g[step]) / 2;
    to[3 * to_step] = g[2 * step];
  }
  template <class T> static SINTER_INLINE void part(xsimd::batch<T> const* from, xsimd::batch<T>* to) {
    to[0] = every_second<0>(from[0], from[1]);
    to[1] = every_second<1>(from[0], from[1]);
  }
  template <class T> static SINTER_INLINE void join(xsimd::batch<T> const* from, T* to) {
    in_turns<0>(from[0], from[1]).store_unaligned(to);
    in_turns<1>(from[0], from[1]).store_unaligned(to + product_detail::tile_shape<T>::lanes);
  }
};

struct f4x4 {
  static constexpr index tile = 4, side = tile + 2, points = side * side;

  template <class T, class Load, class Store> static SINTER_INLINE void of_image(Load const& load, Store const& store) {
    auto const d0 = load(0), d1 = load(1), d2 = load(2), d3 = load(3), d4 = load(4), d5 = load(5);
    auto const even = times(T(-4), d2, d4), odd = times(T(-4), d1, d3), even2 = d4 - d2, odd2 = d3 - d1;
    store(0, times(T(4), d0, times(T(-5), d2, d4)));
    store(1, even + odd);
    store(2, even - odd);
    store(3, times(T(2), odd2, even2));
    store(4, times(T(-2), odd2, even2));
    store(5, times(T(4), d1, times(T(-5), d3, d5)));
  }
  template <class T, class Load, class Store> static SINTER_INLINE void of_sums(Load const& load, Store const& store) {
    auto const m1 = load(1), m2 = load(2), m3 = load(3), m4 = load(4);
    auto const a = m1 + m2, b = m1 - m2, c = m3 + m4, d = m3 - m4;
    store(0, (load(0) + a) + c);
    store(1, times(T(2), d, b));
    store(2, times(T(4), c, a));
    store(3, times(T(8), d, b) + load(5));
  }
  static void of_weights(double const* g, index step, double* to, index to_step) {
    double const outer = g[0] + g[2 * step], far = g[0] / 24 + g[2 * step] / 6;
    to[0] = g[0] / 4;
    to[to_step] = -(outer + g[step]) / 6;
    to[2 * to_step] = -(outer - g[step]) / 6;
    to[3 * to_step] = far + g[step] / 12;
    to[4 * to_step] = far - g[step] / 12;
    to[5 * to_step] = g[2 * step];
  }
  template <class T> static SINTER_INLINE void part(xsimd::batch<T> const* from, xsimd::batch<T>* to) {
    auto const a = every_second<0>(from[0], from[1]), b = every_second<0>(from[2], from[3]);
    auto const c = every_second<1>(from[0], from[1]), d = every_second<1>(from[2], from[3]);
    to[0] = every_second<0>(a, b);
    to[1] = every_second<0>(c, d);
    to[2] = every_second<1>(a, b);
    to[3] = every_second<1>(c, d);
  }
  template <class T> static SINTER_INLINE void join(xsimd::batch<T> const* from, T* to) {
    constexpr index lanes = product_detail::tile_shape<T>::lanes;
    auto const a = in_turns<0>(from[0], from[2]), b = in_turns<0>(from[1], from[3]);
    auto const c = in_turns<1>(from[0], from[2]), d = in_turns<1>(from[1], from[3]);
    in_turns<0>(a, b).store_unaligned(to);
    in_turns<1>(a, b).store_unaligned(to + lanes);
    in_turns<0>(c, d).store_unaligned(to + 2 * lanes);
    in_turns<1>(c, d).store_unaligned(to + 3 * lanes);
  }
};

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

}  // namespace kernels::winograd
}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
