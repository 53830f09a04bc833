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
      if (gives.images == 0 || gives.rows == 0 || is_empty(q)) return {};
      if (q.kind == kernel_kind::rows && (q.of_images.row >= q.row_rank || q.of_images.image >= q.row_rank)) return other;
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
  constexpr bool is_empty(group const& q) const {
    for (int i = 0; i < q.rank; ++i)
      if (q.extents[i].fixed() && q.extents[i].k == 0) return true;
    return false;
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
  // The rows that operand o moves through while kernel q is at a row of its own; all of them where it moves in another way than along the axes of
  // an image, or leaves the image.
  constexpr span rows_at(group const& q, operand const& o, std::int64_t row, image const& of) const {
    loop_map const m = map_of(p_, q);
    span const all{-1, of.rows};
    std::int64_t const image_size = of.images > 0 ? b_(p_.buffers[o.buffer].elements) / of.images : 0;
    // The lowest and the highest offset in a row, of a row, and of a channel.
    std::int64_t inside = b_(o.offset) % of.row, first = b_(o.offset) / of.row, last = first, channels = 0;
    if (b_(o.offset) < 0) return all;
    auto const moves = [&](std::int64_t by, std::int64_t low, std::int64_t high) {
      if (by < of.row) inside += by * high;
      else if (by < of.plane()) first += by / of.row * low, last += by / of.row * high;
      else channels += by * high;
      return by >= 0 && (by < of.row || by % (by < of.plane() ? of.row : of.plane()) == 0);
    };
    for (int i = 0; i < q.rank; ++i) {
      std::int64_t const step = b_(o.stride[i]), n = b_(q.extents[i]);
      window const* w = nullptr;
      for (int k = 0; o.windowed && k < m.windows; ++k)
        if (m.window_at[k].outer == i || m.window_at[k].inner == i) w = &m.window_at[k];
      if (i == q.of_images.image) {
        if (w || step != image_size) return all;
      } else if (!w) {
        if (step == 0 && i != q.of_images.row) continue;
        if (n == 0) return {};
        std::int64_t const high = i == q.of_images.row ? row : n - 1;
        if ((n > 1 || i == q.of_images.row) && !moves(step, i == q.of_images.row ? row : 0, high)) return all;
      } else if (i == w->outer) {
        std::int64_t const by = step / w->step, shown = b_(q.extents[w->inner]);
        std::int64_t low = -w->shift, high = w->place(n - 1, shown - 1);
        if (i == q.of_images.row) low = w->place(row, 0), high = w->place(row, shown - 1);
        low = std::max(low, std::int64_t{0});
        high = std::min(high, w->extent - 1);
        if (low > high) return {};
        if (step % w->step != 0 || !moves(by, low, high) || step >= of.plane() || by * w->dilation >= of.plane()) return all;
      }
    }
    if (inside >= of.row || first < 0 || last >= of.rows || channels + of.plane() > image_size) return all;
    return {first, last};
  }
};

}  // namespace sinter::detail::inline SINTER_ISA
