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
  constexpr verdict judge_operand(int kernel, int j, std::int64_t rows) const {
    group const& q = p_.groups[kernel];
    operand const& o = p_.operands[q.operands.at + j];
    buffer_info const& f = p_.buffers[o.buffer];
    if (f.where != storage::block) {
      if (kernel < last_ && f.where == storage::arena)
        for (int w = p_.groups[last_].inputs; w < p_.groups[last_].operands.n; ++w)
          if (int const at = p_.groups[last_].operands.at + w; home_of(p_.buffers, p_.operands[at].buffer) == home_of(p_.buffers, o.buffer))
            return {"a store destroys what the next block reads", kernel, at, q.operands.at + j};
      return {};
    }
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
};

}  // namespace sinter::detail::inline SINTER_ISA
