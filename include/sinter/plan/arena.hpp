// SPDX-License-Identifier: Apache-2.0
// Gives every value between kernels its place in one block of memory.
#pragma once
#include <algorithm>

#include "../core/error.hpp"
#include "pack.hpp"

namespace sinter {
inline namespace SINTER_ISA {

inline constexpr std::int64_t arena_alignment = 64;

constexpr std::int64_t arena_bytes_of(buffer_info const& f, binding const& b) {
  if (f.body >= 0) {
    if (!f.knows_arenas) return 0;
    std::int64_t const bytes = f.arena_of_body[f.body](b), others = f.other < 0 ? 0 : f.arena_of_body[f.other](b);
    return bytes > others ? bytes : others;
  }
  if (!b.is_countable(f.elements))
    throw shape_error("sinter: with these extents an intermediate result has more elements than memory can have");
  return (b(f.elements) * bytes_of(f.type) + arena_alignment - 1) / arena_alignment * arena_alignment;
}

// The bytes of all buffers that kernels write once, and where each of them lies; these have one size in all calls.
template <class Buffers> constexpr std::int64_t place_prepared(Buffers const& buffers, std::int64_t* offset) {
  std::int64_t all = 0;
  for (int i = 0; i < buffers.size(); ++i)
    if (buffers[i].where == storage::prepared) {
      if (offset) offset[i] = all;
      all += arena_bytes_of(buffers[i], {});
    }
  return all;
}
// Where each buffer lies when the dynamic dimensions are `b`, into `offset` (0 for those that lie elsewhere), and the bytes of the arena.
// `residents` are ordered from the bottom up: each lies directly above the earlier ones that are alive at the same time. So one order,
// found once, is correct and packs well for all values of the dimensions. `top`: a zero for each kernel.
template <class Buffers, class Residents>
constexpr std::int64_t stack_arena(Buffers const& buffers, Residents const& residents, binding const& b, std::int64_t* offset,
                                   std::int64_t* top) {
  std::int64_t all = 0;
  for (int i = 0; i < buffers.size(); ++i) offset[i] = 0;
  for (resident const& r : residents) {
    std::int64_t at = 0;
    for (int t = r.first; t <= r.last; ++t)
      if (top[t] > at) at = top[t];
    std::int64_t const end = at + arena_bytes_of(buffers[r.buffer], b);
    for (int t = r.first; t <= r.last; ++t) top[t] = end;
    offset[r.buffer] = at;
    if (end > all) all = end;
  }
  for (int i = 0; i < buffers.size(); ++i) offset[i] = offset[home_of(buffers, i)];
  place_prepared(buffers, offset);
  return all;
}
// The most bytes that are alive at once: no arena can be smaller. `alive`: a zero for each kernel.
template <class Buffers, class Residents>
constexpr std::int64_t arena_lower_bound(Buffers const& buffers, Residents const& residents, binding const& b, std::int64_t* alive) {
  std::int64_t most = 0;
  for (resident const& r : residents) {
    std::int64_t const bytes = arena_bytes_of(buffers[r.buffer], b);
    for (int t = r.first; t <= r.last; ++t) {
      alive[t] += bytes;
      if (alive[t] > most) most = alive[t];
    }
  }
  return most;
}

// What lies between kernels that run together (plan/blocks.hpp), kept whole: for a backend that runs each kernel in its place among all of
// them, and in a body. What is there from its first kernel to the last one of those shares no bytes with others that are there meanwhile.
// The bytes that this takes, and where each buffer lies, into `offset`.
template <class Plan> constexpr std::int64_t place_blocks(Plan const& p, binding const& b, std::int64_t* offset) {
  std::int64_t most = 0;
  for (int i = 0; i < p.buffers.size(); ++i) {
    buffer_info const& f = p.buffers[i];
    if (f.where != storage::block || f.home != i) continue;
    std::int64_t at = 0;
    for (int k = 0; k < i; ++k)
      if (buffer_info const& g = p.buffers[k];
          g.where == storage::block && g.home == k && g.first <= p.groups[f.first].together && f.first <= p.groups[g.first].together)
        at = std::max(at, offset[k] + arena_bytes_of(g, b));
    offset[i] = at;
    most = std::max(most, at + arena_bytes_of(f, b));
  }
  for (int i = 0; i < p.buffers.size(); ++i)
    if (p.buffers[i].where == storage::block) offset[i] = offset[home_of(p.buffers, i)];
  return most;
}

// The dimensions for which the order is chosen. If a single one is dynamic, larger values keep the proportions of the sizes.
template <class Rows> constexpr binding typical_binding(Rows const& dimensions) {
  binding b;
  for (std::int64_t& v : b.value) v = 64;
  return with_computed(dimensions, b);
}
constexpr binding typical_binding(plan const& p) { return typical_binding(p.g.dimensions.rows); }
template <class Buffers, class Rows> constexpr list<resident> plan_arena(Buffers const& buffers, Rows const& dimensions, int kernels) {
  binding const b = typical_binding(dimensions);
  list<resident> r;
  list<int> index(buffers.size(), -1);
  for (int i = 0; i < buffers.size(); ++i) {
    buffer_info const& f = buffers[i];
    if (f.where != storage::arena) continue;
    int const home = home_of(buffers, i);
    if (index[home] < 0) {
      index[home] = r.size();
      r.push({home, f.first, f.last});
    }
    resident& l = r[index[home]];
    if (f.first < l.first) l.first = f.first;
    if (f.last > l.last) l.last = f.last;
  }
  list<std::int64_t> bytes;
  for (resident const& l : r) bytes.push(arena_bytes_of(buffers[l.buffer], b));
  list<std::int64_t> alive(kernels);
  detail::packer best(r, bytes);
  best.pack(arena_lower_bound(buffers, r, b, alive.begin()));
  list<resident> stacked;
  for (int i : best.stack()) stacked.push(r[i]);
  return stacked;
}
constexpr list<resident> plan_arena(plan const& p) { return plan_arena(p.buffers, p.g.dimensions.rows, p.groups.size()); }

// A whole arena at given dimensions.
struct arena_layout {
  list<std::int64_t> offset;  // of each buffer
  std::int64_t bytes = 0, lower_bound = 0;
};
constexpr arena_layout arena_at(plan const& p, list<resident> const& residents, binding const& b) {
  arena_layout r;
  r.offset.resize(p.buffers.size());
  list<std::int64_t> top(p.groups.size()), alive(p.groups.size());
  r.bytes = stack_arena(p.buffers, residents, b, r.offset.begin(), top.begin());
  r.lower_bound = arena_lower_bound(p.buffers, residents, b, alive.begin());
  return r;
}

}  // namespace SINTER_ISA
}  // namespace sinter
