// SPDX-License-Identifier: Apache-2.0
// Copies that bring operands into the order in which the kernels read them.
#pragma once

#include <sinter/backend/xsimd/product/shape.hpp>

#include <cstring>
#include <type_traits>
#include <utility>

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace product_detail {

// A square of 16-byte rows: the largest transposition that every instruction set does in registers.
template <class T>
struct square;

template <>
struct square<float> {
  using row = float __attribute__((vector_size(16)));
  static constexpr index side = 4;

  static SINTER_INLINE void transpose(row (&r)[4]) noexcept {
    row const a = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5);
    row const b = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7);
    row const c = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5);
    row const d = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    r[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    r[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
  }
};

template <>
struct square<double> {
  using row = double __attribute__((vector_size(16)));
  static constexpr index side = 2;

  static SINTER_INLINE void transpose(row (&r)[2]) noexcept {
    row const a = __builtin_shufflevector(r[0], r[1], 0, 2);
    r[1] = __builtin_shufflevector(r[0], r[1], 1, 3);
    r[0] = a;
  }
};

template <class T, std::size_t... S>
SINTER_INLINE void transpose_square(T const* from, index from_stride, T* to, index to_stride, std::index_sequence<S...>) noexcept {
  typename square<T>::row block[sizeof...(S)];
  (std::memcpy(&block[S], from + static_cast<index>(S) * from_stride, sizeof(block[S])), ...);
  square<T>::transpose(block);
  (std::memcpy(to + static_cast<index>(S) * to_stride, &block[S], sizeof(block[S])), ...);
}

// to[c * to_stride + r] = from[r * from_stride + c]. Blocks of one cache line of `from`: power-of-two strides put the rows of a
// panel into few cache sets.
template <class T>
SINTER_NOINLINE void transpose(T const* from, index from_stride, index rows, index columns, T* to, index to_stride) noexcept {
  using sq = square<T>;
  constexpr index line = 64 / static_cast<index>(sizeof(T));
  for (index c0 = 0; c0 < columns; c0 += line) {
    index const c1 = std::min(c0 + line, columns);
    index r = 0;
    for (; r + sq::side <= rows; r += sq::side) {
      index c = c0;
      for (; c + sq::side <= c1; c += sq::side) {
        transpose_square(from + r * from_stride + c, from_stride, to + c * to_stride + r, to_stride,
                         std::make_index_sequence<static_cast<std::size_t>(sq::side)>{});
      }
      for (; c < c1; ++c) {
        for (index s = 0; s < sq::side; ++s) { to[c * to_stride + r + s] = from[(r + s) * from_stride + c]; }
      }
    }
    for (; r < rows; ++r) {
      for (index c = c0; c < c1; ++c) { to[c * to_stride + r] = from[r * from_stride + c]; }
    }
  }
}

// One panel: to[k][columns of a tile], zeros behind the last column.
template <class T>
SINTER_NOINLINE void pack_panel(T const* b, index k_stride, index n_stride, index n, index k, T* to) noexcept {
  constexpr index width = tile_shape<T>::columns;
  if (k_stride == 1 && n_stride != 1) {
    transpose(b, n_stride, n, k, to, width);
  } else if (n_stride == 1 && n == width) {
    for (index p = 0; p < k; ++p) { std::memcpy(to + p * width, b + p * k_stride, sizeof(T) * static_cast<std::size_t>(width)); }
  } else {
    for (index p = 0; p < k; ++p) {
      for (index j = 0; j < n; ++j) { to[p * width + j] = b[p * k_stride + j * n_stride]; }
    }
  }
  for (index p = 0; n < width && p < k; ++p) { std::fill(to + p * width + n, to + (p + 1) * width, T(0)); }
}

template <class T>
void pack_panels(T const* b, index k_stride, index n_stride, index n, index k, T* to) noexcept {
  constexpr index width = tile_shape<T>::columns;
  for (index j = 0; j < n; j += width) { pack_panel(b + j * n_stride, k_stride, n_stride, std::min(width, n - j), k, to + j * k); }
}

} // namespace product_detail

// Elements of the packed form of B[K, N]: [ceil(N / w)][K][w] with w the width of a register tile, zeros behind column N.
template <class T>
[[nodiscard]] constexpr std::size_t packed_size(std::size_t n, std::size_t k) noexcept {
  constexpr auto width = static_cast<std::size_t>(product_detail::tile_shape<T>::columns);
  return std::is_floating_point_v<T> ? (n + width - 1) / width * width * k : 0;
}

// Writes packed_size<T>(n, k) elements to `to`, which is aligned to 64 bytes.
template <class T>
void pack(T const* b, std::ptrdiff_t k_stride, std::ptrdiff_t n_stride, std::size_t n, std::size_t k, T* to) noexcept {
  if constexpr (std::is_floating_point_v<T>) {
    product_detail::pack_panels(b, k_stride, n_stride, static_cast<index>(n), static_cast<index>(k), to);
  }
}

} // namespace SINTER_ISA
} // namespace sinter::simd
