// SPDX-License-Identifier: Apache-2.0
// What the windows of a product show, laid out once: each channel in planes with its zeros around it, one plane for each remainder of a step.
// There a turn of the depth is one offset, and neighbouring columns lie side by side whatever the padding, the step and the dilation, so that a
// convolution copies its panels by vectors and computes each element that it reads once.
#pragma once
#include <limits>
#include <numeric>

#include "along.hpp"
#include "lines.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace kernels {

template <class T, int N> class planes {
  using nest = kernels::nest<N>;
  using panels = kernels::panels<T, N>;
  using batch = xsimd::batch<T>;
  using tile = product_detail::tile_shape<T>;
  using line_sums = kernels::line_sums<T>;
  // A loop of the columns and, where a window has one, the loop of the depth beside it. Of the depth's turns every `period`th reads the same
  // plane, and each turn reads it `turn * dilation / step` elements further on. All planes of a channel are equally large, and `plane` is how far they
  // lie apart.
  struct axis {
    int column = 0, depth = -1;
    window const* w = nullptr;
    std::int64_t turns = 1, columns = 1, shown = 1, step = 1, dilation = 1, period = 1, length = 1, pitch = 1, plane = 0;
    std::int64_t steps(std::int64_t places) const { return step == 1 ? places : places / step; }
    std::int64_t shift(std::int64_t turn) const { return steps(turn * dilation); }
    std::int64_t planes() const { return std::min(shown, period); }
    // The columns that show an element in a turn of the depth: [first, last).
    std::int64_t first(std::int64_t turn) const { return w ? steps(step - 1 - std::min(w->place(0, turn), step - 1)) : 0; }
    std::int64_t last(std::int64_t turn) const {
      if (!w) return turns;
      std::int64_t const left = w->extent - 1 - w->place(0, turn);
      return left < 0 ? 0 : steps(left) + 1;
    }
  };

 public:
  // With so few rows a column's elements are read so seldom that panels of them would cost more than the sums. These are then computed a block of
  // columns at once.
  static constexpr std::int64_t few_rows = kernel::few_rows;
  static constexpr index block = 512;

  explicit planes(nest const& z) : z_(z) {
    for (int c = z.columns; c < z.depth; ++c) axes_[count_++] = axis_of(c);
    std::int64_t columns = 1;
    for (int i = count_; i-- > 0; columns *= axes_[i].turns) {
      axes_[i].columns = columns;
      axes_[i].pitch = size_;
      size_ *= axes_[i].length;
    }
    one_plane_ = size_;
    for (int i = count_; i-- > 0; size_ *= axes_[i].planes()) axes_[i].plane = size_;
    channel_ = size_;
    for (int d = z.depth; d < z.end; ++d)
      if (!is_shown(d)) size_ *= z.extent[d];
  }
  // Whether the windows overlap, so that elements are read often enough to be laid out, and these are not too many to keep. (Where windows lie side
  // by side, laying out costs as much as it gives.)
  bool is_worth_it() const {
    return z_.windows > 0 && (z_.m <= few_rows ? size_ <= z_.n * z_.k : 5 * size_ <= 4 * z_.n * z_.k) && size_ <= largest;
  }
  // Whether operand `first` is a matrix whose columns lie apart, as those of a convolution of 1 x 1 in steps: without windows the planes are the
  // same matrix row by row.
  bool is_strided_matrix(int first) const {
    return z_.windows == 0 && z_.m > few_rows && z_.stride(first, z_.depth - 1) != 1 && size_ <= largest;
  }
  // Whether operand `first` lies as its planes would: there are no steps, and no zeros around it.
  bool lies_so(int first) const {
    for (int i = 0; i < count_; ++i) {
      axis const& a = axes_[i];
      if (a.step != 1 || (a.w && (a.w->place(0, 0) < 0 || a.w->place(a.turns - 1, a.shown - 1) >= a.w->extent))) return false;
      if (z_.stride(first, a.column) != a.pitch || (a.depth >= 0 && z_.stride(first, a.depth) != a.dilation * a.pitch)) return false;
    }
    std::int64_t channels = channel_;
    for (int d = z_.end - 1; d >= z_.depth; --d) {
      if (is_shown(d)) continue;
      if (z_.extent[d] > 1 && z_.stride(first, d) != channels) return false;
      channels *= z_.extent[d];
    }
    return true;
  }
  // Elements of memory: a vector that begins at an element may end behind the last of them.
  index size() const { return (size_ + tile::lanes + 15) / 16 * 16; }

  // Where each turn of the depth begins: for one loop of it after the other, the last of which turns fastest.
  void find_offsets(std::int32_t* to) const {
    if (z_.k == 0) return;
    std::int64_t channels = channel_, count = 1;
    to[0] = 0;
    for (int d = z_.end - 1; d >= z_.depth; --d) {
      int const i = axis_with(d);
      for (std::int64_t turn = z_.extent[d]; turn-- > 0;) {
        std::int64_t const by = i < 0 ? turn * channels : turn % axes_[i].period * axes_[i].plane + axes_[i].shift(turn) * axes_[i].pitch;
        for (std::int64_t k = 0; k < count; ++k) to[turn * count + k] = to[k] + static_cast<std::int32_t>(by);
      }
      if (i < 0) channels *= z_.extent[d];
      count *= z_.extent[d];
    }
  }
  // Writes the planes of one product.
  template <class Batch> void fill(Batch const& b, T* to) const {
    walk<Batch> w{*this, b, {0, 0, 0, b.from}, {}};
    w.channels(z_.end - 1, channel_, to);
    std::fill(to + size_, to + size(), T(0));
  }

  // ---- what the product reads

  struct filled {
    planes const& of;
    T const* data;
    std::int32_t const* offsets;
  };
  // Panels of columns [j, j + columns) in turns [k, k + count) of the depth, as the tiles read them.
  static void gather(void const* source, index j, index columns, index k, index count, T* to) {
    auto const& from = *static_cast<filled const*>(source);
    constexpr index width = tile::columns;
    for (index c = 0; c < columns && count > 0; c += width, to += width * count)
      from.of.panel(from, j + c, std::min(width, columns - c), k, count, c + width >= columns, to);
  }
  // Whether windows show an image of one channel in lines that `line_sums` knows.
  bool is_image() const {
    if (count_ != 2) return false;
    axis const &a = axes_[0], &b = axes_[1];
    bool const in_order = a.depth >= 0 && b.depth > a.depth, is_even = a.step == b.step && a.dilation == 1 && b.dilation == 1;
    return in_order && is_even && a.shown == b.shown && z_.k == a.shown * a.shown && line_sums::knows(a.shown, a.step) &&
           a.turns >= line_sums::at_once / 2 && b.turns <= line_sums::longest && a.w->extent > 0 && b.w->extent > 0 &&
           b.w->extent <= line_sums::most_columns;
  }
  index window_size() const { return static_cast<index>(axes_[0].shown); }
  index step() const { return static_cast<index>(axes_[0].step); }
  // Whether operand `first` has its elements side by side in them.
  bool lies_in_lines(int first) const {
    axis const &a = axes_[0], &b = axes_[1];
    return z_.stride(first, b.depth) == 1 && z_.stride(first, b.column) == b.step &&
           z_.stride(first, a.column) == a.step * z_.stride(first, a.depth);
  }
  // The image where it lies; `begin` is where its first window begins.
  kernels::image<T> image_at(T const* begin, int first) const {
    window const &a = *axes_[0].w, &b = *axes_[1].w;
    auto const pitch = static_cast<index>(z_.stride(first, axes_[0].depth));
    auto const top = static_cast<index>(-a.place(0, 0)), left = static_cast<index>(-b.place(0, 0));
    return {begin + top * pitch + left, pitch, static_cast<index>(a.extent), static_cast<index>(b.extent), top, left};
  }
  // The same in a plane, which has the zeros.
  kernels::image<T> image_in(filled const& from) const {
    constexpr index all = std::numeric_limits<index>::max() / 2;
    return {from.data, static_cast<index>(axes_[0].pitch), all, all, 0, 0};
  }
  // The columns of the last axis are a line. Lines lie in a plane in their order, with gaps between them: where a column lies, and how many columns
  // there are with the gaps.
  index line() const { return static_cast<index>(axes_[count_ - 1].turns); }
  index lines() const { return static_cast<index>(z_.n) / line(); }
  index place(index column) const {
    index at = 0;
    for (int i = count_; i-- > 0; column /= axes_[i].turns) at += column % axes_[i].turns * axes_[i].pitch;
    return at;
  }
  index span() const { return place(static_cast<index>(z_.n) - 1) + 1; }
  // The iterations of the depth that lie side by side: those of its innermost loops that windows name, if each step is one element or one line.
  run_of_lines run_of_depth() const {
    auto const is_in_steps_of_one = [&](int i, int depth) {
      return i >= 0 && axes_[i].w && axes_[i].depth == depth && axes_[i].step == 1 && axes_[i].dilation == 1;
    };
    int const last = count_ - 1;
    if (!is_in_steps_of_one(last, z_.end - 1)) return {};
    run_of_lines r{1, static_cast<index>(axes_[last].shown), static_cast<index>(axes_[last].length), 1};
    if (is_in_steps_of_one(last - 1, z_.end - 2)) r = {static_cast<index>(axes_[last - 1].shown), r.line, r.pitch, 2};
    return r;
  }
  // Columns [j, j + count) of a row, whose elements in the second operand are `row`: sums in ascending k, as those of a tile. Several vectors
  // at once, whatever lines they are of. Behind the last sum stands room for a vector.
  static void sum(filled const& from, T const* row, index j, index count, T* to) {
    planes const& p = from.of;
    axis const& line = p.axes_[p.count_ - 1];
    std::int64_t const lines = p.count_ > 1 ? p.axes_[p.count_ - 2].turns : 1;  // that are one after the other in memory
    index at = static_cast<index>(j % line.turns);
    std::int64_t turn = j / line.turns % lines;
    T const* data[at_once];
    T* sums[at_once];
    std::size_t n = 0;
    T const* begin = from.data + p.place(j);
    while (count > 0) {
      index const some = std::min(count, static_cast<index>(line.turns) - at);
      for (index v = 0; v < some; v += tile::lanes) {
        data[n] = begin + v;
        sums[n++] = to + v;
        if (n == at_once) {
          p.sums<at_once>(data, row, from.offsets, sums);
          n = 0;
        }
      }
      j += some;
      count -= some;
      to += some;
      if (++turn < lines) begin += p.axes_[p.count_ - 2].pitch - at;
      else if (count > 0) begin = from.data + p.place(j);
      if (turn == lines) turn = 0;
      at = 0;
    }
    if (n == 0) return;
    // The places that are left repeat the last vector.
    constexpr std::size_t half = at_once / 2;
    std::size_t const all = n > half ? at_once : half;
    std::fill(data + n, data + all, data[n - 1]);
    std::fill(sums + n, sums + all, sums[n - 1]);
    if (n > half) p.sums<at_once>(data, row, from.offsets, sums);
    else p.sums<half>(data, row, from.offsets, sums);
  }

 private:
  static constexpr std::int64_t largest = 1 << 26;
  static constexpr std::size_t at_once = product_detail::registers == 32 ? 8 : 4;  // vectors of sums
  nest const& z_;
  axis axes_[max_loop];
  int count_ = 0;
  std::int64_t size_ = 1, one_plane_ = 1, channel_ = 1;

  axis axis_of(int column) const {
    axis a;
    a.column = column;
    a.turns = a.length = z_.extent[column];
    for (int w = 0; w < z_.windows; ++w) {
      window const& v = z_.window_at[w];
      if (v.outer != column) continue;
      a.w = &v;
      a.depth = v.inner;
      a.shown = z_.extent[v.inner];
      a.step = v.step;
      a.dilation = v.dilation;
      a.period = v.step / std::gcd(v.step, v.dilation);
      a.length = a.shift(a.shown - 1) + a.turns;
    }
    return a;
  }
  int axis_with(int depth) const {
    for (int i = 0; i < count_; ++i)
      if (axes_[i].depth == depth) return i;
    return -1;
  }
  bool is_shown(int depth) const { return axis_with(depth) >= 0; }

  // Writes line after line: `strip` and `depth` are where it stands.
  template <class Batch> struct walk {
    planes const& p;
    Batch const& b;
    typename panels::strip strip;
    typename panels::depth depth;

    void move(typename panels::position& at, int loop, std::int64_t turns) const {
      [&]<std::size_t... J>(std::index_sequence<J...>) SINTER_INLINED {
        ((Batch::moves(static_cast<int>(J)) ? void(at.at[J] += turns * p.z_.stride(static_cast<int>(J), loop)) : void()), ...);
      }(std::make_index_sequence<static_cast<std::size_t>(N)>{});
    }
    // The loops of the depth that no window names, up to this one.
    void channels(int loop, std::int64_t pitch, T* to) {
      while (loop >= p.z_.depth && p.is_shown(loop)) --loop;
      if (loop < p.z_.depth) return lines(0, to);
      std::int64_t const extent = p.z_.extent[loop];
      for (std::int64_t t = 0; t < extent; ++t, to += pitch) {
        depth.turn[loop] = t;
        channels(loop - 1, pitch * extent, to);
        move(depth, loop, 1);
      }
      move(depth, loop, -extent);
    }
    void lines(int i, T* to) {
      axis const& a = p.axes_[i];
      for (std::int64_t u = 0; u < a.planes(); ++u, to += a.plane)
        spans(a, u, to, [&](std::int64_t columns, T* here) {
          if (i == p.count_ - 1) return b.copy(strip, depth, 0, static_cast<index>(columns), here);
          if (i == p.count_ - 2) return equal_lines(a, p.axes_[i + 1], columns, here);
          for (std::int64_t c = 0; c < columns; ++c, here += a.pitch) {
            lines(i + 1, here);
            strip.column += a.columns;
            move(strip.from, a.column, 1);
          }
          strip.column -= columns * a.columns;
          move(strip.from, a.column, -columns);
        });
    }
    // What the lines of an image have in common is found once.
    void equal_lines(axis const& a, axis const& line, std::int64_t columns, T* to) {
      T* from = to;
      for (std::int64_t u = 0; u < line.planes(); ++u, from += line.plane) {
        std::fill_n(from, columns * a.pitch, T(0));
        spans<false>(line, u, from, [&](std::int64_t count, T* here) {
          for (std::int64_t c = 0; c < columns; ++c, here += a.pitch) {
            b.copy(strip, depth, 0, static_cast<index>(count), here);
            strip.column += a.columns;
            move(strip.from, a.column, 1);
          }
          strip.column -= columns * a.columns;
          move(strip.from, a.column, -columns);
        });
      }
    }
    // Zeros in columns [first, last) of an axis, in all planes of the axes behind it.
    void zeros(axis const& a, T* here, std::int64_t first, std::int64_t last) const {
      std::int64_t const inner = a.plane / p.one_plane_;
      for (std::int64_t u = 0; u < inner; ++u, here += p.one_plane_) std::fill(here + first * a.pitch, here + last * a.pitch, T(0));
    }
    // A plane of one axis: for each turn of the depth the columns that those before have not written, with zeros where the window shows nothing.
    // Where columns follow one another in memory, the first turn goes on behind its last column.
    template <bool Zeros = true, class F> void spans(axis const& a, std::int64_t plane, T* to, F shown) {
      std::int64_t written = 0;
      for (std::int64_t turn = plane; turn < a.shown && written < a.length; turn += a.period) {
        std::int64_t const shift = a.shift(turn), columns = b.is_linear() ? a.length - shift : a.turns,
                           column = std::max(written, shift) - shift;
        if (column >= columns) continue;
        T* const here = to + shift * a.pitch;
        std::int64_t const low = std::clamp(a.first(turn), column, columns), high = std::clamp(a.last(turn), low, columns);
        if (Zeros) zeros(a, here, column, low);
        if (low < high) at(a, low, turn, [&] { shown(high - low, here + low * a.pitch); });
        if (Zeros) zeros(a, here, high, columns);
        written = shift + columns;
      }
    }
    template <class F> void at(axis const& a, std::int64_t column, std::int64_t turn, F f) {
      strip.column += column * a.columns;
      move(strip.from, a.column, column);
      if (a.depth >= 0) {
        depth.turn[a.depth] = turn;
        move(depth, a.depth, turn);
      }
      f();
      if (a.depth >= 0) move(depth, a.depth, -turn);
      move(strip.from, a.column, -column);
      strip.column -= column * a.columns;
    }
  };

  // A vector of a panel's row. One that is longer than its part of a line writes too much, and the next one writes there again.
  struct piece {
    index to, count;
    std::int64_t from;
  };
  void panel(filled const& from, index j, index columns, index k, index count, bool last, T* to) const {
    constexpr index width = tile::columns, lanes = tile::lanes;
    std::int64_t const line = axes_[count_ - 1].turns;
    piece pieces[static_cast<std::size_t>(width)];
    int n = 0;
    for (index c = 0; c < columns;) {
      index const some = std::min(columns - c, static_cast<index>(line - (j + c) % line));
      std::int64_t const at = place(j + c);
      for (index v = 0; v < some; v += lanes) pieces[n++] = {c + v, std::min(lanes, some - v), at + v};
      c += some;
    }
    index const safe = last ? count - 1 : count;  // rows behind which there is one more
    auto const rows = [&]<std::size_t... J>(std::index_sequence<J...>)
                          SINTER_INLINED { copy_rows(from, pieces, k, safe, to, std::index_sequence<J...>{}); };
    if (n == 1) rows(std::make_index_sequence<1>{});
    else if (n == 2) rows(std::make_index_sequence<2>{});
    else if (n == 3) rows(std::make_index_sequence<3>{});
    else if (n == 4) rows(std::make_index_sequence<4>{});
    else
      for (index q = 0; q < safe; ++q)
        for (int i = 0; i < n; ++i)
          batch::load_unaligned(from.data + from.offsets[k + q] + pieces[i].from).store_unaligned(to + q * width + pieces[i].to);
    if (!last) return;
    T const* const data = from.data + from.offsets[k + safe];
    for (int i = 0; i < n; ++i) std::copy_n(data + pieces[i].from, pieces[i].count, to + safe * width + pieces[i].to);
  }
  template <std::size_t... J>
  static void copy_rows(filled const& from, piece const* pieces, index k, index rows, T* to, std::index_sequence<J...>) {
    T const* const data[] = {from.data + pieces[J].from...};
    index const at[] = {pieces[J].to...};
    std::int32_t const* offsets = from.offsets + k;
    for (index q = 0; q < rows; ++q, to += tile::columns) {
      index const offset = offsets[q];
      (batch::load_unaligned(data[J] + offset).store_unaligned(to + at[J]), ...);
    }
  }
  template <std::size_t Width>
  SINTER_INLINE void sums(T const* const* data, T const* row, std::int32_t const* offsets, T* const* to) const {
    [&]<std::size_t... J>(std::index_sequence<J...>) SINTER_INLINED {
      T const* const from[] = {data[J]...};
      batch sum[] = {(static_cast<void>(J), batch(T(0)))...};
      for (std::int64_t k = 0; k < z_.k; ++k) {
        batch const w(row[k]);
        index const at = offsets[k];
        ((sum[J] = product_detail::fused(w, batch::load_unaligned(from[J] + at), sum[J])), ...);
      }
      (sum[J].store_unaligned(to[J]), ...);
    }(std::make_index_sequence<Width>{});
  }
};

}  // namespace kernels
}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
