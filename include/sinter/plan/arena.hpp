// SPDX-License-Identifier: Apache-2.0
// Gives every value between kernels its place in one block of memory.
#pragma once
#include "plan.hpp"

namespace sinter {

// Bytes as a number plus a multiple of the plan's one dynamic dimension. A plan without it has `per` 0 throughout.
struct affine {
  std::int64_t fixed = 0, per = 0;
  friend constexpr affine operator+(affine a, affine b) { return {a.fixed + b.fixed, a.per + b.per}; }
  friend constexpr bool operator==(affine, affine) = default;
  // At most, whatever the dimension is.
  constexpr bool within(affine b) const { return fixed <= b.fixed && per <= b.per; }
  constexpr std::int64_t operator()(std::int64_t n) const { return fixed + per * n; }
  // An order for looking at the large ones first: what grows counts first.
  constexpr bool larger(affine b) const { return per != b.per ? per > b.per : fixed > b.fixed; }
};
constexpr affine larger_of(affine a, affine b) { return {a.fixed > b.fixed ? a.fixed : b.fixed, a.per > b.per ? a.per : b.per}; }

inline constexpr std::int64_t arena_alignment = 64;

struct arena_plan {
  list<affine> offset;  // of each buffer; 0 for those that are not in the arena
  affine bytes, lower_bound;
};

namespace detail {
struct lifetime {
  affine size;
  int first = 0, last = 0, buffer = 0;
};
constexpr std::int64_t aligned(std::int64_t n) { return (n + arena_alignment - 1) / arena_alignment * arena_alignment; }

constexpr affine place_in_order(list<lifetime> const& v, list<int> const& order, list<affine>& offset) {
  affine top;
  list<int> done;
  for (int i : order) {
    affine at;
    for (bool moved = true; moved;) {
      moved = false;
      for (int j : done) {
        if (v[j].last < v[i].first || v[i].last < v[j].first) continue;
        affine const end = offset[j] + v[j].size;
        if ((at + v[i].size).within(offset[j]) || end.within(at)) continue;
        at = larger_of(at, end);
        moved = true;
      }
    }
    offset[i] = at;
    top = larger_of(top, at + v[i].size);
    done.push(i);
  }
  return top;
}
// Sorts by a key, larger first; equal keys keep their order.
template <class Key> constexpr void sort_down(list<int>& order, Key key) {
  list<int> from = order;  // merge sort: linear steps a level
  for (int width = 1; width < order.size(); width *= 2) {
    for (int a = 0; a < order.size(); a += 2 * width) {
      int const mid = a + width < order.size() ? a + width : order.size(),
                stop = a + 2 * width < order.size() ? a + 2 * width : order.size();
      int l = a, r = mid;
      for (int k = a; k < stop; ++k) {
        bool const left = l < mid && (r >= stop || !key(order[r], order[l]));
        from[k] = order[left ? l++ : r++];
      }
    }
    order = from;
  }
}
}  // namespace detail

// Greedy: the largest first (Pisarchyk and Lee, arXiv 2001.03288), each into the lowest gap that is free while it lives. Where that
// misses the lower bound (the most bytes alive at once) other orders are tried, then exchanges of neighbours in the best one.
// `size_in_bytes(size, dtype)` says what a size is worth.
template <class Size> constexpr arena_plan plan_arena(plan const& p, Size size_in_bytes) {
  using detail::lifetime;
  arena_plan r;
  r.offset.resize(p.buffers.size());
  list<lifetime> v;
  list<int> index(p.buffers.size(), -1);
  for (int i = 0; i < p.buffers.size(); ++i) {
    buffer_info const& b = p.buffers[i];
    if (b.where != storage::arena) continue;
    int home = i;
    while (p.buffers[home].home != home) home = p.buffers[home].home;
    if (index[home] < 0) {
      index[home] = v.size();
      v.push({size_in_bytes(p.buffers[home].elements, p.buffers[home].type), b.first, b.last, home});
    }
    lifetime& l = v[index[home]];
    if (b.first < l.first) l.first = b.first;
    if (b.last > l.last) l.last = b.last;
    index[i] = index[home];
  }
  list<affine> alive(p.groups.size() + 1);
  for (lifetime const& l : v)
    for (int t = l.first; t <= l.last && t < alive.size(); ++t) alive[t] = alive[t] + l.size;
  for (affine a : alive) r.lower_bound = larger_of(r.lower_bound, a);

  list<affine> offset(v.size()), trial(v.size());
  list<int> order, best;
  for (int i = 0; i < v.size(); ++i) order.push(i);
  auto const attempt = [&](list<int> const& o) {
    affine const bytes = detail::place_in_order(v, o, trial);
    if (!best.empty() && !r.bytes.larger(bytes)) return;
    r.bytes = bytes;
    offset = trial;
    best = o;
  };
  auto const area = [&](int i) {
    return affine{v[i].size.fixed * (v[i].last - v[i].first + 1), v[i].size.per * (v[i].last - v[i].first + 1)};
  };
  detail::sort_down(order, [&](int a, int b) { return v[a].size.larger(v[b].size); });
  attempt(order);
  if (!(r.bytes == r.lower_bound)) {
    detail::sort_down(order, [&](int a, int b) { return area(a).larger(area(b)); });
    attempt(order);
  }
  if (!(r.bytes == r.lower_bound)) {
    detail::sort_down(order, [&](int a, int b) { return v[a].last - v[a].first > v[b].last - v[b].first; });
    attempt(order);
  }
  if (!(r.bytes == r.lower_bound)) {  // the busiest moment first
    detail::sort_down(order, [&](int a, int b) { return alive[v[a].first].larger(alive[v[b].first]); });
    attempt(order);
  }
  std::uint32_t random = 1;
  for (int tries = 0; tries < 64 && v.size() > 2 && v.size() <= 128 && !(r.bytes == r.lower_bound); ++tries) {
    list<int> o = best;
    random = random * 1664525u + 1013904223u;
    int const from = static_cast<int>((random >> 8) % static_cast<std::uint32_t>(o.size()));
    random = random * 1664525u + 1013904223u;
    int const to = static_cast<int>((random >> 8) % static_cast<std::uint32_t>(o.size()));
    int const moved = o[from];
    for (int k = from; k < to; ++k) o[k] = o[k + 1];
    for (int k = from; k > to; --k) o[k] = o[k - 1];
    o[to] = moved;
    attempt(o);
  }
  for (int i = 0; i < p.buffers.size(); ++i)
    if (index[i] >= 0) r.offset[i] = offset[index[i]];
  return r;
}

// Whether every arena size is a number, or a number times the one dynamic dimension of the graph's inputs.
constexpr bool is_affine(plan const& p) {
  for (buffer_info const& b : p.buffers)
    if (b.where == storage::arena && b.elements.powers > 1) return false;
  return p.g.dimensions.rows.size() <= 1 || p.g.dimensions.rows[0].from == dimension::origin::input;
}
constexpr arena_plan plan_arena_affine(plan const& p) {
  return plan_arena(p, [](size s, dtype t) {
    std::int64_t const bytes = detail::aligned(s.k * bytes_of(t));
    return s.fixed() ? affine{bytes, 0} : affine{0, bytes};
  });
}
constexpr arena_plan plan_arena_at(plan const& p, binding const& b) {
  return plan_arena(p, [&](size s, dtype t) { return affine{detail::aligned(b(s) * bytes_of(t)), 0}; });
}

}  // namespace sinter
