// SPDX-License-Identifier: Apache-2.0
// The register tile: rows of A times panels of B, each output one chain of additions in ascending k.
#pragma once

#include <sinter/backend/xsimd/product/shape.hpp>

#include <cstdint>
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
  T* c;
  index c_stride; // from one row to the next; 0: [rows][columns of the panels], in memory of the product's own
  bool few; // see few_kernel
  bool add; // c holds the sum over earlier blocks of K
  T const* ahead;   // what will be wanted soon, brought into the second-level cache meanwhile
  index ahead_step; // from one k to the next
};

// Constant indices only: GCC 12 keeps an array of vectors in memory as soon as one index is a loop variable.
template <class T, index Rows, index Width, bool Ahead = false>
struct tile_kernel { // Width vectors: one, or panels of two
  using batch = xsimd::batch<T>;
  static constexpr index lanes = tile_shape<T>::lanes;
  static constexpr index width = Width;

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
    auto const place = [&](std::size_t j) { return b + static_cast<index>(j) / 2 * panel_stride + static_cast<index>(j) % 2 * lanes; };
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
    for (index l = 0; l < width * lanes; l += line) { __builtin_prefetch(b + l); }
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
    auto const next = [&]() SINTER_INLINED {
      if constexpr (Rows > 4 && Rows <= 8 && width == 2) { prefetch_row(b + 8 * b_stride); }
      if constexpr (Ahead) {
        __builtin_prefetch(ahead, 0, 2);
        ahead += ahead_step;
      }
      step(acc, a, a_stride, b, panel_stride, rows, columns);
      ++a;
      b += b_stride;
    };
    index k = t.k;
    if constexpr (registers == 32 && Rows >= 4 && (width >= 3 || Rows <= 8)) {
      for (; k >= 2; k -= 2) {
        next();
        next();
      }
    }
    for (; k != 0; --k) { next(); }
    index const c_stride = t.c_stride != 0 ? t.c_stride : width * lanes;
    (acc[I].store_unaligned(c + static_cast<index>(I) / width * c_stride + static_cast<index>(I) % width * lanes), ...);
  }

  static SINTER_NOINLINE void call(tile_call<T> const& t) noexcept { run(t, std::make_index_sequence<Rows * width>{}); }
};

// One row of A times one vector or panel of B: four chains for each output, k = q, q + 4, ..., and (0 + 1) + (2 + 3). With few weights
// there is nothing else to do while one chain waits for each of its additions.
template <class T, index Width>
struct few_kernel {
  using batch = xsimd::batch<T>;
  static constexpr index lanes = tile_shape<T>::lanes;

  template <std::size_t... J>
  static SINTER_INLINE void run(T const* a, index a_step, T const* b, index b_stride, index k, batch* c,
                                std::index_sequence<J...>) noexcept {
    batch acc[4][Width] = {{(static_cast<void>(J), batch(T(0)))...},
                           {(static_cast<void>(J), batch(T(0)))...},
                           {(static_cast<void>(J), batch(T(0)))...},
                           {(static_cast<void>(J), batch(T(0)))...}};
    auto const step = [&](batch* sum, index q) SINTER_INLINED {
      batch const x(a[q * a_step]);
      ((sum[J] = fused(x, batch::load_unaligned(b + q * b_stride + static_cast<index>(J) * lanes), sum[J])), ...);
    };
    for (; k >= 4; k -= 4, a += 4 * a_step, b += 4 * b_stride) {
      step(acc[0], 0);
      step(acc[1], 1);
      step(acc[2], 2);
      step(acc[3], 3);
    }
    if (k > 0) { step(acc[0], 0); }
    if (k > 1) { step(acc[1], 1); }
    if (k > 2) { step(acc[2], 2); }
    ((c[J] = (acc[0][J] + acc[1][J]) + (acc[2][J] + acc[3][J])), ...);
  }
  static SINTER_INLINE void run(T const* a, index a_step, T const* b, index b_stride, index k, batch* c) noexcept {
    run(a, a_step, b, b_stride, k, c, std::make_index_sequence<static_cast<std::size_t>(Width)>{});
  }

  static SINTER_NOINLINE void call(tile_call<T> const& t) noexcept {
    batch c[Width];
    run(t.a, 1, t.b, t.b_stride, t.k, c);
    for (index j = 0; j < Width; ++j) { c[j].store_unaligned(t.c + j * lanes); }
  }
};

// The same of B that lies in planes: turn k of its columns begins at b + offsets[k]. The rows of c lie `c_stride` apart.
template <class T>
struct offset_tile_call {
  index k;
  T const* a;
  index a_stride;
  T const* b;
  std::int32_t const* offsets;
  T* c;
  index c_stride;
};
template <class T, index Rows, index Width>
struct offset_tile_kernel {
  using tile = tile_kernel<T, Rows, Width>;
  using batch = xsimd::batch<T>;

  template <std::size_t... I>
  static SINTER_INLINE void run(offset_tile_call<T> const& t, std::index_sequence<I...>) noexcept {
    batch acc[] = {(static_cast<void>(I), batch(T(0)))...};
    T const* a = t.a;
    T const* const b = t.b;
    std::int32_t const* const offsets = t.offsets;
    index const all = t.k, a_stride = t.a_stride;
    for (index k = 0; k != all; ++k, ++a) {
      tile::step(acc, a, a_stride, b + offsets[k], tile_shape<T>::columns, std::make_index_sequence<static_cast<std::size_t>(Rows)>{},
                 std::make_index_sequence<static_cast<std::size_t>(Width)>{});
    }
    constexpr auto width = static_cast<std::size_t>(Width);
    (acc[I].store_unaligned(t.c + static_cast<index>(I / width) * t.c_stride + static_cast<index>(I % width) * tile::lanes), ...);
  }
  static SINTER_NOINLINE void call(offset_tile_call<T> const& t) noexcept { run(t, std::make_index_sequence<Rows * Width>{}); }
};
// `rows` of A times the next vectors of B, of which there are `vectors`; returns how many it took.
template <class T>
inline index multiply_at_offsets(offset_tile_call<T> const& call, index rows, index vectors) noexcept {
  auto const some = [&]<index Width, std::size_t... I>(std::integral_constant<index, Width>, std::index_sequence<I...>) {
    static constexpr void (*table[])(offset_tile_call<T> const&) noexcept = {
        &offset_tile_kernel<T, static_cast<index>(I) + 1, Width>::call...};
    table[rows - 1](call);
    return Width;
  };
  if (rows <= 3 && vectors >= 4) { return some(std::integral_constant<index, 4>{}, std::make_index_sequence<3>{}); }
  constexpr auto heights = std::make_index_sequence<static_cast<std::size_t>(tile_shape<T>::rows)>{};
  if (vectors >= 2) { return some(std::integral_constant<index, 2>{}, heights); }
  return some(std::integral_constant<index, 1>{}, heights);
}

template <class T>
using tile_function = void (*)(tile_call<T> const&) noexcept;

// Rows from Least on.
template <class T, index Least, index Width, bool Ahead, std::size_t... I>
[[nodiscard]] inline tile_function<T> tile_of(index rows, std::index_sequence<I...>) noexcept {
  static constexpr tile_function<T> table[] = {&tile_kernel<T, Least + static_cast<index>(I), Width, Ahead>::call...};
  return table[rows - Least];
}
template <class T, index Least, index Most, index Width, bool Ahead = false>
[[nodiscard]] inline tile_function<T> tile_of(index rows) noexcept {
  return tile_of<T, Least, Width, Ahead>(rows, std::make_index_sequence<static_cast<std::size_t>(Most - Least + 1)>{});
}

// `multiply` for any number of rows, where not both few rows and many vectors are left.
template <class T>
inline index multiply_rows(tile_call<T>& call, index rows, index vectors, bool ahead) noexcept {
  constexpr index most = tile_shape<T>::rows;
  // With 32 registers, half the rows and twice the columns: what else a step does, additions to addresses above all, takes turns with
  // the fma at their two ports, and this way there is less of it.
  if constexpr (registers == 32) {
    if (vectors > 2 && rows >= 4 && rows != 7 && rows != 8) {
      index const upper = rows <= most / 2 ? rows : (rows + 1) / 2;
      index const width = std::min<index>(vectors, 4);
      auto const kernel = [&](index height) {
        return width == 3 ? tile_of<T, 4, most / 2, 3>(height)
               : ahead    ? tile_of<T, 4, most / 2, 4, true>(height)
                          : tile_of<T, 4, most / 2, 4>(height);
      };
      kernel(upper)(call);
      if (upper < rows) {
        index const a_step = upper * call.a_stride, c_step = upper * (call.c_stride != 0 ? call.c_stride : width * tile_shape<T>::lanes);
        call.a += a_step;
        call.c += c_step;
        if (ahead) { call.ahead += call.panel_stride; }
        kernel(rows - upper)(call);
        call.a -= a_step;
        call.c -= c_step;
      }
      return width;
    }
  } else if (ahead && vectors >= 2 && rows > most - 2) {
    tile_of<T, most - 1, most, 2, true>(rows)(call);
    return 2;
  }
  if (vectors >= 2) {
    tile_of<T, 1, most, 2>(rows)(call);
    return 2;
  }
  tile_of<T, 1, tile_shape<T>::narrow_rows, 1>(rows)(call);
  return 1;
}

// `rows` of A times the next vectors of B, of which there are `vectors`; returns how many it took. `ahead`: something is to be fetched
// meanwhile, which low tiles have no time for. `OneRow`: there never is more than one, and no kernel for more is compiled.
template <class T, bool OneRow>
inline index multiply(tile_call<T>& call, index rows, index vectors, bool ahead) noexcept {
  if (call.few) {
    vectors >= 2 ? few_kernel<T, 2>::call(call) : few_kernel<T, 1>::call(call);
    return std::min<index>(vectors, 2);
  }
  // Few rows leave too few chains in one panel to hide the latency of an fma: several panels at once.
  if (rows <= 3 && vectors >= 4) {
    if (rows == 1 && vectors >= 8) {
      tile_kernel<T, 1, 8>::call(call);
      return 8;
    }
    tile_of<T, 1, OneRow ? 1 : 3, 4>(rows)(call);
    return 4;
  }
  if constexpr (OneRow) {
    vectors >= 2 ? tile_kernel<T, 1, 2>::call(call) : tile_kernel<T, 1, 1>::call(call);
    return std::min<index>(vectors, 2);
  } else return multiply_rows(call, rows, vectors, ahead);
}

} // namespace product_detail
} // namespace SINTER_ISA
} // namespace sinter::simd
