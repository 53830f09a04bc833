// SPDX-License-Identifier: Apache-2.0
// Runs a tape: the values of one tile, in memory that belongs to the thread and stays in its first cache.
#pragma once
#include <memory>

#include "write_tape.hpp"

namespace sinter::interpreter {
inline namespace SINTER_ISA {

class frame {
 public:
  // `p`: where the operands of the kernel begin, bytes.
  frame(tape const& t, plan const& p, group const& q, kernel::launch const& l, std::byte* const* base)
      : t_(t), operands_(&p.operands[q.operands.at]), l_(l), base_(base) {
    memory_ = simd::kernels::scratch_of<simd::kernels::scratch_use::tape>(static_cast<std::size_t>(t.bytes));
    v_ = reinterpret_cast<source*>(memory_);
    std::uninitialized_value_construct_n(v_, t.slots);
    at_ = reinterpret_cast<std::byte**>(memory_ + static_cast<std::size_t>(t.slots) * sizeof(source));
    std::uninitialized_value_construct_n(at_, t.operands + 1);
    for (instruction const& n : t.constants) {
      n.move->splat(base[n.operand] + offset(n.operand) * bytes(n.operand), memory_ + n.place);
      v_[n.value] = {memory_ + n.place, 0};
    }
  }
  frame(frame const&) = delete;
  frame& operator=(frame const&) = delete;

  // Where the tile is: the turn of each loop, and of the line's loop the first element.
  std::int64_t turn[max_loop]{};
  std::int64_t lines = 1, length = 0;  // of the tile; across: elements and rows
  std::int64_t rows = 1;               // of the bundle

  void set(int slot, std::byte const* p) { v_[slot] = {p, 1}; }
  void set_outside(std::byte* p) { at_[t_.operands] = p; }
  void seek() {
    for (auto const [j, each] : t_.moving)
      at_[j] = base_[j] ? base_[j] + offset(j) * each : nullptr;  // of no elements there may be no memory
  }
  // The next turn of a loop, as `seek` would find it.
  void advance(int loop) {
    ++turn[loop];
    for (auto const [j, each] : t_.moving)
      if (at_[j]) at_[j] += stride(j, loop) * each;
  }

  // Elements of a tile, and its instructions.
  std::int64_t size() const { return across() ? lines * lanes : lines * length; }
  void run(std::vector<instruction> const& body) {
    for (instruction const& n : body) step(n);
  }
  // The same while the next tile, right behind this one in memory, is brought into the second cache: else memory would have nothing to do
  // but for the first and the last instruction.
  void run_ahead(std::vector<instruction> const& body) {
    std::int64_t i = 0;
    for (instruction const& n : body) {
      if (n.what == action::compute) {
        fetch(i, i + 1);
        ++i;
      }
      step(n);
    }
  }
  // What is there before the elements of a phase, at the first of them.
  void begin(std::vector<instruction> const& all) {
    for (instruction const& n : all) {
      switch (n.what) {
        case action::compute: compute_row(n); break;
        case action::reduce: n.reducer->start(memory_ + n.state); break;
        case action::store_row: store_row(n); break;
        default: load_row(n);
      }
    }
  }
  // The results of a row of `count` elements in lines of `line`.
  void end(std::vector<instruction> const& all, std::int64_t count, std::int64_t line) {
    for (instruction const& n : all) {
      if (across()) n.reducer->finish_lanes(memory_ + n.state, count, memory_ + n.place);
      else n.reducer->finish(memory_ + n.state, count, line, memory_ + n.place);
      v_[n.value] = {memory_ + n.place, 0};
    }
  }

 private:
  tape const& t_;
  operand const* operands_;
  kernel::launch const& l_;
  std::byte* const* base_;
  std::byte* memory_;
  source* v_;
  std::byte** at_;

  // Parts [from, to) of what the next tile reads and writes where it lies; there are as many parts as computations.
  void fetch(std::int64_t from, std::int64_t to) const {
    for (int const j : t_.streams) {
      std::int64_t const tile = t_.capacity * bytes(j), first = tile * from / t_.computations & -64,
                         last = tile * to / t_.computations & -64;
      for (std::int64_t b = first; b < last; b += 64) __builtin_prefetch(at_[j] + tile + b, 0, 2);
    }
  }
  bool across() const { return t_.layout == layout_of_tile::across; }
  int bytes(int j) const { return bytes_of(operands_[j].type); }
  std::int64_t stride(int j, int loop) const { return l_.stride[j * max_loop + loop]; }
  std::int64_t offset(int j) const {
    std::int64_t r = 0;
    for (int d = 0; d < l_.rank; ++d) r += turn[d] * stride(j, d);
    return r;
  }
  // f(offset, how many, stride) for the next `n` turns of loops [first, last) from where they are, as operand j moves in them.
  template <class F> void each_run(int j, int first, int last, std::int64_t n, F const& f) const {
    if (first == last) return f(std::int64_t{0}, n, std::int64_t{0});
    std::int64_t now[max_loop];
    for (int d = first; d < last; ++d) now[d] = turn[d];
    std::int64_t at = 0;
    int const inner = last - 1;
    for (;;) {
      std::int64_t const some = std::min(n, l_.extent[inner] - now[inner]);
      f(at, some, stride(j, inner));
      n -= some;
      if (n == 0) return;
      at += some * stride(j, inner);
      now[inner] += some;
      for (int d = inner; d > first && now[d] == l_.extent[d]; --d) {
        at += stride(j, d - 1) - l_.extent[d] * stride(j, d);
        now[d] = 0;
        ++now[d - 1];
      }
    }
  }
  template <bool In> void move_lines(instruction const& n, std::byte* tile) const {
    int const j = n.operand, each = bytes(j), first = across() ? t_.row_rank : 0, last = across() ? l_.rank : t_.line;
    std::int64_t const along = stride(j, t_.line), pitch = across() ? lanes : length;
    auto const some = [&](std::int64_t at, std::int64_t count, std::int64_t between) {
      interpreter::lines const l{count, between, length, along};
      std::byte* const p = at_[j] + at * each;
      if constexpr (In) (across() ? n.move->in_across : n.move->in)(p, l, tile);
      else (across() ? n.move->out_across : n.move->out)(tile, p, l);
      tile += count * pitch * each;
    };
    if (lines == 1) some(0, 1, 0);
    else each_run(j, first, last, lines, some);
  }
  void step(instruction const& n) {
    std::byte* const place = memory_ + n.place;
    switch (n.what) {
      case action::point: v_[n.value] = {at_[n.operand], 1}; return;
      case action::load: move_lines<true>(n, place); break;
      case action::splat:
        n.move->splat(at_[n.operand], place);
        v_[n.value] = {place, 0};
        return;
      case action::load_row: load_row(n); return;
      case action::spread: n.move->spread(v_[n.in[0]].p, rows, size() / rows, place); break;
      case action::compute: {
        std::byte* const out = n.operand < 0 ? place : at_[n.operand];
        n.loop(v_, n.in, out, size());
        v_[n.value] = {out, 1};
        return;
      }
      case action::reduce: reduce(n); return;
      case action::store: move_lines<false>(n, const_cast<std::byte*>(v_[n.value].p)); return;
      case action::store_row: store_row(n); return;
    }
    v_[n.value] = {place, 1};
  }
  void reduce(instruction const& n) {
    if (t_.bundle > 1 && !across()) {
      std::byte* const place = memory_ + n.place;
      n.reducer->whole(v_[n.in[0]], rows, lines / rows, length, place);
      v_[n.value] = {place, 1};
    } else if (across()) n.reducer->take(memory_ + n.state, v_[n.in[0]], 1, size());
    else n.reducer->take(memory_ + n.state, v_[n.in[0]], lines, length);
  }

  // ---- values of one a row: of each row of a bundle, or a vector of them

  std::int64_t row_step() const { return t_.bundle > 1 && !across() ? 1 : 0; }
  void compute_row(instruction const& n) {
    std::byte* const place = memory_ + n.place;
    n.loop(v_, n.in, place, row_step() ? rows : lanes);
    v_[n.value] = {place, row_step()};
  }
  void load_row(instruction const& n) {
    int const j = n.operand;
    std::byte* to = memory_ + n.place;
    v_[n.value] = {to, row_step()};
    if (across()) return n.move->in_across(at_[j], {1, 0, length, stride(j, t_.line)}, to);
    if (!row_step()) return n.move->splat(at_[j], to);
    each_run(j, 0, t_.row_rank, rows, [&](std::int64_t at, std::int64_t count, std::int64_t stride) {
      n.move->in(at_[j] + at * bytes(j), {1, 0, count, stride}, to);
      to += count * bytes(j);
    });
  }
  void store_row(instruction const& n) {
    int const j = n.operand;
    std::byte const* from = v_[n.value].p;
    if (across()) return n.move->out_across(from, at_[j], {1, 0, length, stride(j, t_.line)});
    if (!row_step()) return n.move->out(from, at_[j], {1, 0, 1, 1});
    each_run(j, 0, t_.row_rank, rows, [&](std::int64_t at, std::int64_t count, std::int64_t stride) {
      n.move->out(from, at_[j] + at * bytes(j), {1, 0, count, stride});
      from += count * bytes(j);
    });
  }
};

}  // namespace SINTER_ISA
}  // namespace sinter::interpreter
