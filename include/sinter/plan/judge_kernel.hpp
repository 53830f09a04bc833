// SPDX-License-Identifier: Apache-2.0
// Checks the memory accesses of one kernel: every store and every read, in any order that a backend may choose.
//
// What a backend may choose. The units of a kernel run in any order and at the same time: the points of a pointwise kernel, the rows of a
// kernel over rows, the elements of a product's result. Inside a unit, an element is read before it is written. A row runs phase by phase:
// first the values of one number a row that this phase begins with are stored, then its elements run in any order. A product and an
// operation that never fuses read their operands at any time.
//
// It shares no code with the planner.
#pragma once
#include <algorithm>

#include "arena.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// What is wrong with a plan; `what` is empty when nothing is. The rest says where, as far as it applies.
struct verdict {
  std::string_view what;
  int kernel = -1, writer = -1, reader = -1;  // a kernel, and two of the plan's operands
  constexpr bool sound() const { return what.empty(); }
};

}  // namespace SINTER_ISA
namespace detail::inline SINTER_ISA {

constexpr loop_map map_of(plan const& p, group const& q) { return q.map >= 0 ? p.maps[q.map] : loop_map{}; }

class judge_of_kernel {
 public:
  enum class kind : std::int8_t { read, store, keep, read_kept };
  struct access {
    std::int64_t place = 0, unit = -1, element = -1;  // unit -1: at any time
    int time = 0, operand = 0;
    kind what = kind::read;
    constexpr bool writes() const { return what == kind::store || what == kind::keep; }
  };
  struct by_place {
    constexpr bool operator()(access const& a, access const& b) const { return a.place < b.place; }
  };

  constexpr judge_of_kernel(plan const& p, int kernel, binding const& b) : p_(p), q_(p.groups[kernel]), kernel_(kernel) {
    rank_ = q_.kind == kernel_kind::opaque ? 0 : q_.rank;
    for (int i = 0; i < rank_; ++i) extent_[i] = b(q_.extents[i]);
    units_ = q_.kind == kernel_kind::rows ? q_.row_rank : q_.kind == kernel_kind::product ? rank_ - map_of(p_, q_).depth : rank_;
    windows_ = map_of(p_, q_);
    for (int j = 0; j < q_.operands.n; ++j) {
      operand const& o = operand_at(j);
      maps_.push({b(o.offset), {}});
      for (int i = 0; i < rank_; ++i) maps_.back().stride[i] = b(o.stride[i]);
      for (int w = 0; o.windowed && w < windows_.windows; ++w)
        maps_.back().offset -=
            windows_.window_at[w].shift * (maps_.back().stride[windows_.window_at[w].outer] / windows_.window_at[w].step);
    }
    // At most a quarter of a million accesses are compared, in a constant expression a few thousand; of a longer loop only the ends.
    double all = q_.operands.n;
    for (int i = 0; i < rank_; ++i) all *= static_cast<double>(extent_[i]);
    most_ = std::is_constant_evaluated() ? (all > 64 ? 2 : 64) : (all > 250000 ? 3 : 250000);
  }

  constexpr verdict judge(binding const& b) {
    for (int j = 0; j < q_.operands.n; ++j)
      if (!inside(j, b)) return {"an operand lies outside its buffer", kernel_, q_.operands.at + j, q_.operands.at + j};
    if (q_.kind == kernel_kind::opaque) return judge_opaque();
    for (int j = q_.inputs; j < q_.operands.n; ++j) {
      int const home = home_of(p_.buffers, operand_at(j).buffer);
      bool first = true;  // each home once
      for (int k = q_.inputs; k < j; ++k) first = first && home_of(p_.buffers, operand_at(k).buffer) != home;
      if (!first) continue;
      if (verdict const v = judge_home(home); !v.sound()) return v;
    }
    return {};
  }

  // Adds where operand j is read or written, as far as is looked at.
  constexpr void add_places(int j, binding const& b, list<access>& to) {
    if (q_.kind == kernel_kind::opaque) {
      std::int64_t const n = elements_of_opaque(j, b);
      for (std::int64_t i = 0; i < looks(n); ++i) to.push({maps_[j].offset + look(n, i), -1, -1, 0, q_.operands.at + j, kind::read});
      return;
    }
    all_.shrink(0);
    add(j, 0, kind::read);
    for (access const& a : all_) to.push(a);
  }

 private:
  struct map {
    std::int64_t offset = 0, stride[max_loop]{};
  };
  // Two times a phase: its beginning, then its elements.
  static constexpr int beginning(int phase) { return 2 * phase; }
  static constexpr int elements(int phase) { return 2 * phase + 1; }

  plan const& p_;
  group const& q_;
  int kernel_, rank_ = 0, units_ = 0;
  std::int64_t extent_[max_loop]{}, most_ = 0;
  list<map> maps_;
  loop_map windows_;
  list<access> all_;

  constexpr operand const& operand_at(int j) const { return p_.operands[q_.operands.at + j]; }
  constexpr step_info const& step_at(int i) const { return p_.steps[q_.steps.at + i]; }
  constexpr std::int64_t looks(std::int64_t extent) const { return extent < most_ ? extent : most_; }
  constexpr std::int64_t look(std::int64_t extent, std::int64_t i) const { return extent > most_ && i == most_ - 1 ? extent - 1 : i; }
  constexpr bool moves_inside(int j) const {
    for (int i = units_; i < rank_; ++i)
      if (maps_[j].stride[i] != 0) return true;
    return false;
  }

  // Whether a product or what runs on its first operand reads operand j, for each turn of its depth.
  constexpr bool read_by_product(int j) const {
    for (int i = 0; i < q_.steps.n; ++i)
      for (int k = 0; k < step_at(i).n; ++k)
        if (step_at(i).from[k] == -1 - j && (step_at(i).prologue || step_at(i).op->kind == family::product)) return true;
    return false;
  }
  // Of a buffer: how many elements it has, or a constant in the program.
  static constexpr std::int64_t elements_of(buffer_info const& f, binding const& b) {
    return f.where == storage::constant && f.data == 1 ? 1 : b(f.elements);
  }
  // An operation that never fuses has the elements of its operands one behind the other.
  constexpr std::int64_t elements_of_opaque(int j, binding const& b) const {
    dims const& s = p_.shapes[q_.shape_of(j)];
    std::int64_t n = 1;
    for (int i = 0; i < s.rank; ++i) n *= b(p_.g.dimensions.size_of(s.d[i]));
    return n;
  }
  constexpr bool inside(int j, binding const& b) const {
    operand const& o = operand_at(j);
    std::int64_t first = maps_[j].offset, last = first;
    if (q_.kind == kernel_kind::opaque) {
      std::int64_t const n = elements_of_opaque(j, b);
      if (n == 0) return true;
      last += n - 1;
    } else
      for (int i = 0; i < rank_; ++i) {
        std::int64_t const span = maps_[j].stride[i] * (extent_[i] - 1);
        if (extent_[i] == 0 && (i < units_ || maps_[j].stride[i] != 0 || read_by_product(j))) return true;
        if (extent_[i] > 0 && !(o.windowed && is_windowed(i))) (span < 0 ? first : last) += span;
      }
    for (int w = 0; o.windowed && w < windows_.windows; ++w) {
      if (!add_window(j, windows_.window_at[w], first, last)) return true;
    }
    return first >= 0 && last < elements_of(p_.buffers[o.buffer], b);
  }
  constexpr bool is_windowed(int loop) const {
    for (int w = 0; w < windows_.windows; ++w)
      if (windows_.window_at[w].outer == loop || windows_.window_at[w].inner == loop) return true;
    return false;
  }
  // Widens [first, last] by what operand j reads through a window; false where that is nothing.
  constexpr bool add_window(int j, window const& w, std::int64_t& first, std::int64_t& last) const {
    std::int64_t const low = std::max(-w.shift, std::int64_t{0}),
                       high = std::min(w.place(extent_[w.outer] - 1, extent_[w.inner] - 1), w.extent - 1);
    if (low > high) return false;
    std::int64_t const by = maps_[j].stride[w.outer] / w.step, from = (low + w.shift) * by, to = (high + w.shift) * by;
    first += std::min(from, to);
    last += std::max(from, to);
    return true;
  }
  // What it reads it may read after what it writes.
  constexpr verdict judge_opaque() const {
    for (int w = q_.inputs; w < q_.operands.n; ++w)
      for (int j = 0; j < w; ++j)
        if (home_of(p_.buffers, operand_at(j).buffer) == home_of(p_.buffers, operand_at(w).buffer))
          return {j < q_.inputs ? "a store destroys what is still read" : "two stores of one place have no order", kernel_,
                  q_.operands.at + w, q_.operands.at + j};
    return {};
  }

  // Operand j at every turn of its loops, at `time` of its unit.
  constexpr void add(int j, int time, kind what, bool any_time = false) {
    std::int64_t at[max_loop]{}, n[max_loop]{};
    // Loops inside a unit matter where the operand moves along them; a value of one number a row is looked at once.
    bool const whole = moves_inside(j);
    for (int i = 0; i < rank_; ++i) {
      n[i] = i < units_ || whole ? looks(extent_[i]) : 1;
      if (n[i] == 0) return;
    }
    for (;;) {
      access a{maps_[j].offset, any_time ? -1 : 0, -1, time, q_.operands.at + j, what};
      std::int64_t element = 0;
      for (int i = 0; i < rank_; ++i) {
        std::int64_t const turn = look(extent_[i], at[i]);
        a.place += turn * maps_[j].stride[i];
        if (i < units_ && !any_time) a.unit = a.unit * extent_[i] + turn;
        if (i >= units_) element = element * extent_[i] + turn;
      }
      if (whole) a.element = element;
      if (!operand_at(j).windowed || inside_windows(at)) all_.push(a);
      int i = rank_ - 1;
      while (i >= 0 && ++at[i] == n[i]) at[i--] = 0;
      if (i < 0) return;
    }
  }
  constexpr bool inside_windows(std::int64_t const* at) const {
    for (int w = 0; w < windows_.windows; ++w) {
      window const& v = windows_.window_at[w];
      if (!v.holds(v.place(look(extent_[v.outer], at[v.outer]), look(extent_[v.inner], at[v.inner])))) return false;
    }
    return true;
  }
  constexpr void add_reads(int j, step_info const& s) {
    if (q_.kind != kernel_kind::rows) return add(j, elements(0), kind::read, s.prologue || s.op->kind == family::product);
    if (!moves_inside(j)) add(j, beginning(0), kind::read);  // a backend may fetch it beforehand
    if (s.op->kind == family::reduction) return add(j, elements(s.phase - 1), kind::read);
    if (s.row) return add(j, s.phase ? elements(s.phase - 1) : beginning(0), kind::read);
    for (int phase = 0; phase < q_.phases; ++phase)
      if (((s.needed >> phase) & 1) && (s.keep < 0 || phase == s.phase)) add(j, elements(phase), kind::read);
  }
  constexpr void add_writes(int j, step_info const& s) {
    int const time = q_.kind == kernel_kind::rows && s.row ? beginning(s.phase) : elements(s.phase);
    if (s.store == j) add(j, time, kind::store);
    if (s.keep != j) return;
    if (s.store != j) add(j, time, kind::keep);
    for (int phase = s.phase + 1; phase < q_.phases; ++phase)
      if ((s.needed >> phase) & 1) add(j, elements(phase), kind::read_kept);
  }

  // Whether a happens before b whatever a backend chooses.
  static constexpr bool before(access const& a, access const& b) {
    if (a.unit < 0 || b.unit < 0 || a.unit != b.unit) return false;
    if (a.time != b.time) return a.time < b.time;
    bool const begins = a.time % 2 == 0;  // lanes that share a row begin it at different times
    return !begins && !a.writes() && b.writes() && a.element == b.element;
  }
  constexpr verdict judge_home(int home) {
    all_.shrink(0);
    for (int j = 0; j < q_.operands.n; ++j) {
      if (home_of(p_.buffers, operand_at(j).buffer) != home) continue;
      for (int i = 0; i < q_.steps.n; ++i) {
        step_info const& s = step_at(i);
        for (int k = 0; k < s.n; ++k)
          if (s.from[k] == -1 - j) add_reads(j, s);
        if (j >= q_.inputs) add_writes(j, s);
      }
    }
    std::sort(all_.begin(), all_.end(), by_place{});
    for (int from = 0, to = 0; from < all_.size(); from = to) {
      while (to < all_.size() && all_[to].place == all_[from].place) ++to;
      for (int i = from; i < to; ++i)
        for (int k = from; k < to; ++k)
          if (i != k && all_[i].writes())
            if (std::string_view const fault = fault_of_pair(all_[i], all_[k], from, to); !fault.empty())
              return {fault, kernel_, all_[i].operand, all_[k].operand};
    }
    return {};
  }
  // A store and another access of the same place.
  constexpr std::string_view fault_of_pair(access const& w, access const& a, int from, int to) const {
    if (a.writes()) return before(w, a) || before(a, w) ? "" : "two stores of one place have no order";
    if (a.what == kind::read) return before(a, w) ? "" : "a store destroys what is still read";
    // What waits in a result: the store that put it there is the last one before it is read again.
    if (w.what == kind::store && !is_kept(w)) return before(a, w) ? "" : "a store destroys what waits for a later phase";
    bool found = before(w, a) && w.element == a.element && w.operand == a.operand;
    for (int i = from; i < to && !found; ++i) {
      access const& o = all_[i];
      found = (o.what == kind::keep || is_kept(o)) && before(o, a) && o.operand == a.operand && o.element == a.element &&
              (before(w, o) || before(a, w));
    }
    return found ? "" : "a store destroys what waits for a later phase";
  }
  // Whether a store is of a step whose elements later phases read back.
  constexpr bool is_kept(access const& w) const {
    if (w.what != kind::store) return false;
    for (int i = 0; i < q_.steps.n; ++i)
      if (step_info const& s = step_at(i); s.store >= 0 && s.store == s.keep && q_.operands.at + s.store == w.operand) return true;
    return false;
  }
};

}  // namespace detail::inline SINTER_ISA
}  // namespace sinter
