// SPDX-License-Identifier: Apache-2.0
// Checks what kernels write for one another: a buffer is read when all of its writers have run, these store to different places, and together
// they write each element.
#pragma once
#include <algorithm>

#include "judge_kernel.hpp"

namespace sinter::detail::inline SINTER_ISA {

// When a kernel runs: kernels that run together do so with the last of them.
constexpr int time_of(plan const& p, int q) { return p.groups[q].together >= 0 ? p.groups[q].together : q; }

class judge_of_stores {
 public:
  constexpr judge_of_stores(plan const& p, binding const& b) : p_(p), b_(b), elements_(p.buffers.size(), 0) {
    for (int q = 0; q < p.groups.size(); ++q)
      for (int j = p.groups[q].inputs; j < p.groups[q].operands.n; ++j) {
        kernel_.push(q);
        operand_.push(j);
        elements_[at(q, j).buffer] += elements(q, j);
      }
  }
  constexpr verdict judge() const {
    for (int q = 0; q < p_.groups.size(); ++q)
      for (int j = 0; j < p_.groups[q].inputs; ++j)
        for (int s = 0; s < kernel_.size(); ++s)
          if (use const w = store(s), r{q, j}; buffer_of(w) == buffer_of(r) && !runs_before(w.kernel, q) && meet(w, r))
            return wrong("a kernel reads what a later one writes", w, r);
    for (int i = 0; i < p_.buffers.size(); ++i) {
      storage const where = p_.buffers[i].where;
      bool const ours = where == storage::arena || where == storage::output || where == storage::prepared || where == storage::block;
      if (std::int64_t const all = b_(p_.buffers[i].elements); ours && all != 0 && elements_[i] != all)
        return {"a value is not written whole"};
    }
    for (int s = 1; s < kernel_.size(); ++s)
      for (int other = 0; other < s; ++other)
        if (use const a = store(other), b = store(s); buffer_of(a) == buffer_of(b) && meet(a, b))
          return wrong("two kernels store to one place", a, b);
    return {};
  }

 private:
  // An operand of a kernel.
  struct use {
    int kernel = -1, operand = -1;
  };
  plan const& p_;
  binding const& b_;
  list<int> kernel_, operand_;  // of each store
  list<std::int64_t> elements_;  // that the kernels store to each buffer

  constexpr use store(int s) const { return {kernel_[s], operand_[s]}; }
  constexpr operand const& at(int q, int j) const { return p_.operands[p_.groups[q].operands.at + j]; }
  constexpr int buffer_of(use const& u) const { return at(u.kernel, u.operand).buffer; }
  constexpr bool runs_before(int w, int q) const {
    int const first = time_of(p_, w), then = time_of(p_, q);
    return first != then ? first < then : w < q;
  }
  constexpr std::int64_t elements(int kernel, int j) const {
    group const& q = p_.groups[kernel];
    operand const& o = at(kernel, j);
    if (q.kind == kernel_kind::opaque) return b_(p_.buffers[o.buffer].elements);
    int const units = q.kind == kernel_kind::rows ? q.row_rank : q.kind == kernel_kind::product ? q.rank - map_of(p_, q).depth : q.rank;
    std::int64_t n = 1;
    for (int i = 0; i < q.rank; ++i)
      if (i < units || b_(o.stride[i]) != 0) n *= b_(q.extents[i]);
    return n;
  }
  // Whether two operands have a place in common, as far as is looked at.
  constexpr bool meet(use const& a, use const& b) const {
    list<judge_of_kernel::access> all;
    judge_of_kernel(p_, a.kernel, b_).add_places(a.operand, b_, all);
    judge_of_kernel(p_, b.kernel, b_).add_places(b.operand, b_, all);
    std::sort(all.begin(), all.end(), judge_of_kernel::by_place{});
    for (int i = 1; i < all.size(); ++i)
      if (all[i - 1].place == all[i].place && all[i - 1].operand != all[i].operand) return true;
    return false;
  }
  constexpr verdict wrong(std::string_view what, use const& writer, use const& other) const {
    return {what, other.kernel, p_.groups[writer.kernel].operands.at + writer.operand, p_.groups[other.kernel].operands.at + other.operand};
  }
};

}  // namespace sinter::detail::inline SINTER_ISA
