// SPDX-License-Identifier: Apache-2.0
// What tests ask a plan: which kernels, why they end, and whether its memory is sound.
#pragma once
#include "networks.hpp"

#include <sinter/plan/make.hpp>

namespace test {

// Whether producer and consumer stay apart for this reason, and no other one is given for the two.
template <class Producer, class Consumer> constexpr bool apart(plan const& p, reason why) {
  bool found = false;
  for (passes::missed const& m : p.misses) {
    if (!p.g.is(m.producer, ops::info<Producer>) || !p.g.is(m.consumer, ops::info<Consumer>)) continue;
    if (m.why != why) return false;
    found = true;
  }
  return found;
}
constexpr bool kernels_are(plan const& p, std::initializer_list<kernel_kind> want) {
  if (p.groups.size() != static_cast<int>(want.size())) return false;
  for (int i = 0; i < p.groups.size(); ++i)
    if (p.groups[i].kind != want.begin()[i]) return false;
  return true;
}
constexpr int outputs_of(plan const& p, int kernel) { return p.groups[kernel].operands.n - p.groups[kernel].inputs; }
constexpr int copies(plan const& p) { return count<ops::identity>(p.g); }

// The elements of an operand, each once: fn(place in its buffer).
template <class Fn> constexpr void each_element(plan const& p, group const& q, operand const& o, binding const& b, Fn fn) {
  std::int64_t const offset = b(o.offset);
  std::int64_t extent_[max_loop]{}, stride[max_loop]{}, at[max_loop]{};
  int rank = q.rank;
  if (q.kind == kernel_kind::opaque) {  // its operands have shapes of their own
    int const j = static_cast<int>(&o - &p.operands[q.operands.at]);
    dims const& s = p.shapes[q.shape_of(j)];
    rank = s.rank;
    for (int i = 0; i < rank; ++i) extent_[i] = b(p.g.dimensions.size_of(s.d[i]));
  } else
    for (int i = 0; i < rank; ++i) extent_[i] = b(q.extents[i]);
  for (int i = 0; i < rank; ++i) {
    stride[i] = b(o.stride[i]);
    if (stride[i] == 0 && (o.written || extent_[i] > 1)) extent_[i] = 1;  // a sum of nothing is written all the same
    if (extent_[i] == 0) return;
  }
  for (;;) {
    std::int64_t place = offset;
    for (int i = 0; i < rank; ++i) place += at[i] * stride[i];
    fn(place);
    int i = rank - 1;
    while (i >= 0 && ++at[i] == extent_[i]) at[i--] = 0;
    if (i < 0) return;
  }
}
// Runs a plan without computing: every byte of the arena and of the outputs knows whose element it holds, and what a kernel reads has to be
// what an earlier one wrote. That no two live values overlap follows, whatever the planner thought of their lives.
constexpr bool memory_is_sound(plan const& p, arena_layout const& a, binding const& b) {
  std::int64_t const bytes = a.bytes;
  list<std::int64_t> arena(static_cast<int>(bytes), -1);
  list<list<char>> written(p.buffers.size());
  for (int i = 0; i < p.buffers.size(); ++i)
    if (p.buffers[i].where == storage::output) written[i].resize(static_cast<int>(b(p.buffers[i].elements)), 0);
  if (a.lower_bound > bytes) return false;
  for (group const& q : p.groups)
    for (int pass = 0; pass < 2; ++pass)  // a kernel reads, then writes
      for (int j = 0; j < q.operands.n; ++j) {
        operand const& o = p.operands[q.operands.at + j];
        buffer_info const& f = p.buffers[o.buffer];
        if (o.written != (pass == 1)) continue;
        bool sound = true;
        std::int64_t const elements = f.where == storage::constant ? f.data : b(f.elements);
        std::int64_t const start = a.offset[o.buffer];
        each_element(p, q, o, b, [&](std::int64_t place) {
          sound = sound && place >= 0 && place < elements;
          if (!sound) return;
          if (f.where == storage::output) {
            char& w = written[o.buffer][static_cast<int>(place)];
            sound = o.written ? !w : w;
            w = 1;
          } else if (f.where == storage::arena) {
            std::int64_t const id = o.buffer * 65536 + place;
            std::int64_t const from = start + place * bytes_of(f.type);
            if (start % arena_alignment != 0 || from < 0 || from + bytes_of(f.type) > bytes) sound = false;
            for (std::int64_t k = 0; k < bytes_of(f.type) && sound; ++k) {
              std::int64_t& owner = arena[static_cast<int>(from + k)];
              if (o.written) owner = id;
              else sound = owner == id;
            }
          }
        });
        if (!sound) return false;
      }
  for (list<char> const& w : written)
    for (char c : w)
      if (!c) return false;
  return true;
}
// The largest sum of live bytes, straight from the kernels' operands: from the kernel that writes a value first to the last that reads it.
constexpr std::int64_t live_bytes(plan const& p, binding const& b) {
  std::int64_t most = 0;
  for (int t = 0; t < p.groups.size(); ++t) {
    std::int64_t sum = 0;
    for (int i = 0; i < p.buffers.size(); ++i) {
      if (p.buffers[i].where != storage::arena || p.buffers[i].home != i) continue;
      bool before = false, after = false;
      for (int q = 0; q < p.groups.size(); ++q)
        for (int j = 0; j < p.groups[q].operands.n; ++j) {
          int home = p.operands[p.groups[q].operands.at + j].buffer;
          while (p.buffers[home].home != home) home = p.buffers[home].home;
          if (home != i) continue;
          before = before || q <= t;
          after = after || q >= t;
        }
      if (before && after) sum += (b(p.buffers[i].elements) * bytes_of(p.buffers[i].type) + 63) / 64 * 64;
    }
    most = sum > most ? sum : most;
  }
  return most;
}
constexpr binding bound_to(std::int64_t a, std::int64_t b = 0) {
  binding r;
  r.value[0] = a;
  r.value[1] = b;
  return r;
}
// The dynamic dimensions of the inputs are n and m.
constexpr binding bound_in(plan const& p, std::int64_t n, std::int64_t m = 2) { return with_computed(p.g.dimensions.rows, bound_to(n, m)); }
constexpr bool memory_is_sound(plan const& p, std::int64_t n = 3, std::int64_t m = 2) {
  binding const b = bound_in(p, n, m);
  return memory_is_sound(p, arena_at(p, plan_arena(p), b), b);
}

// All that a plan says, and its arena.
constexpr std::uint64_t fingerprint(plan const& p) {
  std::uint64_t h = fingerprint(p.g);
  auto const add = [&](std::int64_t v) { h = (h ^ static_cast<std::uint64_t>(v)) * 1099511628211u; };
  auto const add_size = [&](size s) {
    add(s.k);
    add(static_cast<std::int64_t>(s.powers));
  };
  for (buffer_info const& b : p.buffers) {
    for (int v : {static_cast<int>(b.where), b.index, b.data, static_cast<int>(b.type), b.first, b.last, b.node, b.home}) add(v);
    add_size(b.elements);
  }
  for (operand const& o : p.operands) {
    for (int v : {o.buffer, static_cast<int>(o.type), static_cast<int>(o.mode), static_cast<int>(o.written)}) add(v);
    add(o.offset.fixed);
    for (size s : o.offset.dynamic) add_size(s);
    add_size(o.touched);
    for (size s : o.stride) add_size(s);
  }
  for (step_info const& s : p.steps) {
    add(static_cast<std::int64_t>(s.op->id));
    for (int v : {static_cast<int>(s.type), s.n, static_cast<int>(s.row), s.phase, static_cast<int>(s.needed), s.keep, s.store, s.node,
                  static_cast<int>(s.prologue)})
      add(v);
    for (int j = 0; j < s.n; ++j) add(s.from[j]);
  }
  for (group const& q : p.groups) {
    for (int v :
         {static_cast<int>(q.kind), q.steps.at, q.steps.n, q.operands.at, q.operands.n, q.inputs, q.rank, q.row_rank, q.phases, q.anchor})
      add(v);
    for (int i = 0; i < q.rank; ++i) add_size(q.extents[i]);
  }
  for (passes::missed const& m : p.misses)
    for (int v : {m.producer, m.consumer, static_cast<int>(m.why)}) add(v);
  for (int i : p.parameter_at) add(i);
  for (resident const& r : plan_arena(p))
    for (int v : {r.buffer, r.first, r.last}) add(v);
  return h;
}

}  // namespace test
