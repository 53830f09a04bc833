// SPDX-License-Identifier: Apache-2.0
// Checks kernels that run together (plan/blocks.hpp): in blocks of rows of any size, each of them when the one before has done its block.
#pragma once
#include "judge_kernel.hpp"

namespace sinter::detail::inline SINTER_ISA {

// Whether kernels that run together find their rows. A block is some rows, counted through all loops over rows of a kernel: the same for each
// kernel. What lies in the block is row by row, each as long as all elements over all rows. Beside it, the last kernel writes what the
// others may still read for the next block.
class judge_of_block {
 public:
  constexpr judge_of_block(plan const& p, int last, binding const& b) : p_(p), b_(b), last_(last) {}
  constexpr verdict judge() const {
    if (p_.groups[last_].of_images.row >= 0) return judge_images();
    std::int64_t all = -1, one = 0;  // rows, and those of one matrix
    for (int i = 0; i <= last_; ++i) {
      group const& q = p_.groups[i];
      if (q.together != last_) continue;
      int const loops = rows_of(q);
      if (loops == 0) return {"a kernel without rows runs in blocks of them", i};
      std::int64_t n = 1;
      for (int d = 0; d < loops; ++d) n *= b_(q.extents[d]);
      std::int64_t const inner = b_(q.extents[loops - 1]);
      if (all < 0) all = n, one = inner;
      if (n != all || (one > 0 && inner % one != 0)) return {"kernels that run together have other rows", i};
      for (int j = 0; n > 0 && j < q.operands.n; ++j)
        if (verdict const v = judge_operand(i, j, n); !v.sound()) return v;
    }
    return {};
  }

 private:
  plan const& p_;
  binding const& b_;
  int last_;

  static constexpr int rows_of(group const& q) {
    if (q.kind == kernel_kind::rows) return q.row_rank;
    return q.kind == kernel_kind::product && q.map < 0 ? q.rank - 2 : 0;
  }
  // What lies outside of the block. Where it is read for the next block, the last kernel may not write it.
  constexpr verdict judge_outside(int kernel, int j, bool read_again) const {
    operand const& o = p_.operands[p_.groups[kernel].operands.at + j];
    if (!read_again || p_.buffers[o.buffer].where != storage::arena) return {};
    for (int w = p_.groups[last_].inputs; w < p_.groups[last_].operands.n; ++w)
      if (int const at = p_.groups[last_].operands.at + w; home_of(p_.buffers, p_.operands[at].buffer) == home_of(p_.buffers, o.buffer))
        return {"a store destroys what the next block reads", kernel, at, p_.groups[kernel].operands.at + j};
    return {};
  }
  constexpr verdict judge_operand(int kernel, int j, std::int64_t rows) const {
    group const& q = p_.groups[kernel];
    operand const& o = p_.operands[q.operands.at + j];
    buffer_info const& f = p_.buffers[o.buffer];
    if (f.where != storage::block) return judge_outside(kernel, j, kernel < last_);
    std::int64_t const width = b_(f.elements) / rows;
    if (width == 0) return {};
    std::int64_t step = width, first = b_(o.offset), last = first;
    for (int d = q.rank - 1; d >= 0; --d) {
      std::int64_t const stride = b_(o.stride[d]), n = b_(q.extents[d]);
      if (d >= rows_of(q)) (stride < 0 ? first : last) += stride * (n - 1);
      else {
        if (n > 1 && stride != step)
          return {"a kernel reads or writes other rows of a block than its own", kernel, q.operands.at + j, q.operands.at + j};
        step *= n;
      }
    }
    if (first < 0 || last >= width)
      return {"a kernel reads or writes other rows of a block than its own", kernel, q.operands.at + j, q.operands.at + j};
    return {};
  }

  // ---- images (plan/image_blocks.hpp)

  // The rows of an image and their elements, of what a kernel gives.
  struct image {
    std::int64_t images = 0, rows = 0, row = 0;
    constexpr std::int64_t plane() const { return rows * row; }
  };
  constexpr verdict judge_images() const {
    image before;
    for (int i = 0; i <= last_; ++i) {
      group const& q = p_.groups[i];
      if (q.together != last_) continue;
      if (q.of_images.row < 0 || q.of_images.row >= q.rank || q.of_images.image >= q.rank)
        return {"a kernel without rows runs in blocks of them", i};
      int const result = q.operands.at + q.inputs;
      operand const& o = p_.operands[result];
      image const gives{q.of_images.image < 0 ? 1 : b_(q.extents[q.of_images.image]), b_(q.extents[q.of_images.row]),
                        b_(o.stride[q.of_images.row])};
      if (before.row > 0 && gives.images != before.images) return {"kernels that run together have other rows", i};
      verdict const other{"a kernel reads or writes other rows of a block than its own", i, result, result};
      if (gives.row <= 0) return other;
      if (gives.images == 0 || gives.rows == 0) return {};
      for (std::int64_t row = 0; row < gives.rows; ++row)
        if (span const s = rows_at(q, o, row, gives); s.first != row || s.last != row) return other;
      for (int j = 0; j < q.operands.n; ++j) {
        operand const& from = p_.operands[q.operands.at + j];
        if (p_.buffers[from.buffer].where != storage::block) {
          if (verdict const v = judge_outside(i, j, j < q.inputs); !v.sound()) return v;
        } else if (j < q.inputs && !reads_its_rows(q, from, gives.rows, before))
          return {other.what, i, q.operands.at + j, q.operands.at + j};
      }
      before = gives;
    }
    return {};
  }
  // Whether kernel q, which gives `rows` rows, reads for each of them what it says.
  constexpr bool reads_its_rows(group const& q, operand const& o, std::int64_t rows, image const& from) const {
    if (from.row <= 0) return false;
    for (std::int64_t row = 0; row < rows; ++row) {
      span const s = rows_at(q, o, row, from);
      std::int64_t const first = q.of_images.read.first(row, from.rows), end = q.of_images.read.end(row + 1, from.rows);
      if (s.first <= s.last && (s.first < first || s.last >= end)) return false;
    }
    return true;
  }
  struct span {
    std::int64_t first = 0, last = -1;
  };
  // The rows that operand o moves through while kernel q is at a row of its own; all of them where some loop leaves the row, channel or image.
  constexpr span rows_at(group const& q, operand const& o, std::int64_t row, image const& of) const {
    loop_map const m = map_of(p_, q);
    span const all{-1, of.rows};
    std::int64_t const begin = b_(o.offset) + row * b_(o.stride[q.of_images.row]);
    if (b_(o.offset) < 0) return all;
    std::int64_t inside = begin % of.row, first = begin / of.row, last = first;
    bool clipped = false;  // by a window of the rows
    for (int i = 0; i < q.rank; ++i) {
      std::int64_t const step = b_(o.stride[i]), n = b_(q.extents[i]);
      window const* w = nullptr;
      for (int k = 0; o.windowed && k < m.windows; ++k)
        if (m.window_at[k].outer == i || m.window_at[k].inner == i) w = &m.window_at[k];
      if (step < 0) return all;
      if (i == q.of_images.row) {
        if (step % of.row != 0) return all;
        if (w && step / of.row % w->step != 0) return all;
        clipped = w;
        if (w) first -= w->shift * (step / of.row / w->step), last -= w->shift * (step / of.row / w->step);
      } else if (i == q.of_images.image) {
        if (step % of.plane() != 0 || step * of.images != b_(p_.buffers[o.buffer].elements)) return all;
      } else if (n <= 1 || step == 0 || step >= of.plane()) {
        if (n > 1 && step % of.plane() != 0) return all;
      } else if (step >= of.row) {
        if (step % of.row != 0) return all;
        last += step / of.row * (n - 1);
      } else if (!w) inside += step * (n - 1);
    }
    if (inside >= of.row || (!clipped && last >= of.rows)) return all;
    return {std::max(first, std::int64_t{0}), std::min(last, of.rows - 1)};
  }
};

}  // namespace sinter::detail::inline SINTER_ISA
