// SPDX-License-Identifier: Apache-2.0
// A product, a kernel over rows of what it gives, and a product with that, as attention has them: a block of threads computes some rows of
// one matrix. What lies between the three stays in the memory that the threads of a block share.
#pragma once
#include "epilogue.hpp"
#include "rows.hpp"

namespace sinter::gpu {
inline namespace SINTER_GPU_SYSTEM {
inline namespace SINTER_ISA {

template <class... Kernel> struct chain {
  static constexpr bool possible = false;
};

// How a block divides its work: each warp computes eight rows of some columns, or of a part of the depth.
struct chain_shape {
  static constexpr int lanes = 512, warps = lanes / 32, rows = 32, own_rows = 8, row_groups = rows / own_rows, groups = warps / row_groups;
  static constexpr int first_columns = 128, last_columns = 64;  // of a warp
  static constexpr int width = groups * first_columns;          // columns that all warps compute at once
  static constexpr int deep = 8;                                // of the depth, for each group
  // Lines in shared memory are four elements longer, so that fewer threads meet. What is brought there is there twice: while one is read, the
  // other is written.
  static constexpr int padding = 4, own_line = rows + padding, first_line = width + padding, last_line = last_columns + padding;
  static constexpr int own_part = deep * own_line, other_part = deep * first_line;
  static_assert(groups * deep * last_line <= other_part && (groups - 1) * rows * last_columns <= 2 * other_part);
  static constexpr std::int64_t usual_bytes = 227 * 1024;  // that a block may share, since compute capability 9.0

  // Elements from row to row of what lies between, and of all that is shared.
  static constexpr std::int64_t line(std::int64_t columns) { return (columns + deep - 1) / deep * deep; }
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
  static constexpr int lanes = shape::lanes, own_rows = shape::own_rows, deep = shape::deep;
  struct alignas(16) by_four {
    T v[4];
  };

  loops<FirstSlots::size> first;
  body<rows<RowSlots, RowSteps, Phases>> between;
  loops<LastSlots::size> last;
  std::int64_t line = 0, blocks = 0;  // elements from row to row of what lies between; blocks of one matrix
  bool by_depth[3]{};  // the factors that are read from memory: whether neighbours along the depth are neighbours there

  // Whether what lies between is read as it was written, and fits.
  static constexpr bool fits(launch const* const* kernels, std::int64_t bytes) {
    launch const &a = *kernels[0], &b = *kernels[1], &c = *kernels[2];
    std::int64_t const columns = a.extent[a.rank - 2];
    auto const is_unit = [](launch const& l, int operand, int loop) { return l.stride[operand * max_loop + loop] == 1; };
    return columns > 0 && b.rank - b.row_rank == 1 && b.extent[b.rank - 1] == columns && c.extent[c.rank - 1] == columns &&
           is_unit(a, FirstSlots::size - 1, a.rank - 2) && is_unit(b, RowSlots::size - 1, b.rank - 1) &&
           is_unit(c, multiplied, c.rank - 1) && shape::shared(columns) * static_cast<std::int64_t>(sizeof(T)) <= bytes;
  }
  // `p`: of each kernel; null for what lies between.
  chain(launch const* const* l, pointer const* const* p)
      : first(*l[0], p[0]), between(*l[1], p[1]), last(*l[2], p[2]), line(shape::line(between.count)) {
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
  // Where the operands stand at the block's first row. What lies between has no place of its own: its cursor alone says where it is.
  template <class Slots, int N> SINTER_HD cursor<N> start(loops<N> const& l, int row_loops, std::int64_t row, room const& m) const {
    cursor<N> c;
    l.seek(c, 0, row_loops, row);
    each(Slots{}, [&]<class S>(auto j, S) {
      if constexpr (std::is_same_v<typename S::type, T>)
        if (is_between<S>(l.p[j])) c.at[j] = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(m.between) / sizeof(T));
    });
    return c;
  }
  template <int N> static SINTER_HD cursor<N> moved(cursor<N> c, loops<N> const& l, int loop, std::int64_t turns) {
    for (int j = 0; j < N; ++j) c.at[j] += turns * l.stride[j][loop];
    return c;
  }

  // A part of a factor, on its way from memory to lines of shared memory: `Places` rows or columns of it and `Depths` of the depth; zeros
  // behind their ends. Neighbouring threads take neighbours along the depth, or along the other loop.
  template <int Places, int Depths> struct part {
    static constexpr int most = (Places * Depths + lanes - 1) / lanes, line = Places + shape::padding;
    static constexpr int next_place = lanes / Depths,
                         next_depth = lanes / Places;  // from one element of a thread to the next, along or not
    T v[most];
    bool along;
    int place, depth, n;  // of the first element of this thread, and how many it has
    int present = 0;  // those that exist, but for the end of the depth

    SINTER_HD part(int lane, bool by_depth)
        : along(by_depth),
          place(along ? lane / Depths : lane % Places),
          depth(along ? lane % Depths : lane / Places),
          n(lane < Places * Depths ? most : 0) {}
    // How many of `n` that are `step` apart lie before `left`.
    static SINTER_HD int before(std::int64_t left, int step, int n) {
      if (left <= 0) return 0;
      return left < std::int64_t{n} * step ? (static_cast<int>(left) + step - 1) / step : n;
    }
    // How many rows or columns are left; the cursor goes to the first element.
    template <int N> SINTER_HD cursor<N> start(loops<N> const& l, cursor<N> const& c, int loop, std::int64_t left) {
      present = along ? before(left - place, next_place, n) : place < left ? n : 0;
      return moved(moved(c, l, loop, place), l, l.rank - 1, depth);
    }
    // `left`: of the depth. The cursor goes to the next part.
    template <int Which, class Slots, class Steps, int N>
    SINTER_HD void load(loops<N> const& l, cursor<N>& c, cursor<N> const& step, cursor<N> const& next, std::int64_t left) {
      int const count = along ? (depth < left ? present : 0) : before(left - depth, next_depth, present);
      cursor<N> at = c;
      SINTER_UNROLL
      for (int k = 0; k < most; ++k) {
        v[k] = T{};
        if (k < count) v[k] = factor_at<Which, T>(Slots{}, Steps{}, l, at);
        add_to(at, step);
      }
      add_to(c, next);
    }
    template <int N> SINTER_HD cursor<N> step(loops<N> const& l, int loop) const {
      return moved(moved(cursor<N>{}, l, loop, along ? next_place : 0), l, l.rank - 1, along ? 0 : next_depth);
    }
    SINTER_HD void store(T* to) const {
      if (n == 0) return;
      int const step = along ? next_place : next_depth * line;
      to += depth * line + place;
      SINTER_UNROLL
      for (int k = 0; k < most; ++k) to[k * step] = v[k];
    }
  };
  template <int Columns> static SINTER_HD void add(T (&sum)[own_rows][Columns], T const (&a)[own_rows], T const* b) {
    SINTER_UNROLL
    for (int j = 0; j < Columns; ++j) {
      T const v = b[j * 32];
      SINTER_UNROLL
      for (int i = 0; i < own_rows; ++i) sum[i][j] = multiply_add(a[i], v, sum[i][j]);
    }
  }
  // The steps behind the product: `c` stands at the first row and column of this thread, of which so many are left.
  template <int Columns, class Slots, class Steps, int N>
  static SINTER_HD void finish(T const (&sum)[own_rows][Columns], loops<N> const& l, cursor<N> c, int rows, std::int64_t columns) {
    cursor<N> const by_row = moved(cursor<N>{}, l, l.rank - 3, 1), by_column = moved(cursor<N>{}, l, l.rank - 2, 32);
    SINTER_UNROLL
    for (int i = 0; i < own_rows; ++i) {
      cursor<N> at = c;
      SINTER_UNROLL
      for (int j = 0; j < Columns; ++j) {
        if (i < rows && j * 32 < columns) finish_element<product_step(Steps{})>(Slots{}, Steps{}, l, at, sum[i][j]);
        add_to(at, by_column);
      }
      add_to(c, by_row);
    }
  }

  template <class Team> SINTER_HD void multiply_first(Team team, std::int64_t from, int rows, room const& m) const {
    constexpr int columns = shape::first_columns / 32;
    int const lane = static_cast<int>(team.lane()), warp = lane / 32, depth_loop = first.rank - 1;
    int const row = warp % shape::row_groups * own_rows, own_column = warp / shape::row_groups * shape::first_columns;
    std::int64_t const all = first.extent[first.rank - 2], depth = first.extent[depth_loop];
    auto const c = start<FirstSlots>(first, first.rank - 2, from, m);
    part<shape::rows, deep> own(lane, by_depth[0]);
    part<shape::width, deep> others(lane, by_depth[1]);
    auto const own_step = own.step(first, first.rank - 3), step = others.step(first, first.rank - 2);
    auto const next = moved(decltype(c){}, first, depth_loop, deep);
    int half = 0;
    for (std::int64_t column = 0; column < all; column += shape::width) {
      T sum[own_rows][columns]{};
      auto own_at = own.start(first, c, first.rank - 3, rows);
      auto at = others.start(first, moved(c, first, first.rank - 2, column), first.rank - 2, all - column);
      auto const load = [&](std::int64_t left) {
        own.template load<0, FirstSlots, FirstSteps>(first, own_at, own_step, next, left);
        others.template load<1, FirstSlots, FirstSteps>(first, at, step, next, left);
      };
      load(depth);
      for (std::int64_t k = 0; k < depth; k += deep, half = 1 - half) {
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
          T const of_rows[own_rows]{low.v[0], low.v[1], low.v[2], low.v[3], high.v[0], high.v[1], high.v[2], high.v[3]};
          add(sum, of_rows, b + i * shape::first_line + own_column + lane % 32);
        }
      }
      std::int64_t const own_first = column + own_column + lane % 32;
      finish<columns, FirstSlots, FirstSteps>(sum, first, moved(moved(c, first, first.rank - 3, row), first, first.rank - 2, own_first),
                                              rows - row, all - own_first);
    }
  }
  // A warp for each row. Behind its elements are zeros as far as the last product reads.
  template <class Team> SINTER_HD void run_rows(Team team, std::int64_t from, int rows, room const& m) const {
    auto const warp = team.warp();
    auto const c = start<RowSlots>(between.l, between.l.row_rank, from, m);
    for (int row = static_cast<int>(team.lane()) / 32; row < shape::rows; row += shape::warps) {
      if (row < rows) between.template run_at<true>(moved(c, between.l, between.l.row_rank - 1, row), warp);
      for (std::int64_t e = between.count + warp.lane(); e < line; e += warp.size()) m.between[row * line + e] = T{};
    }
  }
  template <class Team> SINTER_HD void multiply_last(Team team, std::int64_t from, int rows, room const& m) const {
    constexpr int width = shape::last_columns, columns = width / 32, at_once = shape::groups * deep;
    int const lane = static_cast<int>(team.lane()), warp = lane / 32, group = warp / shape::row_groups;
    int const row = warp % shape::row_groups * own_rows;
    std::int64_t const all = last.extent[last.rank - 2], depth = last.extent[last.rank - 1];
    auto const c = start<LastSlots>(last, last.rank - 2, from, m);
    part<width, at_once> others(lane, by_depth[2]);
    auto const step = others.step(last, last.rank - 2), next = moved(decltype(c){}, last, last.rank - 1, at_once);
    int half = 0;
    for (std::int64_t column = 0; column < all; column += width) {
      T sum[own_rows][columns]{};
      auto at = others.start(last, moved(c, last, last.rank - 2, column), last.rank - 2, all - column);
      others.template load<1, LastSlots, LastSteps>(last, at, step, next, depth);
      for (std::int64_t k = 0; k < line; k += at_once, half = 1 - half) {
        T* const b = m.others + half * shape::other_part;
        others.store(b);
        team.meet();
        others.template load<1, LastSlots, LastSteps>(last, at, step, next, depth - k - at_once);
        std::int64_t const own_depth = k + group * deep;
        if (own_depth < line) add_part(sum, m.between + row * line + own_depth, b + group * deep * shape::last_line + lane % 32);
      }
      team.meet();
      add_groups(team, sum, m.others + row * width + lane % 32, group);
      if (group == 0)
        finish<columns, LastSlots, LastSteps>(sum, last, moved(moved(c, last, last.rank - 3, row), last, last.rank - 2, column + lane % 32),
                                              rows - row, all - column - lane % 32);
      team.meet();
    }
  }
  // So many rows of what lies between, times a part of the second factor.
  template <int Columns> SINTER_HD void add_part(T (&sum)[own_rows][Columns], T const* a, T const* b) const {
    SINTER_UNROLL
    for (int k = 0; k < deep; k += 4) {
      by_four v[own_rows];
      SINTER_UNROLL
      for (int i = 0; i < own_rows; ++i) v[i] = *reinterpret_cast<by_four const*>(a + i * line + k);
      SINTER_UNROLL
      for (int l = 0; l < 4; ++l) {
        T of_rows[own_rows];
        SINTER_UNROLL
        for (int i = 0; i < own_rows; ++i) of_rows[i] = v[i].v[l];
        add(sum, of_rows, b + (k + l) * shape::last_line);
      }
    }
  }
  // The sums of all parts of the depth, for the first group. `to`: where this thread's stand in shared memory.
  template <int Columns, class Team> static SINTER_HD void add_groups(Team team, T (&sum)[own_rows][Columns], T* to, int group) {
    constexpr int of_group = shape::rows * shape::last_columns;
    for (int i = 0; group > 0 && i < own_rows; ++i)
      for (int j = 0; j < Columns; ++j) to[(group - 1) * of_group + i * shape::last_columns + j * 32] = sum[i][j];
    team.meet();
    for (int g = 1; group == 0 && g < shape::groups; ++g)
      for (int i = 0; i < own_rows; ++i)
        for (int j = 0; j < Columns; ++j) sum[i][j] = element::add(sum[i][j], to[(g - 1) * of_group + i * shape::last_columns + j * 32]);
  }
};

}  // namespace SINTER_ISA
}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter::gpu
