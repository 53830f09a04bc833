// SPDX-License-Identifier: Apache-2.0
// Kernels that run together, block of rows by block of rows, so that what lies between them is as large as a block and stays in the cache.
#pragma once
#include "preparations.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// A block of rows has at least as many rows as this, so that each kernel computes a block in the way in which it computes all rows: then
// the results have the same bits. Products take another way for up to four rows.
inline constexpr std::int64_t least_block_rows = 16;
// What lies between the kernels is to take about so many bytes of a block: a part of the second cache.
inline constexpr std::int64_t most_block_bytes = 128 * 1024;
inline constexpr int most_together = 6, most_block_operands = 64;  // kernels, and operands of each

}  // namespace SINTER_ISA
namespace detail::inline SINTER_ISA {

// A product, kernels over rows of what it gives, and a product that reads the last of those as its first operand.
struct row_chain {
  int kernel[most_together]{}, n = 0;
  bool whole = false;    // it ends with a product
  std::string_view why;  // why it is not run in blocks, if it is not
};

// How many loops count the rows of a kernel, from the outermost on; 0 where it has none that a block could be a part of.
constexpr int row_loops(group const& q) {
  if (q.kind == kernel_kind::product) return q.map < 0 ? q.rank - 2 : 0;
  return q.kind == kernel_kind::rows ? q.row_rank : 0;
}
constexpr size rows_in(group const& q) {
  size n{1, 0};
  for (int i = 0; i < row_loops(q); ++i) n = n * q.extents[i];
  return n;
}
// Whether operand o of kernel q is all of its buffer, row by row as the kernel's loops count them, each row contiguous.
constexpr bool lies_by_rows(plan const& p, group const& q, operand const& o) {
  size next{1, 0};
  for (int i = q.rank - 1; i >= 0; --i) {
    bool const row = i < row_loops(q);
    if (q.extents[i] == size{1, 0} || (!row && o.stride[i] == size{})) continue;
    if (!(o.stride[i] == next)) return false;
    next = next * q.extents[i];
  }
  return next == p.buffers[o.buffer].elements && o.offset == place_sum{};
}
// Whether kernel q reads or writes a buffer, and whether every time it does so row by row.
struct block_use {
  bool any = false, by_rows = true;
};
constexpr block_use use_of(plan const& p, group const& q, int buffer) {
  block_use u;
  for (int j = 0; j < q.operands.n; ++j)
    if (operand const& o = p.operands[q.operands.at + j]; o.buffer == buffer) {
      u.any = true;
      u.by_rows = u.by_rows && lies_by_rows(p, q, o);
    }
  return u;
}
// Why what kernel `at` gives to kernel `to` cannot be given in blocks of the rows of kernel `first`; empty where it can.
constexpr std::string_view why_not_by_rows(plan const& p, int first, int at, int to, int buffer) {
  group const &q = p.groups[at], &r = p.groups[to];
  if (p.buffers[buffer].last != to) return "another kernel reads it, too";
  if (!use_of(p, q, buffer).by_rows || !use_of(p, r, buffer).by_rows) return "its rows are read in another order, or several as one";
  size const one = p.groups[first].extents[row_loops(p.groups[first]) - 1];
  size more;
  if (!(rows_in(q) == rows_in(r)) || !divides(r.extents[row_loops(r) - 1], one, more))
    return "its rows are read in another order, or several as one";
  return {};
}
// Those that begin with kernel `first`, a product.
constexpr row_chain chain_from(plan const& p, int first) {
  row_chain c;
  c.kernel[c.n++] = first;
  for (int at = first;;) {
    group const& q = p.groups[at];
    if (q.results() != 1 || q.operands.n > most_block_operands) return c;
    int const buffer = p.operands[q.operands.at + q.inputs].buffer;
    buffer_info const& f = p.buffers[buffer];
    if (f.where != storage::arena || f.first != at || f.last <= at || c.n == most_together) return c;
    int to = at + 1;
    while (!use_of(p, p.groups[to], buffer).any) ++to;
    group const& r = p.groups[to];
    if (row_loops(r) == 0 || r.together >= 0 || r.once || r.operands.n > most_block_operands) return c;
    if (c.why.empty()) c.why = why_not_by_rows(p, first, at, to, buffer);
    c.kernel[c.n++] = at = to;
    if (r.kind != kernel_kind::product) continue;
    c.whole = true;
    return c;
  }
}
constexpr bool multiplies_weights(plan const& p, group const& q) {
  int const w = weights_of(p, q);
  storage const where = w < 0 ? storage::arena : p.buffers[p.operands[q.operands.at + w].buffer].where;
  return where == storage::parameter || where == storage::constant || where == storage::prepared;
}
// Why a whole chain is not run in blocks; empty where it is.
constexpr std::string_view why_not_in_blocks(plan const& p, row_chain const& c) {
  group const &first = p.groups[c.kernel[0]], &last = p.groups[c.kernel[c.n - 1]];
  if (!c.why.empty()) return c.why;
  if (multiplies_weights(p, first) || multiplies_weights(p, last)) return "each block would read all weights again";
  if (c.n == 2) return "two products alone gain nothing";
  size const rows = first.extents[row_loops(first) - 1];
  if (rows.fixed() && rows.k < 2 * least_block_rows) return "each matrix has few rows";
  return {};
}
// Whether what lies between the kernels of a chain may be larger than a block.
constexpr bool is_large(plan const& p, row_chain const& c) {
  for (int i = 0; i + 1 < c.n; ++i) {
    group const& q = p.groups[c.kernel[i]];
    buffer_info const& f = p.buffers[p.operands[q.operands.at + q.inputs].buffer];
    if (!f.elements.fixed() || f.elements.k * bytes_of(f.type) > most_block_bytes) return true;
  }
  return false;
}
// exact. Kernels that give each other matrices larger than a block of them run block of rows by block of rows. Each is done with what the one
// before has written into the block, and nothing else reads that. What any of them reads is needed until the last one runs.
constexpr void run_in_blocks(plan& p) {
  for (int at = 0; at < p.groups.size(); ++at) {
    if (p.groups[at].kind != kernel_kind::product || row_loops(p.groups[at]) == 0 || p.groups[at].together >= 0 || p.groups[at].once)
      continue;
    row_chain const c = chain_from(p, at);
    if (!c.whole || !is_large(p, c) || !why_not_in_blocks(p, c).empty()) continue;
    int const last = c.kernel[c.n - 1];
    for (int i = 0; i < c.n; ++i) {
      group& q = p.groups[c.kernel[i]];
      q.together = last;
      for (int j = 0; j < q.operands.n; ++j) {
        buffer_info& f = p.buffers[p.operands[q.operands.at + j].buffer];
        if (j >= q.inputs && i + 1 < c.n) f.where = storage::block;
        else if (f.where != storage::block && f.last < last) f.last = last;
      }
    }
  }
}

}  // namespace detail::inline SINTER_ISA
inline namespace SINTER_ISA {

// The same plan for who runs each kernel whole, one after the other.
constexpr plan without_blocks(plan p) {
  for (buffer_info& f : p.buffers)
    if (f.where == storage::block) f.where = storage::arena;
  for (group& q : p.groups) q.together = -1, q.of_images = {};
  return p;
}

}  // namespace SINTER_ISA
}  // namespace sinter
