// SPDX-License-Identifier: Apache-2.0
// Products whose depth runs along the lines of an image, as the gradient of a convolution's weights: few columns, which show the image from one
// element to the next, and a long depth. The rows of the second operand are laid out as the lines of a plane lie (planes.hpp), with zeros in the gaps
// between lines, so that a whole image is one run of vectors in both. Each row and column has a vector of sums, whose lanes are added in the end.
#pragma once
#include <cmath>

#include "panels.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace kernels {

// Iterations of the depth that are one run in a plane: lines of an image, with gaps between them.
struct run_of_lines {
  index lines = 0, line = 0, pitch = 0, loops = 0;  // of the depth, that many of the innermost ones
  index span() const { return (lines - 1) * pitch + line; }
  index turns() const { return lines * line; }
};

template <class T> class sums_along {
  using batch = xsimd::batch<T>;
  using tile = product_detail::tile_shape<T>;
  using task = product_detail::task<T>;
  using sums_of_lanes = product_detail::lane_sums<T, 4>;
  static constexpr index lanes = tile::lanes, most_rows = product_detail::registers == 32 ? 4 : 2, width = 5;

 public:
  // m rows and n columns; the depth has k iterations.
  sums_along(run_of_lines const& run, index m, index n, index k)
      : run_(run),
        m_(m),
        n_(n),
        runs_(k / run.turns()),
        vectors_(vectors_of(run)),
        at_once_(std::clamp(deep / vectors_, index{1}, runs_)),
        pitch_(at_once_ * vectors_ * lanes) {}

  static index vectors_of(run_of_lines const& run) { return product_detail::ceil_div(run.span(), lanes); }
  // Cycles, as measured.
  static double cycles(run_of_lines const& run, double m, double n, double k) {
    return m * k / static_cast<double>(run.turns()) * (0.6 * n * static_cast<double>(vectors_of(run)) + 4 * static_cast<double>(run.lines));
  }
  static double bytes(double m, double n) { return m * n * static_cast<double>(lanes) * sizeof(T); }

  // Computes blocks [begin, end) of columns. Column j begins at x + columns[j], and run q at offsets[q * iterations of a run] behind it; copy(i, q, to)
  // lays out row i of run q, and exact(i, j) sums one element without vectors.
  template <class Copy, class Exact>
  void sum(T const* x, std::int32_t const* offsets, std::int32_t const* columns, index begin, index end, task const& t, Copy const& copy,
           Exact const& exact) const {
    index const first = width * begin, some = std::min(width * end, n_) - first,
                row_pitch = product_detail::round_up(some, index{4}) * lanes;
    T* const rows = reinterpret_cast<T*>(scratch_of<scratch_use::weights>(sizeof(T) * static_cast<std::size_t>(m_ * (pitch_ + row_pitch))));
    T* const sums = rows + m_ * pitch_;
    std::fill_n(rows, m_ * (pitch_ + row_pitch), T(0));
    for (index q = 0; q < runs_; q += at_once_) {
      index const runs = std::min(at_once_, runs_ - q);
      for (index i = 0; i < m_; ++i)
        for (index r = 0; r < runs; ++r) copy(i, q + r, rows + i * pitch_ + r * vectors_ * lanes);
      for_tiles([&](index i, index count) {
        call c{x,      offsets + q * run_.turns(), run_.turns(), runs, vectors_, rows + i * pitch_,
               pitch_, sums + i * row_pitch,       row_pitch,    {},   {}};
        for (index j = 0; j < some; j += width) {
          for (index v = 0; v < width; ++v) {
            c.at[v] = std::min(j + v, some - 1) * lanes;
            c.column[v] = columns[first + std::min(j + v, some - 1)];
          }
          tile_of(count)(c);
        }
      });
    }
    for (index i = 0; i < m_; ++i) {
      T* const row = sums + i * row_pitch;
      for (index j = 0; j < some; j += 4) add_lanes(row + j * lanes, row + j);
      for (index j = 0; j < some; ++j)
        if (!std::isfinite(row[j])) row[j] = exact(i, first + j);  // perhaps only what stands in a gap, times zero, is not
      t.finish(t.epilogue, row, row_pitch, i, 1, first, some);
    }
  }
  // Blocks of columns.
  index blocks() const { return product_detail::ceil_div(n_, width); }

 private:
  static constexpr index deep = 64;  // vectors of a row that stay in the nearest cache, with those of the other rows of a tile
  run_of_lines run_;
  index m_, n_, runs_, vectors_, at_once_, pitch_;

  template <class F> void for_tiles(F const& f) const {
    index const parts = product_detail::ceil_div(m_, most_rows);
    for (index p = 0; p < parts; ++p) f(m_ * p / parts, m_ * (p + 1) / parts - m_ * p / parts);
  }
  static SINTER_INLINE void add_lanes(T const* from, T* to) {
    typename product_detail::lane_vector<T>::type v[4];
    std::memcpy(v, from, sizeof(v));
    sums_of_lanes::template halve<lanes>(v, to, std::make_index_sequence<4>{});
  }
  struct call {
    T const* x;
    std::int32_t const* offsets;
    index turns, runs, vectors;
    T const* rows;
    index pitch;
    T* sums;
    index sum_pitch;
    index at[width];
    std::int32_t column[width];
  };
  static auto tile_of(index rows) {
    static constexpr auto all = []<std::size_t... R>(std::index_sequence<R...>) {
      return std::array<void (*)(call const&), sizeof...(R)>{&one<R + 1>...};
    }(std::make_index_sequence<static_cast<std::size_t>(most_rows)>{});
    return all[static_cast<std::size_t>(rows - 1)];
  }
  template <std::size_t Rows> static SINTER_NOINLINE void one(call const& c) {
    one(c, std::make_index_sequence<Rows>{}, std::make_index_sequence<static_cast<std::size_t>(width)>{},
        std::make_index_sequence<Rows* static_cast<std::size_t>(width)>{});
  }
  template <std::size_t... R, std::size_t... J, std::size_t... A>
  static SINTER_INLINE void one(call const& c, std::index_sequence<R...>, std::index_sequence<J...> all, std::index_sequence<A...>) {
    T* const places[] = {c.sums + static_cast<index>(A / sizeof...(J)) * c.sum_pitch + c.at[A % sizeof...(J)]...};
    batch acc[] = {batch::load_aligned(places[A])...};
    T const* from = c.rows;
    index const pitch = c.pitch;
    for (index r = 0; r < c.runs; ++r) {
      T const* const x[] = {c.x + c.offsets[r * c.turns] + c.column[J]...};
      for (index v = 0; v < c.vectors * lanes; v += lanes, from += lanes) {
        batch const y[] = {batch::load_unaligned(x[J] + v)...};
        (row(acc + R * sizeof...(J), batch::load_aligned(from + static_cast<index>(R) * pitch), y, all), ...);
      }
    }
    (acc[A].store_aligned(places[A]), ...);
  }
  template <std::size_t... J> static SINTER_INLINE void row(batch* acc, batch const& d, batch const* x, std::index_sequence<J...>) {
    ((acc[J] = product_detail::fused(d, x[J], acc[J])), ...);
  }
};

}  // namespace kernels
}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
