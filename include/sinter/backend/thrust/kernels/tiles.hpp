// SPDX-License-Identifier: Apache-2.0
// A product, with a map or without, in tiles of the result: a block of threads brings parts of both factors to where all of them read them,
// and each thread adds up a few elements, in the order of the depth. For what a library does not take.
#pragma once
#include "product_parts.hpp"

namespace sinter::gpu {
inline namespace SINTER_GPU_SYSTEM {
inline namespace SINTER_ISA {

template <class Kernel> struct tiles;
template <template <class, class, class> class Product, class T, class... Slot, class... Step>
struct tiles<Product<T, types<Slot...>, types<Step...>>> : product_loops<Product<T, types<Slot...>, types<Step...>>> {
  using base = product_loops<Product<T, types<Slot...>, types<Step...>>>;
  using base::all, base::is_mapped, base::l, base::map, base::n, base::start;
  using slots = types<Slot...>;
  using steps = types<Step...>;
  static constexpr int side = 64, deep = 16, lanes = 256, own = 4;  // a thread has own x own elements of a tile
  static constexpr int loads = side * deep / lanes;
  static constexpr int line_size = side + 4;  // so that threads that write along the depth meet fewer others

  struct shared {  // each twice: while one is read, the other is written
    T first[2][deep][line_size], second[2][deep][line_size];
    std::int64_t at[2][deep][all];  // what an index of the depth adds to the places
  };

  int rows_at = 0, columns_at = 0, depth_at = 0;  // the first loop of each
  std::int64_t rows = 0, columns = 0, depth = 0, row_tiles = 0, column_tiles = 0;
  bool by_depth[2]{};  // whether neighbours along the depth are neighbours in memory

  tiles(launch const& from, pointer const* p) : base(from, p) {
    depth_at = l.rank - map.depth;
    columns_at = depth_at - map.columns;
    rows_at = columns_at - map.rows;
    rows = l.turns(rows_at, columns_at);
    columns = l.turns(columns_at, depth_at);
    depth = l.turns(depth_at, l.rank);
    row_tiles = (rows + side - 1) / side;
    column_tiles = (columns + side - 1) / side;
    by_depth[0] = lies_along_depth<0>(slots{}, steps{}, l);
    by_depth[1] = lies_along_depth<1>(slots{}, steps{}, l);
  }
  // Whether tiles are filled well enough.
  bool is_worth_it() const { return rows >= side / 4 && columns >= side / 4 && depth >= deep / 2; }
  std::int64_t size() const { return l.turns(0, rows_at) * row_tiles * column_tiles; }

  // One tile, by all threads of a block.
  template <class Team> SINTER_HD void operator()(std::int64_t tile, Team team, shared& memory) const {
    int const lane = static_cast<int>(team.lane());
    std::int64_t const column = tile % column_tiles * side, row = tile / column_tiles % row_tiles * side;
    cursor<all> batch = start;
    l.seek(batch, 0, rows_at, tile / column_tiles / row_tiles);
    loader<0> const first(*this, batch, lane, is_mapped ? column : row);
    loader<1> const second(*this, batch, lane, is_mapped ? row : column);

    T sum[own][own]{}, next_first[loads], next_second[loads];
    team.meet();  // the threads have read what the tile before left
    seek_depth(memory.at[0], 0, lane);
    team.meet();
    first.load(*this, next_first, memory.at[0], depth);
    second.load(*this, next_second, memory.at[0], depth);
    for (std::int64_t k = 0, half = 0; k < depth; k += deep, half = 1 - half) {
      first.store(memory.first[half], next_first);
      second.store(memory.second[half], next_second);
      seek_depth(memory.at[1 - half], k + deep, lane);
      team.meet();
      first.load(*this, next_first, memory.at[1 - half], depth - k - deep);  // on its way while this part is multiplied
      second.load(*this, next_second, memory.at[1 - half], depth - k - deep);
      add(sum, is_mapped ? memory.second[half] : memory.first[half], is_mapped ? memory.first[half] : memory.second[half], lane);
    }
    SINTER_UNROLL
    for (int i = 0; i < own * own; ++i) {
      std::int64_t const r = row + row_of(lane) + i / own, c = column + column_of(lane) + i % own;
      if (r < rows && c < columns) finish(batch, r, c, sum[i / own][i % own]);
    }
  }

 private:
  static SINTER_HD int row_of(int lane) { return lane / (side / own) * own; }
  static SINTER_HD int column_of(int lane) { return lane % (side / own) * own; }

  // What a thread loads of factor Which: a place along the rows or columns, with `loads` of the depth.
  template <int Which> struct loader {
    cursor<all> at;  // without the depth
    int place, from, step;
    bool exists;

    SINTER_HD loader(tiles const& t, cursor<all> const& batch, int lane, std::int64_t tile) : at(batch) {
      constexpr bool of_rows = (Which == 0) != is_mapped;
      bool const along = t.by_depth[Which];
      place = along ? lane / (deep / loads) : lane % side;
      from = along ? lane % (deep / loads) * loads : lane / side;
      step = along ? 1 : lanes / side;
      exists = tile + place < (of_rows ? t.rows : t.columns);
      if (exists) t.l.seek(at, of_rows ? t.rows_at : t.columns_at, of_rows ? t.columns_at : t.depth_at, tile + place);
    }
    SINTER_HD void load(tiles const& t, T (&to)[loads], std::int64_t const (&offsets)[deep][all], std::int64_t left) const {
      SINTER_UNROLL
      for (int i = 0; i < loads; ++i) {
        int const k = from + i * step;
        to[i] = T{};
        if (!exists || k >= left) continue;
        cursor<all> c = at;
        for (int j = 0; j < all; ++j) c.at[j] += offsets[k][j];
        to[i] = t.template factor<Which>(c);
      }
    }
    SINTER_HD void store(T (&to)[deep][line_size], T const (&values_of)[loads]) const {
      SINTER_UNROLL
      for (int i = 0; i < loads; ++i) to[from + i * step][place] = values_of[i];
    }
  };
  SINTER_HD void seek_depth(std::int64_t (&to)[deep][all], std::int64_t from, int lane) const {
    if (lane >= deep || from + lane >= depth) return;
    cursor<all> c;
    l.seek(c, depth_at, l.rank, from + lane);
    for (int j = 0; j < all; ++j) to[lane][j] = c.at[j];
  }
  // An element of a factor; zero where the windows show none.
  template <int Which> SINTER_HD T factor(cursor<all> const& c) const {
    if constexpr (is_mapped && Which == 0)
      if (!inside(map, c.at + n)) return T{};
    return factor_at<Which, T>(slots{}, steps{}, l, c);
  }
  static SINTER_HD void add(T (&sum)[own][own], T const (&of_rows)[deep][line_size], T const (&of_columns)[deep][line_size], int lane) {
    int const row = row_of(lane), column = column_of(lane);
    SINTER_UNROLL
    for (int k = 0; k < deep; ++k) {
      T a[own], b[own];
      SINTER_UNROLL
      for (int i = 0; i < own; ++i) {
        a[i] = of_rows[k][row + i];
        b[i] = of_columns[k][column + i];
      }
      SINTER_UNROLL
      for (int i = 0; i < own * own; ++i) sum[i / own][i % own] = multiply_add(a[i / own], b[i % own], sum[i / own][i % own]);
    }
  }
  // The steps behind the product, for one element of the result.
  SINTER_HD void finish(cursor<all> c, std::int64_t row, std::int64_t column, T sum) const {
    l.seek(c, rows_at, columns_at, row);
    l.seek(c, columns_at, depth_at, column);
    finish_element<product_step(steps{})>(slots{}, steps{}, l, c, sum);
  }
};

}  // namespace SINTER_ISA
}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter::gpu
