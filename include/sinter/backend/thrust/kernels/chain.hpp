// SPDX-License-Identifier: Apache-2.0
// A product, a kernel over rows of what it gives, and a product with that, as attention has them: a block of threads computes some rows of
// one matrix. What lies between the three stays in the memory that the threads of a block share.
#pragma once
#include "epilogue.hpp"
#include "rows.hpp"

#include <algorithm>

namespace sinter::gpu {
inline namespace SINTER_GPU_SYSTEM {
inline namespace SINTER_ISA {

template <class... Kernel> struct chain {
  static constexpr bool possible = false;
};

// How a block divides its work: each thread adds up eight rows of four columns; of the last product, of a part of the depth.
struct chain_shape {
  static constexpr int lanes = 512, warps = lanes / 32, rows = 32, own_rows = 8, own_columns = 4;
  static constexpr int deep = 8;  // of the depth, for each warp
  // Of the first product a warp computes eight rows of as many columns, of the last all columns of 16 rows.
  static constexpr int first_columns = 32 * own_columns, row_groups = rows / own_rows, column_groups = warps / row_groups;
  static constexpr int last_columns = 16 * own_columns, last_rows = 2 * own_rows, last_groups = warps / (rows / last_rows);
  static constexpr int width = column_groups * first_columns;  // columns that all warps compute at once
  // Lines in shared memory are four elements longer, so that fewer threads meet. What is brought there is there twice: while one is read, the
  // other is written.
  static constexpr int padding = 4, own_line = rows + padding, first_line = width + padding, last_line = last_columns + padding;
  static constexpr int own_part = deep * own_line, first_part = deep * first_line, last_part = last_groups * deep * last_line;
  static constexpr int other_part = std::max(first_part, last_part);
  static_assert(last_groups / 2 * rows * last_columns <= 2 * other_part);
  static constexpr std::int64_t usual_bytes = 227 * 1024;  // that a block may share, since compute capability 9.0

  // The elements of a row of what lies between that the last product reads; from row to row; and all that is shared.
  static SINTER_HD constexpr std::int64_t depth(std::int64_t columns) { return (columns + deep - 1) / deep * deep; }
  static constexpr std::int64_t line(std::int64_t columns) { return depth(columns) + padding; }
  static constexpr std::int64_t shared(std::int64_t columns) { return rows * line(columns) + 2 * (own_part + other_part); }
};

// Whether rows may be written where they are read: nothing reads an element in a later phase than that which writes there first.
template <int Phases, class... Slot, class... Step> constexpr bool goes_in_place(types<Slot...> slots, types<Step...> steps) {
  int first = Phases;
  each(steps, [&]<class S>(auto, S) {
    if constexpr (!S::bits.row && (S::bits.store >= 0 || S::bits.keep >= 0)) first = S::bits.phase < first ? S::bits.phase : first;
  });
  bool r = true;
  each(steps, [&]<class S>(auto, S) {
    for (int p = first + 1; p < Phases; ++p) {
      bool const runs =
          S::reduces ? S::bits.phase - 1 == p : !S::bits.row && ((S::bits.needed >> p) & 1) && (S::bits.keep < 0 || p == S::bits.phase);
      each(slots, [&]<class O>(auto j, O) {
        if constexpr (!O::written && O::mode != access::zero && reads<j>(S{})) r = r && !runs;
      });
    }
  });
  return r;
}
template <class T, class... Slot> constexpr bool writes(types<Slot...>) {
  return ((!Slot::written || std::is_same_v<T, typename Slot::type>) && ...);
}

template <class T, class FirstSlots, class FirstSteps, class RowSlots, class RowSteps, int Phases, class LastSlots, class LastSteps>
  requires std::is_floating_point_v<T>
struct chain<product<T, FirstSlots, FirstSteps>, rows<RowSlots, RowSteps, Phases>, product<T, LastSlots, LastSteps>> {
  // The operand that the last product multiplies as it lies there; below 0 where that is computed first.
  static constexpr int multiplied = library_of<product<T, LastSlots, LastSteps>>::factor(0);
  static constexpr bool possible =
      writes<T>(FirstSlots{}) && writes<T>(RowSlots{}) && goes_in_place<Phases>(RowSlots{}, RowSteps{}) && multiplied >= 0;
  using shape = chain_shape;
  static constexpr int lanes = shape::lanes, own_rows = shape::own_rows, own_columns = shape::own_columns, deep = shape::deep;
  using sums = T[own_rows][own_columns];
  struct alignas(16) by_four {
    T v[4];
  };

  loops<FirstSlots::size> first;
  body<rows<RowSlots, RowSteps, Phases>> between;
  loops<LastSlots::size> last;
  int line = 0;  // elements from row to row of what lies between
  std::int64_t blocks = 0;  // of one matrix
  bool by_depth[3]{};  // the factors that are read from memory: whether neighbours along the depth are neighbours there

  // Whether what lies between is read as it was written, and fits.
  static constexpr bool fits(launch const* const* kernels, std::int64_t bytes) {
    launch const &a = *kernels[0], &b = *kernels[1], &c = *kernels[2];
    std::int64_t const columns = a.extent[a.rank - 2];
    auto const is_unit = [](launch const& l, int operand, int loop) { return l.stride[operand * max_loop + loop] == 1; };
    auto const is_small = [](launch const& l) { return l.extent[l.rank - 2] < 1 << 30 && l.extent[l.rank - 1] < 1 << 30; };
    return columns > 0 && is_small(a) && is_small(c) && b.rank - b.row_rank == 1 && b.extent[b.rank - 1] == columns &&
           c.extent[c.rank - 1] == columns && is_unit(a, FirstSlots::size - 1, a.rank - 2) && is_unit(b, RowSlots::size - 1, b.rank - 1) &&
           is_unit(c, multiplied, c.rank - 1) && shape::shared(columns) * static_cast<std::int64_t>(sizeof(T)) <= bytes;
  }
  // `p`: of each kernel; null for what lies between.
  chain(launch const* const* l, pointer const* const* p)
      : first(*l[0], p[0]), between(*l[1], p[1]), last(*l[2], p[2]), line(static_cast<int>(shape::line(between.count))) {
    blocks = (height() + shape::rows - 1) / shape::rows;
    by_depth[0] = lies_along_depth<0>(FirstSlots{}, FirstSteps{}, first);
    by_depth[1] = lies_along_depth<1>(FirstSlots{}, FirstSteps{}, first);
    by_depth[2] = lies_along_depth<1>(LastSlots{}, LastSteps{}, last);
    count_by_lines<FirstSlots>(first, first.rank - 2);
    count_by_lines<RowSlots>(between.l, between.l.row_rank);
    count_by_lines<LastSlots>(last, last.rank - 2);
  }
  std::int64_t size() const { return first.turns(0, first.rank - 3) * blocks; }
  std::size_t shared_bytes() const { return static_cast<std::size_t>(shape::shared(between.count)) * sizeof(T); }

  // Block `i` of rows, by all threads of a block; `memory` is theirs.
  template <class Team> SINTER_HD void operator()(std::int64_t i, Team team, unsigned char* memory) const {
    T* const values = reinterpret_cast<T*>(memory);
    room const m{values, values + shape::rows * line, values + shape::rows * line + 2 * shape::own_part};
    std::int64_t const within = i % blocks * shape::rows, row = i / blocks * height() + within;
    std::int64_t const left = height() - within;
    int const rows = left < shape::rows ? static_cast<int>(left) : shape::rows;
    multiply_first(team, row, rows, m);
    team.meet();
    run_rows(team, row, rows, m);
    multiply_last(team, row, rows, m);  // begins and ends with a meeting
  }

 private:
  struct room {
    T *between, *own, *others;
  };
  SINTER_HD std::int64_t height() const { return first.extent[first.rank - 3]; }
  // What lies between is counted from the first row of the block on.
  template <class Slots, int N> void count_by_lines(loops<N>& l, int row_loops) const {
    each(Slots{}, [&]<class S>(auto j, S) {
      if (is_between<S>(l.p[j]))
        for (int k = 0; k < row_loops; ++k) l.stride[j][k] = k + 1 == row_loops ? line : 0;
    });
  }
  template <class S> static SINTER_HD bool is_between(pointer p) { return p.template get<typename S::type>() == nullptr; }
  // Where the operands stand at the block's first row.
  template <class Slots, int N> SINTER_HD places<N> start(loops<N> const& l, int row_loops, std::int64_t row, room const& m) const {
    cursor<N> c;
    l.seek(c, 0, row_loops, row);
    places<N> p;
    each(Slots{}, [&]<class S>(auto j, S) {
      using U = typename S::type;
      U* from = l.p[j].template get<U>();
      if constexpr (std::is_same_v<U, T>) from = is_between<S>(l.p[j]) ? m.between : from + c.at[j];
      else from += c.at[j];
      p.at[j] = reinterpret_cast<std::byte*>(from);
    });
    return p;
  }

  // A part of a factor, on its way from memory to lines of shared memory: `Places` rows or columns of it and `Depths` of the depth; zeros
  // behind their ends. Neighbouring threads take neighbours along the depth, or along the other loop.
  template <int Places, int Depths, class Slots> struct part {
    static constexpr int most = (Places * Depths + lanes - 1) / lanes, line = Places + shape::padding;
    static constexpr int next_place = lanes / Depths,
                         next_depth = lanes / Places;  // from one element of a thread to the next, along or not
    T v[most];
    bool along;
    int place, depth, n;  // of the first element of this thread, and how many it has
    int present = 0;  // those that exist, but for the end of the depth
    places<Slots::size> at;  // of the first element
    steps_between<Slots::size> step, next;  // from one to the next; from part to part

    // `loop`: over the rows or columns.
    template <int N>
    SINTER_HD part(int lane, bool by_depth, loops<N> const& l, int loop)
        : along(by_depth),
          place(along ? lane / Depths : lane % Places),
          depth(along ? lane % Depths : lane / Places),
          n(lane < Places * Depths ? most : 0),
          step(along ? steps_of(Slots{}, l, loop, next_place) : steps_of(Slots{}, l, l.rank - 1, next_depth)),
          next(steps_of(Slots{}, l, l.rank - 1, Depths)) {}
    // How many of `all` that are `apart` lie before `left`.
    static SINTER_HD int before(int left, int apart, int all) {
      if (left <= 0) return 0;
      return left < all * apart ? (left + apart - 1) / apart : all;
    }
    // Goes to the first part of the rows or columns from `p` on, of which so many are left.
    template <int N> SINTER_HD void start(loops<N> const& l, places<N> const& p, int loop, std::int64_t left) {
      int const few = left < Places ? static_cast<int>(left) : Places;
      present = along ? before(few - place, next_place, n) : place < few ? n : 0;
      at = moved(Slots{}, moved(Slots{}, p, l, loop, place), l, l.rank - 1, depth);
    }
    // `left`: of the depth. Goes on to the next part.
    template <int Which, class Steps, int N> SINTER_HD void load(loops<N> const& l, int left) {
      int const count = left >= Depths ? present : along ? (depth < left ? present : 0) : before(left - depth, next_depth, present);
      auto p = at;
      if (count == most) {
        SINTER_UNROLL
        for (int k = 0; k < most; ++k, add_to(p, step)) v[k] = factor_at<Which, T>(Slots{}, Steps{}, l, p);
      } else {
        SINTER_UNROLL
        for (int k = 0; k < most; ++k, add_to(p, step)) {
          v[k] = T{};
          if (k < count) v[k] = factor_at<Which, T>(Slots{}, Steps{}, l, p);
        }
      }
      add_to(at, next);
    }
    SINTER_HD void store(T* to) const {
      if (n == 0) return;
      int const next_element = along ? next_place : next_depth * line;
      to += depth * line + place;
      SINTER_UNROLL
      for (int k = 0; k < most; ++k) to[k * next_element] = v[k];
    }
  };
  static SINTER_HD void add(sums& sum, T const (&of_rows)[own_rows], T const (&of_columns)[own_columns]) {
    SINTER_UNROLL
    for (int j = 0; j < own_columns; ++j) {
      SINTER_UNROLL
      for (int i = 0; i < own_rows; ++i) sum[i][j] = multiply_add(of_rows[i], of_columns[j], sum[i][j]);
    }
  }
  // The steps behind the product: `row` stands at the first row and column of this thread, of which so many are left; the next ones are so far.
  template <int NextRow, int NextColumn, class Slots, class Steps, int N>
  static SINTER_HD void finish(sums const& sum, loops<N> const& l, places<N> row, int rows, std::int64_t columns) {
    auto const by_row = steps_of(Slots{}, l, l.rank - 3, NextRow), by_column = steps_of(Slots{}, l, l.rank - 2, NextColumn);
    SINTER_UNROLL
    for (int i = 0; i < own_rows; ++i, add_to(row, by_row)) {
      auto p = row;
      SINTER_UNROLL
      for (int j = 0; j < own_columns; ++j, add_to(p, by_column))
        if (i * NextRow < rows && j * NextColumn < columns) finish_element<product_step(Steps{})>(Slots{}, Steps{}, l, p, sum[i][j]);
    }
  }

  template <class Team> SINTER_HD void multiply_first(Team team, std::int64_t from, int rows, room const& m) const {
    int const lane = static_cast<int>(team.lane()), warp = lane / 32, row_loop = first.rank - 3, column_loop = first.rank - 2;
    int const row = warp % shape::row_groups * own_rows, own_column = warp / shape::row_groups * shape::first_columns;
    int const all = static_cast<int>(first.extent[column_loop]), depth = static_cast<int>(first.extent[first.rank - 1]);
    auto const p = start<FirstSlots>(first, first.rank - 2, from, m);
    part<shape::rows, deep, FirstSlots> own(lane, by_depth[0], first, row_loop);
    part<shape::width, deep, FirstSlots> others(lane, by_depth[1], first, column_loop);
    int half = 0;
    for (int column = 0; column < all; column += shape::width) {
      sums sum{};
      own.start(first, p, row_loop, rows);
      others.start(first, moved(FirstSlots{}, p, first, column_loop, column), column_loop, all - column);
      auto const load = [&](int left) {
        own.template load<0, FirstSteps>(first, left);
        others.template load<1, FirstSteps>(first, left);
      };
      load(depth);
      for (int k = 0; k < depth; k += deep, half = 1 - half) {
        T* const a = m.own + half * shape::own_part;
        T* const b = m.others + half * shape::other_part;
        own.store(a);
        others.store(b);
        team.meet();
        load(depth - k - deep);  // on its way while this part is multiplied
        if (column + own_column >= all) continue;
        SINTER_UNROLL
        for (int i = 0; i < deep; ++i) {
          by_four const low = *reinterpret_cast<by_four const*>(a + i * shape::own_line + row),
                        high = *reinterpret_cast<by_four const*>(a + i * shape::own_line + row + 4);
          T const* const of_columns = b + i * shape::first_line + own_column + lane % 32;
          add(sum, {low.v[0], low.v[1], low.v[2], low.v[3], high.v[0], high.v[1], high.v[2], high.v[3]},
              {of_columns[0], of_columns[32], of_columns[64], of_columns[96]});
        }
      }
      int const own_first = column + own_column + lane % 32;
      finish<1, 32, FirstSlots, FirstSteps>(
          sum, first, moved(FirstSlots{}, moved(FirstSlots{}, p, first, row_loop, row), first, column_loop, own_first), rows - row,
          all - own_first);
    }
  }
  // A warp for each row. Behind its elements are zeros as far as the last product reads.
  template <class Team> SINTER_HD void run_rows(Team team, std::int64_t from, int rows, room const& m) const {
    auto const warp = team.warp();
    auto const p = start<RowSlots>(between.l, between.l.row_rank, from, m);
    for (int row = static_cast<int>(team.lane()) / 32; row < shape::rows; row += shape::warps) {
      if (row < rows) between.run_line(moved(RowSlots{}, p, between.l, between.l.row_rank - 1, row), warp);
      for (std::int64_t e = between.count + warp.lane(); e < shape::depth(between.count); e += warp.size()) m.between[row * line + e] = T{};
    }
  }
  template <class Team> SINTER_HD void multiply_last(Team team, std::int64_t from, int rows, room const& m) const {
    constexpr int width = shape::last_columns, at_once = shape::last_groups * deep;
    int const lane = static_cast<int>(team.lane()), group = lane / (lanes / shape::last_groups), column_loop = last.rank - 2;
    // Neighbouring rows belong to the halves of a warp, so that these read other parts of shared memory.
    int const row = lane / 32 % (shape::rows / shape::last_rows) * shape::last_rows + lane % 32 / 16, own_column = lane % 16 * own_columns;
    int const all = static_cast<int>(last.extent[column_loop]), depth = static_cast<int>(last.extent[last.rank - 1]);
    int const end = static_cast<int>(shape::depth(depth));
    auto const p = start<LastSlots>(last, last.rank - 2, from, m);
    part<width, at_once, LastSlots> others(lane, by_depth[2], last, column_loop);
    T const* const own = m.between + row * line + group * deep;
    int half = 0;
    for (int column = 0; column < all; column += width) {
      sums sum{};
      others.start(last, moved(LastSlots{}, p, last, column_loop, column), column_loop, all - column);
      others.template load<1, LastSteps>(last, depth);
      for (int k = 0; k < end; k += at_once, half = 1 - half) {
        T* const b = m.others + half * shape::other_part;
        others.store(b);
        team.meet();
        others.template load<1, LastSteps>(last, depth - k - at_once);
        if (k + group * deep < end) add_part(sum, own + k, b + group * deep * shape::last_line + own_column);
      }
      team.meet();
      add_groups(team, sum, m.others + row * width + own_column, group);
      if (group == 0)
        finish<2, 1, LastSlots, LastSteps>(
            sum, last, moved(LastSlots{}, moved(LastSlots{}, p, last, last.rank - 3, row), last, column_loop, column + own_column),
            rows - row, all - column - own_column);
    }
  }
  // So many rows of what lies between, each second, times a part of the second factor.
  SINTER_HD void add_part(sums& sum, T const* a, T const* b) const {
    SINTER_UNROLL
    for (int k = 0; k < deep; k += 4) {
      by_four v[own_rows];
      SINTER_UNROLL
      for (int i = 0; i < own_rows; ++i) v[i] = *reinterpret_cast<by_four const*>(a + 2 * i * line + k);
      SINTER_UNROLL
      for (int l = 0; l < 4; ++l) {
        by_four const w = *reinterpret_cast<by_four const*>(b + (k + l) * shape::last_line);
        add(sum, {v[0].v[l], v[1].v[l], v[2].v[l], v[3].v[l], v[4].v[l], v[5].v[l], v[6].v[l], v[7].v[l]},
            {w.v[0], w.v[1], w.v[2], w.v[3]});
      }
    }
  }
  // The sums of all parts of the depth, for the first group: one half gives its sums to the other. `to`: where this thread's stand in shared
  // memory, in which there is room for those of one half.
  template <class Team> static SINTER_HD void add_groups(Team team, sums& sum, T* to, int group) {
    constexpr int of_group = shape::rows * shape::last_columns;
    for (int half = shape::last_groups / 2; half > 0; half /= 2) {
      T* const meeting = to + group % half * of_group;
      if (group >= half && group < 2 * half) {
        SINTER_UNROLL
        for (int i = 0; i < own_rows; ++i)
          *reinterpret_cast<by_four*>(meeting + 2 * i * shape::last_columns) = {sum[i][0], sum[i][1], sum[i][2], sum[i][3]};
      }
      team.meet();
      if (group < half) {
        SINTER_UNROLL
        for (int i = 0; i < own_rows; ++i) {
          by_four const other = *reinterpret_cast<by_four const*>(meeting + 2 * i * shape::last_columns);
          SINTER_UNROLL
          for (int j = 0; j < own_columns; ++j) sum[i][j] = element::add(sum[i][j], other.v[j]);
        }
      }
      team.meet();
    }
  }
};

}  // namespace SINTER_ISA
}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter::gpu
