// SPDX-License-Identifier: Apache-2.0
// The loops around the kernels. They know the element type only: operands that are computed and the epilogue come as function
// pointers, one call for each tile, so that a new epilogue costs one small loop.
#pragma once

#include <sinter/backend/xsimd/product/dot.hpp>
#include <sinter/backend/xsimd/product/tile.hpp>

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace product_detail {

template <class T>
struct task {
  plan<T> const* p;
  a_operand<T> a; // where p->fill is not set
  b_operand<T> b;
  void const* source;
  void (*fill)(void const* source, index i, index rows, index k, index count, T* to, index to_stride);
  void const* epilogue;
  void (*finish)(void const* epilogue, T const* c, index c_stride, index i, index rows, index j, index columns);
};

struct part {
  index i0, i1, j0, j1;
};

template <class T>
SINTER_NOINLINE void run_dots(task<T> const& t, part const& r, T* scratch) {
  plan<T> const& p = *t.p;
  T* const c = scratch;
  T* const a_copy = c + round_up(p.c_size, 64 / static_cast<index>(sizeof(T)));
  auto const a_rows = [&](index i, index rows) -> T const* {
    if (!p.fill) { return t.a.data + i * t.a.row_stride; }
    t.fill(t.source, i, rows, 0, p.k, a_copy, p.a_stride);
    return a_copy;
  };
  index const a_stride = p.fill ? p.a_stride : t.a.row_stride;
  index const rows = r.i1 - r.i0;
  dot_call<T> call{};
  call.k = p.k;
  if (p.n > dot_rows) {
    T const* const a = a_rows(r.i0, rows);
    call.x_stride = a_stride;
    call.w_stride = t.b.n_stride;
    for (index j = r.j0; j < r.j1; j += dot_group) {
      index const columns = std::min(dot_group, r.j1 - j);
      call.x = a;
      call.w = t.b.raw + j * t.b.n_stride;
      dots<T>(call, rows, columns, c, dot_group, 1);
      t.finish(t.epilogue, c, dot_group, r.i0, rows, j, columns);
    }
    return;
  }
  index const high = p.fill ? dot_rows : 2 * dot_rows;
  index const c_stride = p.n == 1 ? 1 : std::max(dot_rows, tile_shape<T>::lanes);
  call.x_stride = t.b.n_stride;
  call.w_stride = a_stride;
  for (index i = r.i0; i < r.i1; i += high) {
    index const some = std::min(high, r.i1 - i);
    call.x = t.b.raw;
    call.w = a_rows(i, some);
    dots<T>(call, p.n, some, c, 1, c_stride);
    t.finish(t.epilogue, c, c_stride, i, some, 0, p.n);
  }
}

// The height of the next tile. Nearly equal heights: a low last tile would wait for B. With 16 registers, four rows are eight chains, one
// too few for two fma units: rather five and three, which takes two panels at once. With 32, tiles two panels wide have five or six rows.
template <class T>
[[nodiscard]] inline index next_rows(index left, index n) noexcept {
  using tile = tile_shape<T>;
  index const most = n <= tile::lanes ? tile::narrow_rows : tile::rows;
  if (left <= most) { return left; }
  if (left > 2 * most) { return ceil_div(left, ceil_div(left, most)); }
  if (registers == 32 && left <= 18 && n > tile::columns) { return left - ceil_div(left, index{3}); }
  index const rows = (left + 1) / 2;
  return most == 6 && rows == 4 ? 5 : rows;
}

template <class T, bool OneRow>
SINTER_NOINLINE void run_tiles(task<T> const& t, part const& r, T* scratch) {
  using tile = tile_shape<T>;
  plan<T> const& p = *t.p;
  constexpr index line = 64 / static_cast<index>(sizeof(T));
  T* const c = scratch;
  T* const a_copy = c + round_up(p.c_size, line);
  T* const b_copy = a_copy + round_up(p.a_size, line);
  bool const one = p.k_blocks == 1;
  tile_call<T> call{};
  call.few = p.few;
  call.a_stride = p.fill ? p.a_stride : t.a.row_stride;

  // The block of packed B that is wanted after this one. The first tile brings a block into the cache and waits for it; those below it
  // have B at hand and time to fetch the next: each its part, by rows.
  T const* next = nullptr;
  index next_columns = 0, first_end = 0, rest = 0;
  auto const look_ahead = [&](index i, index rows, index j, index kc) {
    if (i < first_end || j >= next_columns) { return false; }
    call.ahead = next + j * p.k + kc * tile::columns * (i - first_end) / rest;
    call.ahead_step = tile::columns * rows / rest;
    return true;
  };

  auto const tiles = [&](index i, index rows, index j0, index j1, index k0, index kc, T* c_row) {
    if (p.fill) { t.fill(t.source, i, rows, k0, kc, a_copy, p.a_stride); }
    call.k = kc;
    call.a = p.fill ? a_copy : t.a.data + i * t.a.row_stride + k0;
    call.add = k0 != 0;
    bool const last = k0 + kc == p.k;
    for (index j = j0, taken = 0; j < j1; j += taken) {
      index const left = j1 - j;
      index vectors = ceil_div(left, tile::lanes);
      if (p.packed) {
        call.b = t.b.packed + j * p.k + k0 * tile::columns;
        call.b_stride = tile::columns;
        call.panel_stride = tile::columns * p.k;
      } else if (p.direct && left >= tile::columns) {
        call.b = t.b.raw + k0 * t.b.k_stride + j;
        call.b_stride = t.b.k_stride;
        call.panel_stride = tile::columns;
        vectors = left / tile::columns * 2;
      } else {
        call.b = p.direct ? b_copy : b_copy + (j - j0) * kc;
        call.b_stride = tile::columns;
        call.panel_stride = tile::columns * kc;
      }
      call.c = one ? c : c_row + (j - j0) * rows;
      taken = multiply<T, OneRow>(call, rows, vectors, look_ahead(i, rows, j - j0, kc)) * tile::lanes;
      if (last) { t.finish(t.epilogue, call.c, taken, i, rows, j, std::min(taken, left)); }
    }
  };

  for (index j0 = r.j0; j0 < r.j1; j0 += p.nc) {
    index const j1 = std::min(j0 + p.nc, r.j1);
    for (index i0 = r.i0; i0 < r.i1; i0 += p.mc) {
      index const height = std::min(p.mc, r.i1 - i0);
      for (index kb = 0; kb < p.k_blocks; ++kb) {
        index const k0 = kb * p.kc;
        index const kc = std::min(p.kc, p.k - k0);
        if (!p.packed && !(one && i0 != r.i0)) {
          index const from = p.direct ? j1 - (j1 - j0) % tile::columns : j0;
          if (t.b.widen != nullptr) {
            t.b.widen(t.b.narrow, from, j1 - from, k0, kc, b_copy);
          } else {
            pack_panels(t.b.raw + k0 * t.b.k_stride + from * t.b.n_stride, t.b.k_stride, t.b.n_stride, j1 - from, kc, b_copy);
          }
        }
        bool const more_k = kb + 1 < p.k_blocks;
        index const next_j = more_k || (!one && i0 + p.mc < r.i1) ? j0 : j0 + p.nc;
        next_columns = p.packed ? std::max(std::min(p.nc, r.j1 - next_j), index{0}) : 0;
        if (next_columns > 0) { next = t.b.packed + next_j * p.k + (more_k ? k0 + kc : 0) * tile::columns; }
        first_end = i0 + next_rows<T>(height, p.n);
        rest = i0 + height - first_end;
        for (index i = i0; i < i0 + height;) {
          index const rows = next_rows<T>(i0 + height - i, p.n);
          tiles(i, rows, j0, j1, k0, kc, c + (i - i0) * p.nc);
          i += rows;
        }
      }
    }
  }
}

// One block of K and B as the tiles read it: nothing to copy, nothing to keep, and no plan needed.
template <class T, bool OneRow>
SINTER_NOINLINE void run_ready(task<T> const& t, part const& r, index n, index k, bool few, T* scratch) {
  using tile = tile_shape<T>;
  bool const packed = t.b.packed != nullptr;
  tile_call<T> call{};
  call.few = few;
  call.k = k;
  call.a_stride = t.a.row_stride;
  call.b_stride = packed ? tile::columns : t.b.k_stride;
  call.panel_stride = packed ? tile::columns * k : tile::columns;
  call.c = scratch;
  T const* const b = packed ? t.b.packed : t.b.raw;
  index const per_column = packed ? k : 1;
  for (index i = r.i0; i < r.i1;) {
    index const rows = next_rows<T>(r.i1 - i, n);
    call.a = t.a.data + i * t.a.row_stride;
    for (index j = r.j0; j < r.j1;) {
      index const left = r.j1 - j;
      call.b = b + j * per_column;
      index const taken = multiply<T, OneRow>(call, rows, ceil_div(left, tile::lanes), false) * tile::lanes;
      t.finish(t.epilogue, scratch, taken, i, rows, j, std::min(taken, left));
      j += taken;
    }
    i += rows;
  }
}

template <class T, bool OneRow>
void run_part(task<T> const& t, part const& r, T* scratch) {
  if (t.p->dot) {
    run_dots(t, r, scratch);
  } else if (t.p->ready) {
    run_ready<T, OneRow>(t, r, t.p->n, t.p->k, t.p->few, scratch);
  } else {
    run_tiles<T, OneRow>(t, r, scratch);
  }
}

}  // namespace product_detail
}  // namespace SINTER_ISA
}  // namespace sinter::simd
