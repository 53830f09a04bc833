// SPDX-License-Identifier: Apache-2.0
// The numbers of a product: operands, register tile, the choice of an algorithm and the scratch it needs.
#pragma once

#include <sinter/core/config.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <xsimd/xsimd.hpp>

namespace sinter::simd {
inline namespace SINTER_ISA {

using index = std::ptrdiff_t;

// A[i, k] is data[i * row_stride + k * k_stride].
template <class T>
struct a_operand {
  T const* data;
  index row_stride;
  index k_stride;
};

// B[k, j] is raw[k * k_stride + j * n_stride]. `packed`, when given, holds the same numbers as `pack` writes them; `raw` is
// needed all the same, because small products read it. `narrow` holds them in fewer bits (narrow.hpp), and `widen` writes elements
// [k, k + count) of columns [j, j + columns) as pack_panels does: then `raw` is not read.
template <class T>
struct b_operand {
  T const* raw;
  index k_stride;
  index n_stride;
  T const* packed = nullptr;
  void const* narrow = nullptr;
  void (*widen)(void const* narrow, index j, index columns, index k, index count, T* to) = nullptr;
};

enum class b_layout { rows, columns, general, narrow };

// `rows` is B[K][N], `columns` is weights[N][K]; a vector counts as columns.
template <class T>
[[nodiscard]] constexpr b_layout layout_of(b_operand<T> const& b, std::size_t n) noexcept {
  if (b.k_stride == 1 && (b.n_stride != 1 || n == 1)) { return b_layout::columns; }
  return b.n_stride == 1 ? b_layout::rows : b_layout::general;
}

namespace product_detail {

#if defined(__AVX512F__) || defined(__aarch64__)
inline constexpr index registers = 32;
#else
inline constexpr index registers = 16;
#endif

[[nodiscard]] constexpr index ceil_div(index a, index b) noexcept { return (a + b - 1) / b; }
[[nodiscard]] constexpr index round_up(index a, index b) noexcept { return ceil_div(a, b) * b; }

// Two vectors wide and as high as the registers allow: with AVX-512, 24 accumulators; with AVX2, 12.
template <class T>
struct tile_shape {
  static constexpr index lanes = static_cast<index>(xsimd::batch<T>::size);
  static constexpr index columns = 2 * lanes;
  static constexpr index rows = registers == 32 ? 12 : 6;
  static constexpr index narrow_rows = registers == 32 ? 16 : 6; // where one vector holds all columns
};

// xsimd 8 has no fma for AVX-512 and multiplies, rounds and adds: GCC contracts that again, Clang does not.
template <class T>
SINTER_INLINE xsimd::batch<T> fused(xsimd::batch<T> const& x, xsimd::batch<T> const& y, xsimd::batch<T> const& z) noexcept {
#if defined(__AVX512F__) && XSIMD_VERSION_MAJOR < 9
  if constexpr (sizeof(x) == 64 && std::is_same_v<T, float>) {
    return _mm512_fmadd_ps(x, y, z);
  } else if constexpr (sizeof(x) == 64 && std::is_same_v<T, double>) {
    return _mm512_fmadd_pd(x, y, z);
  }
#endif
  return xsimd::fma(x, y, z);
}

// One block of K: a panel of B stays in the second-level cache beside the tile rows of A.
template <class T>
inline constexpr index k_block = 4096 / static_cast<index>(sizeof(T));
template <class T>
inline constexpr index b_block = 512 * 1024 / static_cast<index>(sizeof(T));
// What stays in the first-level cache beside A: packed for every call, it would cost more than it gives.
template <class T>
inline constexpr index small_b = 24 * 1024 / static_cast<index>(sizeof(T));
inline constexpr index m_block = 192;
inline constexpr index dot_rows = 4;
inline constexpr index dot_columns = 16;  // shared out to threads
inline constexpr index dot_group = 256;   // finished in one go: between groups the reading of B stands still
inline constexpr index dot_k_max = 32768;

// Whether rows of K elements are worth a sum across lanes.
template <class T>
[[nodiscard]] constexpr bool long_rows(index n, index k) noexcept {
  constexpr index lanes = tile_shape<T>::lanes;
  return k >= 8 * lanes || (k >= 2 * lanes && n * k >= 4096);
}

// One row, and few weights: all that counts is how soon a sum is there.
[[nodiscard]] constexpr bool is_few(index m, index n, index k) noexcept { return m == 1 && n * k <= 4096; }

// What `product` will do. It is a function of the sizes, the layout and, for the two flags at the end, of how the operands are
// given; those two never change a result.
template <class T>
struct plan {
  index m, n, k;
  b_layout layout;
  bool fill, packed;
  bool dot;
  bool few;
  bool direct;  // B is read where it lies
  bool ready;   // and so is A
  index k_blocks, kc, nc, mc;
  index c_size, a_stride, a_size, b_size;

  constexpr plan(std::size_t rows, std::size_t columns, std::size_t depth, b_layout b, bool fill_a, bool packed_b) noexcept
      : m(static_cast<index>(rows)),
        n(static_cast<index>(columns)),
        k(static_cast<index>(depth)),
        layout(b),
        fill(fill_a),
        packed(packed_b),
        dot(false),
        few(false),
        direct(false),
        ready(false),
        k_blocks(1),
        kc(k),
        nc(0),
        mc(m),
        c_size(0),
        a_stride(0),
        a_size(0),
        b_size(0) {
    using tile = tile_shape<T>;
    dot = layout == b_layout::columns && long_rows<T>(n, k) && k <= dot_k_max && (m <= dot_rows || n <= dot_rows);
    if (dot) {
      c_size = dot_rows * std::max(dot_group, 2 * tile::lanes);
      a_stride = round_up(k, tile::lanes);
      a_size = fill ? dot_rows * a_stride : 0;
      return;
    }
    // Divisions only where the product is large enough not to notice.
    if (k > k_block<T>) {
      kc = round_up(ceil_div(k, ceil_div(k, k_block<T>)), 8);
      k_blocks = ceil_div(k, kc);
    }
    few = k_blocks == 1 && is_few(m, n, k);
    bool const small = k * n <= small_b<T> && n % tile::lanes == 0;
    direct = !packed && layout == b_layout::rows && (m <= tile::rows || small);
    nc = round_up(n, tile::columns);
    // A filled block is made once for each group of columns: with packed weights, one group is cheaper.
    bool const one_group = k_blocks == 1 && (direct || (packed && (fill || m <= tile::rows)));
    bool const whole = one_group || nc * kc <= b_block<T>;
    ready = k_blocks == 1 && !fill && whole && (packed || (direct && n % tile::lanes == 0));
    // What is made from fewer bits is read soon after: the two panels that the tiles take at once.
    if (layout == b_layout::narrow && !fill) {
      nc = 2 * tile::columns;
    } else if (!whole) {
      nc = std::max(b_block<T> / kc / tile::columns, index{1}) * tile::columns;
    }
    if (k_blocks > 1) { nc = std::min(nc, m_block); }
    mc = k_blocks == 1 ? m : std::min(m, m_block);
    c_size = k_blocks == 1 ? tile::rows * tile::columns * (registers / 16) : round_up(mc, tile::rows) * nc;
    a_stride = round_up(kc, tile::lanes) + tile::lanes;
    a_size = fill ? tile::narrow_rows * a_stride : 0;
    b_size = packed ? 0 : (direct ? tile::columns : nc) * kc;
  }

  [[nodiscard]] constexpr std::size_t scratch_bytes() const noexcept {
    index const line = 64 / static_cast<index>(sizeof(T));
    return static_cast<std::size_t>(round_up(c_size, line) + round_up(a_size, line) + round_up(b_size, line)) * sizeof(T);
  }
};

// Whether operands that need no fill are so small, and lie so, that their plan would be `ready` and keep one thread.
template <class T>
[[nodiscard]] constexpr bool is_small(index m, index n, index k, b_operand<T> const& b) noexcept {
  constexpr index most = (index{1} << 19) / static_cast<index>(sizeof(T));
  if (m * n * k > most || n * k > 8192 || k > k_block<T>) { return false; }
  if (long_rows<T>(n, k) && (m <= dot_rows || n <= dot_rows)) { return false; }
  return b.packed != nullptr || (b.n_stride == 1 && n % tile_shape<T>::lanes == 0 && k * n <= small_b<T>);
}

} // namespace product_detail
} // namespace SINTER_ISA
} // namespace sinter::simd
