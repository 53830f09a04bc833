// SPDX-License-Identifier: Apache-2.0
// Into which blocks of rows kernels that run together divide their work.
#pragma once
#include <algorithm>

#include "../plan/blocks.hpp"

namespace sinter::executor::inline SINTER_ISA {

// The rows of all matrices, counted through; blocks never go beyond one matrix.
class block_rows {
 public:
  constexpr block_rows() = default;
  // `height`: rows of one matrix. `row_bytes`: of all that lies between the kernels, for one row. Blocks are about as large as fits into
  // the cache, and so many that each thread has one; a matrix of few rows is one block, and all of them are one where it has too few for a block.
  constexpr block_rows(std::int64_t rows, std::int64_t height, std::int64_t row_bytes, std::int64_t threads)
      : all_(rows), height_(height), matrices_(height ? rows / height : 0) {
    if (height < least_block_rows) height_ = rows, matrices_ = 1;
    most_ = height_;
    if (height < 2 * least_block_rows) return;
    std::int64_t const fit = std::clamp(most_block_bytes / std::max(row_bytes, std::int64_t{1}), least_block_rows, height_);
    blocks_ = std::max(parts(height_, fit), std::min(parts(threads, matrices_), height_ / least_block_rows));
    most_ = parts(height_, blocks_);
    std::int64_t const tiles = parts(most_, 12) * 12;  // products have tiles of 12 rows, or of 6
    even_ = height_ - (blocks_ - 1) * tiles < least_block_rows / 2;
    if (!even_) most_ = tiles;
  }
  constexpr std::int64_t all() const { return all_; }
  constexpr std::int64_t most() const { return most_; }  // of one block
  constexpr std::int64_t of_a_matrix() const { return blocks_; }
  constexpr std::int64_t count() const { return matrices_ * blocks_; }
  // The first row of a block, and how many it has.
  constexpr std::int64_t first(std::int64_t block) const { return block / blocks_ * height_ + begin(block % blocks_); }
  constexpr std::int64_t size(std::int64_t block) const {
    std::int64_t const k = block % blocks_;
    return (k + 1 < blocks_ ? begin(k + 1) : height_) - begin(k);
  }

 private:
  std::int64_t all_ = 0, height_ = 0, matrices_ = 0, blocks_ = 1, most_ = 0;
  bool even_ = false;  // blocks of nearly as many rows, rather than all but the last of `most_`

  static constexpr std::int64_t parts(std::int64_t n, std::int64_t of) { return (n + of - 1) / of; }
  constexpr std::int64_t begin(std::int64_t k) const { return even_ ? height_ * k / blocks_ : k * most_; }
};

}  // namespace sinter::executor::inline SINTER_ISA
