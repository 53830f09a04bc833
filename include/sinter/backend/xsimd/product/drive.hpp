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
  T* out = nullptr;  // where given: the epilogue only stores, row by row of `out_stride` elements, and tiles may do that themselves
  index out_stride = 0;
  // Where given: has what `finish` will read and write brought into the cache while the sums are computed.
  void (*expect)(void const* epilogue, index i, index rows, index j, index columns) = nullptr;
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

// Columns of a tile with several rows.
template <class T> inline constexpr index widest = (registers == 32 ? 4 : 2) * tile_shape<T>::lanes;
// Whether a tile writes its results where they belong: all of its columns exist, and nothing is added to them later.
template <class T> [[nodiscard]] SINTER_INLINE bool stores_itself(task<T> const& t, bool all_of_k, index columns_left) noexcept {
  return t.out != nullptr && all_of_k && (columns_left >= 8 * tile_shape<T>::lanes || columns_left % tile_shape<T>::lanes == 0);
}

// The loops over blocks of columns, rows and K, and over the tiles of a block.
template <class T, bool OneRow> class tile_loops {
 public:
  tile_loops(task<T> const& t, part const& r, T* scratch)
      : t_(t), p_(*t.p), r_(r), c_(scratch), a_copy_(c_ + round_up(p_.c_size, line)), b_copy_(a_copy_ + round_up(p_.a_size, line)) {
    call_.few = p_.few;
    call_.a_stride = p_.fill ? p_.a_stride : t.a.row_stride;
  }

  void run() {
    for (index j0 = r_.j0; j0 < r_.j1; j0 += p_.nc) {
      index const j1 = std::min(j0 + p_.nc, r_.j1);
      for (index i0 = r_.i0; i0 < r_.i1; i0 += p_.mc) {
        for (index kb = 0; kb < p_.k_blocks; ++kb) {
          index const k0 = kb * p_.kc;
          index const kc = std::min(p_.kc, p_.k - k0);
          if (!p_.packed && !(one_ && i0 != r_.i0)) { copy_b(j0, j1, k0, kc); }
          block(i0, std::min(p_.mc, r_.i1 - i0), j0, j1, k0, kc);
        }
      }
    }
  }

 private:
  using tile = tile_shape<T>;
  static constexpr index line = 64 / static_cast<index>(sizeof(T));

  // What the tiles cannot read as it is: all of the block, or its last columns.
  SINTER_INLINE void copy_b(index j0, index j1, index k0, index kc) {
    index const from = p_.direct ? j1 - (j1 - j0) % tile::columns : j0;
    if (t_.b.widen != nullptr) {
      t_.b.widen(t_.b.narrow, from, j1 - from, k0, kc, b_copy_);
    } else {
      pack_panels(t_.b.raw + k0 * t_.b.k_stride + from * t_.b.n_stride, t_.b.k_stride, t_.b.n_stride, j1 - from, kc, b_copy_);
    }
  }

  SINTER_INLINE void block(index i0, index height, index j0, index j1, index k0, index kc) {
    bool const more_k = k0 + kc < p_.k;
    index const next_j = more_k || (!one_ && i0 + p_.mc < r_.i1) ? j0 : j0 + p_.nc;
    next_columns_ = p_.packed ? std::max(std::min(p_.nc, r_.j1 - next_j), index{0}) : 0;
    if (next_columns_ > 0) { next_ = t_.b.packed + next_j * p_.k + (more_k ? k0 + kc : 0) * tile::columns; }
    first_end_ = i0 + next_rows<T>(height, p_.n);
    rest_ = i0 + height - first_end_;
    for (index i = i0; i < i0 + height;) {
      index const rows = next_rows<T>(i0 + height - i, p_.n);
      row_of_tiles(i, rows, j0, j1, k0, kc, c_ + (i - i0) * p_.nc);
      i += rows;
    }
  }

  SINTER_INLINE void row_of_tiles(index i, index rows, index j0, index j1, index k0, index kc, T* c_row) {
    if (p_.fill) { t_.fill(t_.source, i, rows, k0, kc, a_copy_, p_.a_stride); }
    call_.k = kc;
    call_.a = p_.fill ? a_copy_ : t_.a.data + i * t_.a.row_stride + k0;
    call_.add = k0 != 0;
    bool const last = k0 + kc == p_.k;
    for (index j = j0, taken = 0; j < j1; j += taken) {
      index const left = j1 - j;
      index const vectors = place_b(j, j - j0, left, k0, kc);
      bool const direct = stores_itself(t_, one_, left);
      call_.c = direct ? t_.out + i * t_.out_stride + j : one_ ? c_ : c_row + (j - j0) * rows;
      call_.c_stride = direct ? t_.out_stride : 0;
      if (last && t_.expect) { t_.expect(t_.epilogue, i, rows, j, std::min(widest<T>, left)); }
      taken = multiply<T, OneRow>(call_, rows, vectors, look_ahead(i, rows, j - j0, kc)) * tile::lanes;
      if (last && !direct) { t_.finish(t_.epilogue, call_.c, taken, i, rows, j, std::min(taken, left)); }
    }
  }

  // Where a tile finds B from column j on, `in_block` columns into the block. Returns how many vectors of columns are there.
  SINTER_INLINE index place_b(index j, index in_block, index left, index k0, index kc) {
    call_.b_stride = tile::columns;
    if (p_.packed) {
      call_.b = t_.b.packed + j * p_.k + k0 * tile::columns;
      call_.panel_stride = tile::columns * p_.k;
    } else if (p_.direct && left >= tile::columns) {
      call_.b = t_.b.raw + k0 * t_.b.k_stride + j;
      call_.b_stride = t_.b.k_stride;
      call_.panel_stride = tile::columns;
      return left / tile::columns * 2;
    } else {
      call_.b = p_.direct ? b_copy_ : b_copy_ + in_block * kc;
      call_.panel_stride = tile::columns * kc;
    }
    return ceil_div(left, tile::lanes);
  }

  // The first tile of a block brings B into the cache and waits for it; those below it have B at hand and time to fetch the block that is
  // wanted next: each its part, by rows. Whether this tile fetches anything.
  SINTER_INLINE bool look_ahead(index i, index rows, index in_block, index kc) {
    if (i < first_end_ || in_block >= next_columns_) { return false; }
    call_.ahead = next_ + in_block * p_.k + kc * tile::columns * (i - first_end_) / rest_;
    call_.ahead_step = tile::columns * rows / rest_;
    return true;
  }

  task<T> const& t_;
  plan<T> const& p_;
  part const& r_;
  T* const c_;
  T* const a_copy_;
  T* const b_copy_;
  bool const one_ = p_.k_blocks == 1;
  tile_call<T> call_{};
  T const* next_ = nullptr;  // the block of packed B that is wanted after this one
  index next_columns_ = 0, first_end_ = 0, rest_ = 0;
};
template <class T, bool OneRow>
SINTER_NOINLINE void run_tiles(task<T> const& t, part const& r, T* scratch) {
  tile_loops<T, OneRow>(t, r, scratch).run();
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
  T const* const b = packed ? t.b.packed : t.b.raw;
  index const per_column = packed ? k : 1;
  for (index i = r.i0; i < r.i1;) {
    index const rows = next_rows<T>(r.i1 - i, n);
    call.a = t.a.data + i * t.a.row_stride;
    for (index j = r.j0; j < r.j1;) {
      index const left = r.j1 - j;
      bool const direct = stores_itself(t, true, left);
      call.b = b + j * per_column;
      call.c = direct ? t.out + i * t.out_stride + j : scratch;
      call.c_stride = direct ? t.out_stride : 0;
      index const taken = multiply<T, OneRow>(call, rows, ceil_div(left, tile::lanes), false) * tile::lanes;
      if (!direct) { t.finish(t.epilogue, scratch, taken, i, rows, j, std::min(taken, left)); }
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
