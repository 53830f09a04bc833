// SPDX-License-Identifier: Apache-2.0
// Checks the memory accesses of a plan: those of each kernel (judge_kernel.hpp), of kernels that run together (judge_block.hpp), what kernels
// write for one another (judge_stores.hpp), what they change (judge_updates.hpp), and how long what they read has to stay. It shares no code with the planner; it derives the
// lifetimes from the kernels alone.
#pragma once
#include <algorithm>

#include "judge_block.hpp"
#include "judge_updates.hpp"

namespace sinter {
namespace detail::inline SINTER_ISA {

// From the kernel that writes a buffer first to the last one that needs it; empty where no kernel writes it.
struct life {
  int first = -1, last = -1;
  constexpr bool meets(life const& o) const { return first >= 0 && o.first >= 0 && first <= o.last && o.first <= last; }
};
constexpr list<life> lives_of(plan const& p) {
  list<life> r(p.buffers.size());
  for (int q = 0; q < p.groups.size(); ++q)
    for (int j = 0; j < p.groups[q].operands.n; ++j) {
      operand const& o = p.operands[p.groups[q].operands.at + j];
      int const time = p.buffers[o.buffer].where == storage::block ? q : time_of(p, q);
      if (o.written && r[o.buffer].first < 0) r[o.buffer].first = time;
      r[o.buffer].last = std::max(r[o.buffer].last, time);
    }
  for (int i = 0; i < p.buffers.size(); ++i)
    if (p.buffers[i].where == storage::output) r[i].last = p.groups.size();
  return r;
}
// The bytes of a value; the arena of a body, or the larger of two, where it is known, and none before.
constexpr std::int64_t bytes_in_arena(buffer_info const& f, binding const& b) {
  if (f.body < 0) return b(f.elements) * bytes_of(f.type);
  if (!f.knows_arenas) return 0;
  std::int64_t most = f.arena_of_body[f.body](b);
  if (f.other >= 0 && f.arena_of_body[f.other](b) > most) most = f.arena_of_body[f.other](b);
  return most;
}
// Also of what lies between kernels that run together, where a backend keeps it whole.
constexpr verdict judge_lives(plan const& p, list<life> const& lives, arena_layout const* arena, binding const& b) {
  list<std::int64_t> whole(p.buffers.size());
  place_blocks(p, b, whole.begin());
  for (int i = 0; i < p.buffers.size(); ++i)
    for (int j = 0; j < i; ++j) {
      buffer_info const &x = p.buffers[i], &y = p.buffers[j];
      bool const ours = x.where == storage::arena || x.where == storage::block;
      if (!ours || x.where != y.where || !lives[i].meets(lives[j])) continue;
      if (home_of(p.buffers, i) == home_of(p.buffers, j)) {
        // One may take the other's bytes in the kernel that reads it last, which judge_of_kernel looks at.
        life const &early = lives[i].first < lives[j].first ? lives[i] : lives[j],
                   &late = lives[i].first < lives[j].first ? lives[j] : lives[i];
        if (early.last > late.first || early.first == late.first) return {"two live values share their bytes", late.first};
        if (bytes_of(x.type) != bytes_of(y.type)) return {"values with elements of different sizes share their bytes", late.first};
      } else if (arena || x.where == storage::block) {
        std::int64_t const* const offset = x.where == storage::block ? whole.data() : arena->offset.data();
        std::int64_t const from = offset[i], to = from + bytes_in_arena(x, b), first = offset[j], last = first + bytes_in_arena(y, b);
        if (from < to && first < last && from < last && first < to)
          return {"two live values overlap in the arena", std::max(lives[i].first, lives[j].first)};
      }
    }
  return {};
}
}  // namespace detail::inline SINTER_ISA
inline namespace SINTER_ISA {

// The plan at the dimensions `b`; with its arena there, too.
constexpr verdict judge(plan const& p, binding const& b, arena_layout const* arena = nullptr) {
  for (int q = 0; q < p.groups.size(); ++q)
    if (verdict const v = detail::judge_of_kernel(p, q, b).judge(b); !v.sound()) return v;
  for (int q = 0; q < p.groups.size(); ++q)
    if (p.groups[q].together == q)
      if (verdict const v = detail::judge_of_block(p, q, b).judge(); !v.sound()) return v;
  if (verdict const v = detail::judge_of_stores(p, b).judge(); !v.sound()) return v;
  if (verdict const v = detail::judge_updates(p, b); !v.sound()) return v;
  if (arena)
    for (int i = 0; i < p.buffers.size(); ++i)
      if (buffer_info const& f = p.buffers[i]; f.where == storage::arena)
        if (arena->offset[i] % arena_alignment != 0 || arena->offset[i] < 0 ||
            arena->offset[i] + detail::bytes_in_arena(f, b) > arena->bytes)
          return {"a value lies outside the arena, or not aligned"};
  return detail::judge_lives(p, detail::lives_of(p), arena, b);
}

// Dimensions at which a plan can be judged: those of the inputs are `n`, or what they must be equal to. False where equalities between
// computed dimensions do not hold there.
constexpr bool sample_binding(dimension_table const& t, std::int64_t n, binding& b) {
  b = {};
  for (std::int64_t& v : b.value) v = n;
  for (int i = 0; i < t.rows.size(); ++i)
    for (equality const& e : t.equal) {
      if (t.rows[i].from != dimension::origin::input) continue;
      if (e.a == t.rows[i].code && e.b >= 0) b.value[i] = e.b;
      if (e.b == t.rows[i].code && e.a >= 0) b.value[i] = e.a;
    }
  b = with_computed(t.rows, b);
  for (equality const& e : t.equal)
    if (extent_in(t.rows, b, e.a) != extent_in(t.rows, b, e.b)) return false;
  return true;
}

// The verdict as a sentence.
inline std::string to_string(plan const& p, verdict const& v) {
  if (v.sound()) return "sound";
  std::string s(v.what);
  if (v.kernel >= 0) s += ", in kernel " + std::to_string(v.kernel);
  auto const name = [&](int o) {
    operand const& k = p.operands[o];
    return (k.written ? "the result in buffer " : "the operand in buffer ") + std::to_string(k.buffer);
  };
  if (v.writer >= 0) s += ": " + name(v.writer);
  if (v.reader >= 0 && v.reader != v.writer) s += ", " + name(v.reader);
  return s;
}

}  // namespace SINTER_ISA
}  // namespace sinter
