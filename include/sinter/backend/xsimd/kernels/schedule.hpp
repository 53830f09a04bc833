// SPDX-License-Identifier: Apache-2.0
// How a product with a map is computed. The second operand gives the rows of the tiles. The first, which is read through windows, gives the
// columns: from where it lies, where these are the rows of a matrix or, with few rows, lines of an image (lines.hpp); from planes, where
// windows overlap or the columns of a matrix lie apart (planes.hpp), which tiles read where they lie, gaps between the lines included, or in
// panels; gathered through the windows otherwise (panels.hpp). With many rows, the columns give the rows of the tiles instead (pixels.hpp). The sums
// are the same in all of them, but where the depth runs along lines of planes (along.hpp): that is chosen by the loops alone.
#pragma once
#include "pixels.hpp"
#include "planes.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace kernels {

// Of a launch with N operands in memory, the second operand of the product among them at `second`, and the first at `first`; -1: it is computed.
// `weights` is the second operand as `pack` writes it, or nullptr. A batch is one product of it, as of panels.hpp.
template <class T, int N, rows_of_product Rows = rows_of_product::any, bool MayBeAlong = true> class schedule {
  using nest = kernels::nest<N>;
  using planes = kernels::planes<T, N>;
  using pixel_tiles = kernels::pixel_tiles<T>;
  using line_sums = kernels::line_sums<T>;
  using sums_along = kernels::sums_along<T>;
  using tile = product_detail::tile_shape<T>;
  using task = product_detail::task<T>;
  static constexpr bool may_be_few = Rows <= rows_of_product::few;
  static constexpr bool has_pixels = pixel_tiles::are_known && (pixel_tiles::always || Rows != rows_of_product::few);

 public:
  schedule(nest const& z, int first, int second, T const* weights = nullptr)
      : z_(z),
        planes_(z),
        sums_lines_(may_be_few && z.m <= planes::few_rows && planes_.is_image() &&
                    (first < 0 ? planes_.step() == 1 : planes_.lies_in_lines(first))),
        has_planes_(!(sums_lines_ && first >= 0) && planes_.is_worth_it()),
        is_matrix_(!has_planes_ && first >= 0 && z.windows == 0 && z.end - z.depth == 1 && z.lies_in_a_row(first, z.columns, z.depth)),
        is_laid_out_(!has_planes_ && !is_matrix_ && first >= 0 && planes_.is_strided_matrix(first)),
        first_(first),
        second_(second),
        weights_(weights),
        lies_apart_(!(z.columns - z.rows == 1 && z.lies_in_a_row(second, z.depth, z.end))),
        is_shared_(stands_still(z, second) && z.batches > 1 && z.m * z.k <= most_shared),
        tiles_(tiles_of(z, lies_apart_ && !is_shared_)) {
    along_ = run_to_sum_along();
    is_of_pixels_ = along_.lines == 0 && suits_pixels();
    lies_as_planes_ = is_of_pixels_ && has_planes_ && first >= 0 && planes_.lies_so(first);
    if (!has_planes_ && !is_of_pixels_) return;
    std::int64_t const more = along_.lines > 0 ? z.n : is_of_pixels_ ? pixel_tiles::soon : 0;
    offsets_ =
        reinterpret_cast<std::int32_t*>(scratch_of<scratch_use::offsets>(sizeof(std::int32_t) * static_cast<std::size_t>(z.k + more)));
    if (has_planes_) planes_.find_offsets(offsets_);
    else
      for (std::int64_t k = 0; k < z.k; ++k) offsets_[k] = static_cast<std::int32_t>(k * step_of_matrix());
    if (along_.lines > 0)
      for (std::int64_t j = 0; j < z.n; ++j) offsets_[z.k + j] = static_cast<std::int32_t>(planes_.place(static_cast<index>(j)));
    else std::fill_n(offsets_ + z.k, more, z.k > 0 ? offsets_[z.k - 1] : 0);
  }
  // Bytes for the second operand in the order in which tiles of pixels read it; 0 where it is read as it is.
  static std::size_t packed_bytes(nest const& z, int second) {
    auto const m = static_cast<index>(z.m);
    return z.k == 0 || !pixel_tiles::fill(m) || !stands_still(z, second) ? 0
                                                                         : pixel_tiles::packed_size(m, static_cast<index>(z.k)) * sizeof(T);
  }
  // From where it begins.
  static void pack(nest const& z, int second, T const* from, T* to) {
    auto const m = static_cast<index>(z.m), k = static_cast<index>(z.k);
    index const vectors = pixel_tiles::vectors(m), channels = vectors * tile::lanes;
    if (vectors == 2 && z.columns - z.rows == 1 && z.lies_in_a_row(second, z.depth, z.end))
      return product_detail::pack_panels(from, 1, z.stride(second, z.rows), m, k, to);
    for (index j = 0; j < product_detail::round_up(m, channels); ++j)
      for (index q = 0; q < k; ++q)
        to[(j / channels * k + q) * channels + j % channels] =
            j < m ? from[z.place(second, z.rows, z.columns, j) + z.place(second, z.depth, z.end, q)] : T(0);
  }
  // Lays out the second operand once for all products of a launch, if it is the same in all of them and does not lie as tiles read it.
  void lay_out_shared(T const* second) {
    if (!is_shared_ || along_.lines > 0 || (is_of_pixels_ && weights_)) return;
    auto const m = static_cast<index>(z_.m), k = static_cast<index>(z_.k);
    second += z_.loops.start[second_];
    auto const memory = [](index n) {
      return reinterpret_cast<T*>(scratch_of<scratch_use::shared>(sizeof(T) * static_cast<std::size_t>(n)));
    };
    if (is_of_pixels_) {
      T* const to = memory(static_cast<index>(pixel_tiles::packed_size(m, k)));
      pack(z_, second_, second, to);
      weights_ = to;
    } else if (lies_apart_) {
      T* const to = memory(m * k);
      for (index i = 0; i < m; ++i) copy_row(z_, second_, second, i, 0, k, to + i * k);
      rows_ = to;
    }
  }
  // All products: one(i, scratch, threads) computes the one in turn i of the batches.
  template <class One> void each(One const& one) const;

  // One product. `t` has the operand of the rows and what follows the product; `first` is where the other operand begins, or nullptr.
  template <class Batch> void run(Batch const& b, task& t, T const* first, void* scratch, int threads) const {
    t.p = &tiles_;
    if (rows_) t.a = {rows_, static_cast<index>(z_.k), 1};
    if constexpr (may_be_few)
      if (sums_lines_ && first_ >= 0) return run_lines(planes_.image_at(first, first_), t, threads);
    typename planes::filled from{planes_, nullptr, offsets_};
    T* data = nullptr;
    if ((has_planes_ && !lies_as_planes_) || is_laid_out_) {
      std::size_t const all = static_cast<std::size_t>(planes_.size() + planes::few_rows * z_.k);
      data = reinterpret_cast<T*>(scratch_of<scratch_use::planes>(sizeof(T) * all));
      b.reading([&](Batch const& read) { planes_.fill(read, data); });
      from.data = data;
    }
    if constexpr (MayBeAlong)
      if (along_.lines > 0) return run_along(from, t, threads);
    if constexpr (has_pixels)
      if (is_of_pixels_) return run_pixels(data ? data : first, t, threads);
    if (has_planes_) {
      if constexpr (may_be_few)
        if (sums_lines_) return run_lines(planes_.image_in(from), t, threads);
      if (z_.m > 1 && reads_planes()) return run_planes(from, t, threads);
      if constexpr (may_be_few)
        if (z_.m <= planes::few_rows) return run_rows(from, t, data + planes_.size(), threads);
      t.b = {nullptr, 0, 0, nullptr, &from, &planes::gather};
    } else if (is_matrix_) t.b = {first, z_.stride(first_, z_.depth), 1};
    else if (is_laid_out_) t.b = {data, static_cast<index>(z_.n), 1};
    else t.b = {nullptr, 0, 0, nullptr, &b, &gather<Batch>};
    product_detail::start<T, false>(t, scratch, threads);
  }

 private:
  nest const& z_;
  planes planes_;
  bool sums_lines_, has_planes_, is_matrix_, is_laid_out_;
  int first_, second_;
  T const *weights_, *rows_ = nullptr;
  bool lies_apart_, is_shared_;
  bool is_of_pixels_ = false, lies_as_planes_ = false;
  run_of_lines along_;
  product_detail::plan<T> tiles_;
  std::int32_t* offsets_ = nullptr;

  static constexpr std::int64_t most_shared = 1 << 20;
  static bool stands_still(nest const& z, int j) {
    for (int d = 0; d < z.rows; ++d)
      if (z.extent[d] != 1 && z.stride(j, d) != 0) return false;
    return true;
  }
  // Never the sums across lanes or in several chains that some plain products have: whatever the size and however operands lie, the order is one.
  static product_detail::plan<T> tiles_of(nest const& z, bool fill) {
    product_detail::plan<T> r(static_cast<std::size_t>(z.m), static_cast<std::size_t>(z.n), static_cast<std::size_t>(z.k), b_layout::narrow,
                              fill, false);
    r.few = false;
    return r;
  }
  template <class Batch> static void gather(void const* source, index j, index columns, index k, index count, T* to) {
    static_cast<Batch const*>(source)->reading([&](Batch const& b) { panels<T, N>::gather(b, j, columns, k, count, to); });
  }
  // The rows of the second operand where they lie, or, where they do not lie as rows, in `copy`.
  struct factors {
    T const* first;
    index stride, count;
    T const* at(index i) const { return first + i * stride; }
  };
  factors factors_of(task const& t, T* copy) const {
    index const rows = static_cast<index>(z_.m), k = static_cast<index>(z_.k);
    if (!tiles_.fill) return {t.a.data, t.a.row_stride, rows};
    t.fill(t.source, 0, rows, 0, k, copy, k);
    return {copy, k, rows};
  }
  void run_rows(typename planes::filled const& from, task const& t, T* copy, int threads) const {
    factors const row = factors_of(t, copy);
    share_out(static_cast<index>(z_.n), planes::block, threads, [&](index begin, index end) {
      alignas(64) T sums[static_cast<std::size_t>(planes::block + product_detail::tile_shape<T>::lanes)];
      for (index j = begin; j < end; j += planes::block)
        for (index i = 0; i < row.count; ++i) {
          index const count = std::min(planes::block, end - j);
          planes::sum(from, row.at(i), j, count, sums);
          t.finish(t.epilogue, sums, planes::block, i, 1, j, count);
        }
    });
  }
  void run_lines(image<T> const& x, task const& t, int threads) const {
    T copy[static_cast<std::size_t>(planes::few_rows * line_sums::largest_window * line_sums::largest_window)];
    factors const row = factors_of(t, copy);
    share_out(planes_.lines(), line_sums::at_once, threads, [&](index begin, index end) {
      for (index i = 0; i < row.count; ++i) sum_lines(x, t, row.at(i), i, begin, end);
    });
  }
  // Lines [begin, end) of row i. Where fewer are left than are computed at once, the last ones are computed with some before them.
  void sum_lines(image<T> const& x, task const& t, T const* row, index i, index begin, index end) const {
    constexpr index all = line_sums::at_once, half = all / 2;
    line_sums const sums_of(planes_.window_size(), planes_.step());
    index const lines = planes_.lines(), width = planes_.line();
    alignas(64) T sums[static_cast<std::size_t>(all * line_sums::longest + product_detail::tile_shape<T>::lanes)];
    while (begin < end) {
      bool const few = end - begin <= half || lines < all;
      index const some = few ? half : all, at = std::min(begin, lines - some), next = std::min(at + some, end);
      sums_of.some(x, !few, row, at, width, sums);
      t.finish(t.epilogue, sums + (begin - at) * width, (next - begin) * width, i, 1, begin * width, (next - begin) * width);
      begin = next;
    }
  }
  // Whether tiles read the planes where they lie. In one turn of the depth a row of a panel takes about a cycle, a tenth more from a plane, whose
  // vectors may be parts of two cache lines; copying the panel takes six.
  bool reads_planes() const {
    std::int64_t const panels = product_detail::round_up(static_cast<index>(z_.n), tile::columns);
    return !tiles_.fill && 11 * z_.m * planes_.span() <= 10 * z_.m * panels + 60 * z_.n;
  }
  void run_planes(typename planes::filled const& from, task const& t, int threads) const {
    index const rows = static_cast<index>(z_.m), lines = planes_.lines();
    if (lines >= threads) share_out(lines, 1, threads, [&](index begin, index end) { sum_planes(from, t, {0, rows, begin, end}); });
    else share_out(rows, tile::rows, threads, [&](index begin, index end) { sum_planes(from, t, {begin, end, 0, lines}); });
  }
  struct piece {
    index row, rows_end, line, lines_end;
  };
  // Some lines at once, or a part of one.
  void sum_planes(typename planes::filled const& from, task const& t, piece s) const {
    constexpr index most = planes::block;
    index const line = planes_.line();
    while (s.line < s.lines_end) {
      piece some{s.row, s.rows_end, s.line, s.line + 1};
      index const first = planes_.place(s.line * line);
      while (some.lines_end < s.lines_end && planes_.place(some.lines_end * line) + line - first <= most) ++some.lines_end;
      for (index at = 0; at < line; at += most) sum_lines_of_planes(from, t, some, at, std::min(line - at, most));
      s.line = some.lines_end;
    }
  }
  // Of each line `count` columns, from column `at` on.
  void sum_lines_of_planes(typename planes::filled const& from, task const& t, piece const& s, index at, index count) const {
    index const lines = s.lines_end - s.line, first = planes_.place(s.line * planes_.line() + at);
    index begins[static_cast<std::size_t>(planes::block)];  // of lines, in a row of sums
    for (index n = 0; n < lines; ++n) begins[n] = planes_.place((s.line + n) * planes_.line() + at) - first;
    index const columns = begins[lines - 1] + count;
    alignas(64) T sums[static_cast<std::size_t>(tile::rows * (planes::block + tile::lanes))];
    product_detail::offset_tile_call<T> call{
        static_cast<index>(z_.k), nullptr, t.a.row_stride, nullptr, from.offsets, nullptr, product_detail::round_up(columns, tile::lanes)};
    for (index i = s.row; i < s.rows_end;) {
      index const rows = product_detail::next_rows<T>(s.rows_end - i, tile::columns);
      call.a = t.a.data + i * t.a.row_stride;
      for (index j = 0, taken = 0; j < columns; j += taken) {
        call.b = from.data + first + j;
        call.c = sums + j;
        taken = product_detail::multiply_at_offsets(call, rows, product_detail::ceil_div(columns - j, tile::lanes)) * tile::lanes;
      }
      for (index r = 0; r < rows; ++r) close_up(sums + r * call.c_stride, begins, lines, count);
      t.finish(t.epilogue, sums, call.c_stride, i, rows, s.line * planes_.line() + at, lines * count);
      i += rows;
    }
  }

  // Lines of `count` sums, which begin at begins[n] and have gaps between them, become one: then the epilogue has whole vectors.
  static void close_up(T* row, index const* begins, index lines, index count) {
    using vector = xsimd::batch<T>;
    constexpr index lanes = tile::lanes;
    if (begins[lines - 1] == (lines - 1) * count) return;
    for (index n = 1; n < lines; ++n) {
      T const* const from = row + begins[n];
      T* const to = row + n * count;
      if (count < lanes) {
        std::copy(from, from + count, to);
        continue;
      }
      vector const last = vector::load_unaligned(from + count - lanes);  // before the others are written, perhaps over it
      for (index k = 0; k + lanes <= count; k += lanes) vector::load_unaligned(from + k).store_unaligned(to + k);
      last.store_unaligned(to + count - lanes);
    }
  }

  // ---- sums along lines

  // The run of the depth, if sums along it are faster than panels, a row of which takes about a cycle in one iteration of the depth, and each of the
  // lines that it is copied from three; otherwise none.
  run_of_lines run_to_sum_along() const {
    if constexpr (!MayBeAlong) return {};
    else {
      if (sums_lines_ || !has_planes_) return {};
      run_of_lines const run = planes_.run_of_depth();
      auto const m = static_cast<double>(z_.m), n = static_cast<double>(z_.n), k = static_cast<double>(z_.k);
      auto const line = static_cast<double>(std::min(planes_.line(), tile::columns));
      if (run.lines == 0 || !kernel::runs_along(run.line, planes_.line()) || sums_along::bytes(m, n) > 1 << 23) return {};
      double const panels = std::ceil(n / tile::columns) * k * (1.08 * m + 6 + 3 * tile::columns / line);
      return sums_along::cycles(run, m, n, k) < panels ? run : run_of_lines{};
    }
  }
  void run_along(typename planes::filled const& from, task const& t, int threads) const {
    index const m = static_cast<index>(z_.m), n = static_cast<index>(z_.n), k = static_cast<index>(z_.k);
    run_of_lines const& run = along_;
    sums_along const all(run, m, n, k);
    std::int32_t const* const columns = from.offsets + k;
    auto const row = [&](index i) { return t.a.data + z_.place(second_, z_.rows, z_.columns, i); };
    int const outer = z_.end - static_cast<int>(run.loops);
    std::int64_t const step = z_.stride(second_, z_.end - 1), next = run.loops == 2 ? z_.stride(second_, z_.end - 2) : 0;
    auto const copy = [&](index i, index q, T* to) {
      T const* line = row(i) + (outer > z_.depth ? z_.place(second_, z_.depth, outer, q) : 0);
      for (index y = 0; y < run.lines; ++y, line += next, to += run.pitch) copy_strip(line, step, run.line, to);
    };
    auto const exact = [&](index i, index j) {
      T sum = 0;
      for (index q = 0; q < k; ++q) sum += row(i)[z_.place(second_, z_.depth, z_.end, q)] * from.data[from.offsets[q] + columns[j]];
      return sum;
    };
    share_out(all.blocks(), 1, threads, [&](index begin, index end) {
      if (begin < end) all.sum(from.data, from.offsets, columns, begin, end, t, copy, exact);
    });
  }

  // ---- tiles of pixels

  std::int64_t step_of_matrix() const { return is_matrix_ ? z_.stride(first_, z_.depth) : z_.n; }
  index line_of_pixels() const { return has_planes_ ? planes_.line() : static_cast<index>(z_.n); }
  // Beside panels of pixels, which take a little more than a cycle for each row in one turn of the depth, and six for the panel. Tiles of pixels take
  // some more than `cycles` where those of several turns do not lie in the same cache lines, and weights that are not prepared one for each row.
  bool suits_pixels() const {
    if constexpr (!has_pixels) return false;
    else {
      if (!(has_planes_ || is_matrix_ || is_laid_out_) || sums_lines_ || z_.k == 0) return false;
      if (!has_planes_ && z_.k * step_of_matrix() > std::numeric_limits<std::int32_t>::max()) return false;
      if (pixel_tiles::always) return true;
      auto const m = static_cast<index>(z_.m), n = static_cast<index>(z_.n);
      if ((m <= tile::lanes && !pixel_tiles::one_is_known) || !(z_.windows > 0 || weights_)) return false;
      // Of a matrix, each turn reads other cache lines.
      index const of_own = z_.windows > 0 ? 100 : product_detail::registers == 32 ? 102 : 125;
      index const own = of_own * pixel_tiles::cycles(m, n, line_of_pixels()) + (weights_ ? 0 : 100 * m);
      return own < 102 * (product_detail::ceil_div(n, tile::columns) * (108 * m + 600)) / 100;
    }
  }
  void run_pixels(T const* x, task const& t, int threads) const {
    constexpr bool never_one = !pixel_tiles::one_is_known || (Rows == rows_of_product::many && tile::lanes <= 16);
    constexpr bool always_one = pixel_tiles::one_is_known && Rows == rows_of_product::up_to_16 && tile::lanes == 16;
    if constexpr (never_one) run_pixels<2>(x, t, threads);
    else if constexpr (always_one) run_pixels<1>(x, t, threads);
    else if (pixel_tiles::vectors(static_cast<index>(z_.m)) == 1) run_pixels<1>(x, t, threads);
    else run_pixels<2>(x, t, threads);
  }
  template <index Vectors> void run_pixels(T const* x, task const& t, int threads) const {
    auto const m = static_cast<index>(z_.m), k = static_cast<index>(z_.k), line = line_of_pixels();
    T const* weights = weights_;
    if (!weights) {
      T* const packed = reinterpret_cast<T*>(scratch_of<scratch_use::weights>(sizeof(T) * pixel_tiles::packed_size(m, k)));
      pack(z_, second_, t.a.data, packed);
      weights = packed;
    }
    pixels<T, Vectors> const all(m, k, line, static_cast<index>(z_.n) / line, x, offsets_, weights);
    auto const place = [&](index column) { return has_planes_ ? planes_.place(column) : column; };
    share_out(all.blocks(), 1, threads, [&](index begin, index end) {
      for (index i = begin; i < end; ++i) all.sum(i, place, t);
    });
  }

  // All of [0, count) in parts of whole blocks, one for each thread where that is worth it.
  template <class F> void share_out(index count, index block, int threads, F const& some) const {
    index const blocks = product_detail::ceil_div(count, block);
    if (threads < 2 || blocks < 2 || product_detail::estimated_seconds(tiles_) < 2 * product_detail::shortest_part) return some(0, count);
    index const parts = std::min<index>(threads, blocks);
    default_pool().parallel(static_cast<std::size_t>(parts), [&](std::size_t part) {
      auto const q = static_cast<index>(part);
      some(blocks * q / parts * block, std::min(blocks * (q + 1) / parts * block, count));
    });
  }
};

template <class T, int N, rows_of_product Rows, bool Along>
template <class One>
void schedule<T, N, Rows, Along>::each(One const& one) const {
  std::int64_t const batches = z_.batches;
  auto const some = [&](std::int64_t from, std::int64_t to, std::byte* scratch, int threads) {
    for (std::int64_t i = from; i < to; ++i) one(i, scratch, threads);
  };
  std::size_t const room = (tiles_.scratch_bytes() + 63) / 64 * 64;
  double const each_one = product_detail::estimated_seconds(tiles_), seconds = each_one * static_cast<double>(batches);
  int const threads = seconds < 2 * product_detail::shortest_part ? 1 : static_cast<int>(default_pool().threads());
  std::byte* const scratch = scratch_of(room * static_cast<std::size_t>(threads));
  if (threads < 2 || batches < threads || each_one >= 1e-4) return some(0, batches, scratch, threads);
  std::int64_t const parts = std::min<std::int64_t>(threads, batches);  // many small products are shared out whole
  default_pool().parallel(
      static_cast<std::size_t>(parts),
      [&](std::size_t part) {
        auto const q = static_cast<std::int64_t>(part);
        some(batches * q / parts, batches * (q + 1) / parts, scratch + part * room, 1);
      },
      seconds < 5e-5);
}

}  // namespace kernels
}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
