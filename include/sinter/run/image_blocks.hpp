// SPDX-License-Identifier: Apache-2.0
// Kernels over images that run together (plan/image_blocks.hpp): each computes the rows that the next one needs and that do not lie there yet.
#pragma once
#include <cstring>

#include "../plan/image_blocks.hpp"
#include "blocks.hpp"

namespace sinter::executor::inline SINTER_ISA {

class image_block_runner {
 public:
  image_block_runner(binding const& b, buffer_info const* buffers) : b_(b), buffers_(buffers) {}
  void add(block_kernel const& k) { k_[n_++].of = k; }

  template <class Backend> void run() {
    if (!measure()) return;
    Backend::share_blocks(images_ * blocks_, seconds_, bytes_, [this](std::int64_t from, std::int64_t to, std::byte* memory) {
      held_rows held[most_together];
      for (std::int64_t i = from; i < to; ++i) {
        if (i == from || i % blocks_ == 0) std::fill_n(held, n_, held_rows{});
        run_block(i / blocks_, i % blocks_, memory, held);
      }
    });
  }

 private:
  // Rows [first, end) of what a kernel gives: those that lie in the memory of the block.
  struct held_rows {
    std::int64_t first = 0, end = 0;
  };
  struct kernel_of_images {
    block_kernel of;
    std::int64_t most = 0;  // rows of what it gives in the block, but for the last one
    std::size_t at = 0;  // where they lie
    std::int64_t stride[most_image_operands * max_loop]{};
    group const& plan() const { return *of.of; }
    operand const& result() const { return of.operands[plan().inputs]; }
    std::int64_t extent(int loop) const { return loop < 0 ? 1 : of.launch->extent[loop]; }
  };
  binding const& b_;
  buffer_info const* buffers_;
  kernel_of_images k_[most_together];
  image_between gives_[most_together];  // each but the last
  int n_ = 0;
  std::int64_t images_ = 0, height_ = 0, blocks_ = 0;
  double seconds_ = 0;
  std::size_t bytes_ = 0;

  bool is_within(operand const& o) const { return buffers_[o.buffer].where == storage::block; }

  // How much there is to do; false where that is nothing.
  bool measure() {
    kernel_of_images const& last = k_[n_ - 1];
    images_ = last.extent(last.plan().of_images.image);
    height_ = last.extent(last.plan().of_images.row);
    if (images_ == 0 || height_ == 0) return false;
    for (int k = 0; k < n_; ++k) {
      kernel_of_images& q = k_[k];
      double all = 2e-11;
      for (int i = 0; i < q.of.launch->rank; ++i) all *= static_cast<double>(q.of.launch->extent[i]);
      seconds_ += all;
      if (k + 1 == n_) break;
      std::int64_t const* const stride = q.of.launch->stride + q.plan().inputs * max_loop;
      std::int64_t const row = stride[q.plan().of_images.row], height = q.extent(q.plan().of_images.row);
      gives_[k] = {row, height, b_(buffers_[q.result().buffer].elements) / (images_ * row * height), bytes_of(q.result().type),
                   k_[k + 1].plan().of_images.read};
    }
    std::int64_t need = rows_of_blocks(gives_, n_ - 1, height_);
    blocks_ = (height_ + need - 1) / need;
    for (int k = n_ - 2; k >= 0; --k) {
      k_[k].most = need = gives_[k].read.rows_for(need, gives_[k].height);
      k_[k].at = bytes_;
      bytes_ += static_cast<std::size_t>(gives_[k].bytes(need));
    }
    for (int k = 0; k < n_; ++k) find_strides(k);
    return true;
  }
  // Channels lie as far apart as the block has rows.
  void find_strides(int k) {
    kernel_of_images& q = k_[k];
    std::copy_n(q.of.launch->stride, q.plan().operands.n * max_loop, q.stride);
    for (int j = 0; j < q.plan().operands.n; ++j) {
      if (!is_within(q.of.operands[j])) continue;
      int const from = j < q.plan().inputs ? k - 1 : k;
      std::int64_t const plane = gives_[from].row * gives_[from].height;
      for (std::int64_t* s = q.stride + j * max_loop; s != q.stride + (j + 1) * max_loop; ++s)
        if (*s >= plane) *s = *s / plane * (gives_[from].row * k_[from].most);
    }
  }

  void run_block(std::int64_t image, std::int64_t block, std::byte* memory, held_rows* held) const {
    held_rows todo[most_together];  // by each kernel
    todo[n_ - 1] = {height_ * block / blocks_, height_ * (block + 1) / blocks_};
    int first = n_ - 1;
    for (; first > 0; --first) {
      image_between const& from = gives_[first - 1];
      held_rows& there = held[first - 1];
      held_rows const need{from.read.first(todo[first].first, from.height), from.read.end(todo[first].end, from.height)};
      if (need.first >= there.end) there = {need.first, need.first};
      drop_rows(first - 1, need.first, there, memory);
      if (there.end >= need.end) break;
      todo[first - 1] = {there.end, need.end};
      there.end = need.end;
    }
    for (int k = first; k < n_; ++k) run_rows(k, image, todo[k], memory, held);
  }
  // Those in front of `row` are not needed any more.
  void drop_rows(int k, std::int64_t row, held_rows& there, std::byte* memory) const {
    image_between const& g = gives_[k];
    if (row == there.first) return;
    auto const bytes = [&](std::int64_t rows) { return static_cast<std::size_t>(rows * g.row * g.element); };
    std::byte* to = memory + k_[k].at;
    for (std::int64_t c = 0; c < g.channels && there.end > row; ++c, to += bytes(k_[k].most))
      std::memmove(to, to + bytes(row - there.first), bytes(there.end - row));
    there.first = row;
  }
  void run_rows(int k, std::int64_t image, held_rows rows, std::byte* memory, held_rows const* held) const {
    kernel_of_images const& q = k_[k];
    image_rows const& by = q.plan().of_images;
    kernel::launch l = *q.of.launch;
    loop_map map;
    l.stride = q.stride;
    l.packed = q.of.packed;
    if (by.image >= 0) l.extent[by.image] = 1;
    l.extent[by.row] = rows.end - rows.first;
    // What is read through a window of the rows begins with the first row that it shows.
    window const* of_rows = nullptr;
    std::int64_t shown = 0;
    if (l.map) {
      map = *l.map;
      l.map = &map;
      for (int w = 0; w < map.windows; ++w) {
        window& v = map.window_at[w];
        if (v.outer != by.row) continue;
        of_rows = &v;
        row_window const r{v.step, v.shift, (l.extent[v.inner] - 1) * v.dilation};
        shown = r.first(rows.first, v.extent);
        v.extent = r.end(rows.end, v.extent) - shown;
        v.shift += shown - rows.first * v.step;
      }
    }
    kernel::pointer p[most_image_operands];
    for (int j = 0; j < q.plan().operands.n; ++j) {
      operand const& o = q.of.operands[j];
      std::int64_t const stride = q.stride[j * max_loop + by.row];
      std::int64_t at = o.windowed && of_rows ? shown * (stride / of_rows->step) : rows.first * stride;
      std::byte* begin = q.of.at[j];
      if (is_within(o)) {
        int const from = j < q.plan().inputs ? k - 1 : k;
        at += b_(o.offset) - held[from].first * gives_[from].row;
        begin = memory + k_[from].at;
      } else if (by.image >= 0) at += image * q.stride[j * max_loop + by.image];
      p[j] = std::bit_cast<kernel::pointer>(begin + at * bytes_of(o.type));
    }
    q.of.go(l, p);
  }
};

}  // namespace sinter::executor::inline SINTER_ISA
