// SPDX-License-Identifier: Apache-2.0
// The register tile: rows of A times panels of B, each output one chain of additions in ascending k.
#pragma once

#include <sinter/backend/xsimd/product/shape.hpp>

#include <utility>

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace product_detail {

template <class T>
struct tile_call {
  index k;
  T const* a;
  index a_stride;
  T const* b;
  index b_stride;     // from one k to the next
  index panel_stride; // from one panel to the next
  T* c;    // [rows][columns of the panels]
  bool add; // c holds the sum over earlier blocks of K
  T const* ahead;   // what will be wanted soon, brought into the second-level cache meanwhile
  index ahead_step; // from one k to the next
};

// Constant indices only: GCC 12 keeps an array of vectors in memory as soon as one index is a loop variable.
template <class T, index Rows, index Panels, index Vectors, bool Ahead = false>
struct tile_kernel {
  using batch = xsimd::batch<T>;
  static constexpr index lanes = tile_shape<T>::lanes;
  static constexpr index width = Panels * Vectors;

  template <std::size_t... J>
  static SINTER_INLINE void row(batch* acc, T const* a, batch const* b, std::index_sequence<J...>) noexcept {
    batch const x(*a);
    ((acc[J] = fused(x, b[J], acc[J])), ...);
  }

  template <std::size_t... I>
  static SINTER_INLINE void column(batch* acc, batch const* a, T const* b, std::index_sequence<I...>) noexcept {
    batch y = batch::load_unaligned(b);
    if constexpr (Rows > 1) {
      SINTER_KEEP_ROUNDED(y.data); // GCC would load it again for every row
    }
    ((acc[I * width] = fused(a[I], y, acc[I * width])), ...);
  }

  // The shorter side stays in registers, the longer one comes element by element: with 16 registers there is no room for more.
  template <std::size_t... I, std::size_t... J>
  static SINTER_INLINE void step(batch* acc, T const* a, index a_stride, T const* b, index panel_stride, std::index_sequence<I...> rows,
                                 std::index_sequence<J...> columns) noexcept {
    auto const place = [&](std::size_t j) {
      return b + static_cast<index>(j) / Vectors * panel_stride + static_cast<index>(j) % Vectors * lanes;
    };
    if constexpr (width > Rows) {
      batch const x[] = {batch(a[static_cast<index>(I) * a_stride])...};
      (column(acc + J, x, place(J), rows), ...);
    } else {
      batch const y[] = {batch::load_unaligned(place(J))...};
      (row(acc + I * static_cast<std::size_t>(width), a + static_cast<index>(I) * a_stride, y, columns), ...);
    }
  }

  // One row of one panel comes from the second-level cache, where the hardware's own prefetch stops at each page; with few rows
  // there is no time left for more loads.
  static SINTER_INLINE void prefetch_row(T const* b) noexcept {
    constexpr index line = 64 / static_cast<index>(sizeof(T));
    for (index l = 0; l < Vectors * lanes; l += line) { __builtin_prefetch(b + l); }
  }

  template <std::size_t... I>
  static SINTER_INLINE void run(tile_call<T> const& t, std::index_sequence<I...>) noexcept {
    batch acc[] = {(static_cast<void>(I), batch(T(0)))...};
    T* const c = t.c;
    if (t.add) { ((acc[I] = batch::load_aligned(c + static_cast<index>(I) * lanes)), ...); }
    T const* a = t.a;
    T const* b = t.b;
    index const a_stride = t.a_stride;
    index const b_stride = t.b_stride;
    index const panel_stride = t.panel_stride;
    [[maybe_unused]] T const* ahead = t.ahead;
    [[maybe_unused]] index const ahead_step = t.ahead_step;
    constexpr auto rows = std::make_index_sequence<static_cast<std::size_t>(Rows)>{};
    constexpr auto columns = std::make_index_sequence<static_cast<std::size_t>(width)>{};
    for (index k = t.k; k != 0; --k) {
      if constexpr (Rows > 4) { prefetch_row(b + 8 * b_stride); }
      if constexpr (Ahead) {
        __builtin_prefetch(ahead, 0, 2);
        ahead += ahead_step;
      }
      step(acc, a, a_stride, b, panel_stride, rows, columns);
      ++a;
      b += b_stride;
    }
    (acc[I].store_aligned(c + static_cast<index>(I) * lanes), ...);
  }

  static SINTER_NOINLINE void call(tile_call<T> const& t) noexcept { run(t, std::make_index_sequence<Rows * width>{}); }
};

template <class T>
using tile_function = void (*)(tile_call<T> const&) noexcept;

template <class T, index Vectors, std::size_t... I>
[[nodiscard]] inline tile_function<T> tile_of(index rows, std::index_sequence<I...>) noexcept {
  static constexpr tile_function<T> table[] = {&tile_kernel<T, static_cast<index>(I) + 1, 1, Vectors>::call...};
  return table[rows - 1];
}

// One panel; `half` when only its first vector is wanted.
template <class T>
[[nodiscard]] inline tile_function<T> tile_for(index rows, bool half) noexcept {
  using all = std::make_index_sequence<static_cast<std::size_t>(tile_shape<T>::rows)>;
  return half ? tile_of<T, 1>(rows, all{}) : tile_of<T, 2>(rows, all{});
}

// One whole panel, with something to fetch meanwhile; nothing where the tile is too low to have time for that.
template <class T, std::size_t... I>
[[nodiscard]] inline tile_function<T> tile_ahead_of(index rows, std::index_sequence<I...>) noexcept {
  constexpr index least = tile_shape<T>::rows - static_cast<index>(sizeof...(I)) + 1;
  static constexpr tile_function<T> table[] = {&tile_kernel<T, least + static_cast<index>(I), 1, 2, true>::call...};
  return rows < least ? nullptr : table[rows - least];
}
template <class T>
[[nodiscard]] inline tile_function<T> tile_ahead(index rows) noexcept {
  return tile_ahead_of<T>(rows, std::make_index_sequence<static_cast<std::size_t>(tile_shape<T>::rows / 3)>{});
}

// Few rows leave too few chains in one panel to hide the latency of an fma: take several panels at once.
template <class T>
[[nodiscard]] inline tile_function<T> wide_tile(index rows, index panels, index& taken) noexcept {
  if (rows == 1 && panels >= 4) {
    taken = 4;
    return &tile_kernel<T, 1, 4, 2>::call;
  }
  if (rows <= 3 && panels >= 2) {
    taken = 2;
    return rows == 1 ? &tile_kernel<T, 1, 2, 2>::call : rows == 2 ? &tile_kernel<T, 2, 2, 2>::call : &tile_kernel<T, 3, 2, 2>::call;
  }
  return nullptr;
}

} // namespace product_detail
} // namespace SINTER_ISA
} // namespace sinter::simd
