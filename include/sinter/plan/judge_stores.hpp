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
  constexpr judge_of_stores(plan const& p, binding const& b) : p_(p), b_(b), stores_of_(p.buffers.size()), elements_(p.buffers.size(), 0) {
    for (int q = 0; q < p.groups.size(); ++q)
      for (int j = p.groups[q].inputs; j < p.groups[q].operands.n; ++j) {
        int const to = at(q, j).buffer;
        stores_of_[to].push({q, j});
        elements_[to] += elements(q, j);
      }
  }
  constexpr verdict judge() const {
    for (int q = 0; q < p_.groups.size(); ++q)
      for (int j = 0; j < p_.groups[q].inputs; ++j)
        for (use const& s : stores_of_[at(q, j).buffer])
          if (!runs_before(s.kernel, q) && meet(s, {q, j})) return wrong("a kernel reads what a later one writes", s, {q, j});
    for (int i = 0; i < p_.buffers.size(); ++i) {
      if (verdict const v = judge_buffer(i); !v.sound()) return v;
    }
    return {};
  }

 private:
  // An operand of a kernel.
  struct use {
    int kernel = -1, operand = -1;
  };
  plan const& p_;
  binding const& b_;
  list<list<use>> stores_of_;  // of each buffer
  list<std::int64_t> elements_;  // that its writers store

  constexpr operand const& at(int q, int j) const { return p_.operands[p_.groups[q].operands.at + j]; }
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
  constexpr verdict judge_buffer(int i) const {
    storage const where = p_.buffers[i].where;
    bool const ours = where == storage::arena || where == storage::output || where == storage::prepared || where == storage::block;
    std::int64_t const all = b_(p_.buffers[i].elements);
    if (!ours || all == 0) return {};
    if (elements_[i] != all) return {"a value is not written whole"};
    for (int k = 1; k < stores_of_[i].size(); ++k)
      for (int other = 0; other < k; ++other)
        if (use const &a = stores_of_[i][other], &c = stores_of_[i][k]; meet(a, c)) return wrong("two kernels store to one place", a, c);
    return {};
  }
  // Whether two operands have a place in common, as far as is looked at.
  constexpr bool meet(use const& a, use const& b) const {
    list<std::int64_t> x = places_of(a), y = places_of(b);
    std::sort(x.begin(), x.end());
    std::sort(y.begin(), y.end());
    for (int i = 0, k = 0; i < x.size() && k < y.size(); x[i] < y[k] ? ++i : ++k)
      if (x[i] == y[k]) return true;
    return false;
  }
  constexpr list<std::int64_t> places_of(use const& u) const { return judge_of_kernel(p_, u.kernel, b_).places_of(u.operand, b_); }
  constexpr verdict wrong(std::string_view what, use const& writer, use const& other) const {
    return {what, other.kernel, p_.groups[writer.kernel].operands.at + writer.operand, p_.groups[other.kernel].operands.at + other.operand};
  }
};

}  // namespace sinter::detail::inline SINTER_ISA
