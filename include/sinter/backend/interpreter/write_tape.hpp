// SPDX-License-Identifier: Apache-2.0
// Writes the tape of a kernel: which operands are read where they lie, which registers hold what, and in which order a tile is computed.
#pragma once
#include <span>

#include "registers.hpp"

namespace sinter::interpreter {
inline namespace SINTER_ISA {

// A kernel of a plan with its loops, and the precompiled loop of each step.
struct kernel_view {
  plan const* p = nullptr;
  group const* q = nullptr;
  kernel::launch const* l = nullptr;
  std::span<entry const* const> loops;

  step_info const& step(int i) const { return p->steps[q->steps.at + i]; }
  operand const& at(int j) const { return p->operands[q->operands.at + j]; }
  std::int64_t stride(int j, int loop) const { return l->stride[j * max_loop + loop]; }
  buffer_info const& buffer(int j) const { return p->buffers[at(j).buffer]; }
  // Whether what is written to operand `to` may be what is read as operand `from`.
  bool may_share(int to, int from) const {
    buffer_info const &a = buffer(to), &b = buffer(from);
    auto const is_ours = [](buffer_info const& f) { return f.where == storage::arena || f.where == storage::prepared; };
    if (is_ours(a) || is_ours(b)) return a.where == b.where && home_of(p->buffers, at(to).buffer) == home_of(p->buffers, at(from).buffer);
    if (a.where == storage::output && b.where == storage::output) return a.index == b.index;
    return b.where != storage::constant;
  }
};

// The part of a kernel that a tape is written for.
enum class part : std::int8_t { all, before_product, after_product };

class tape_writer {
 public:
  // `capacity`: elements of a tile, as many as whole vectors.
  tape_writer(kernel_view const& k, part which, layout_of_tile layout, std::int64_t capacity)
      : k_(k), which_(which), slots_(k.q->steps.n, k.q->operands.n) {
    t_.layout = layout;
    t_.slots = slots_.count();
    t_.operands = k.q->operands.n;
    t_.capacity = capacity;
    set_loops();
    t_.bytes = static_cast<std::int64_t>(static_cast<std::size_t>(t_.slots) * sizeof(source)) +
               static_cast<std::int64_t>(sizeof(std::byte*)) * (t_.operands + 1);
    t_.bytes = (t_.bytes + 63) / 64 * 64;
    t_.phases.resize(static_cast<std::size_t>(phases()));
    for (int i = 0; i < k.q->steps.n; ++i) widest_ = std::max(widest_, bytes_of(k.step(i).type));
    for (int j = 0; j < k.q->operands.n; ++j) widest_ = std::max(widest_, bytes_of(k.at(j).type));
  }
  int widest() const { return widest_; }
  tape write() {
    constant_.resize(static_cast<std::size_t>(t_.operands), false);
    row_at_.resize(static_cast<std::size_t>(t_.slots), -1);
    for (int p = 0; p < phases(); ++p) write_phase(p);
    for (tape::phase& p : t_.phases)
      for (instruction& n : p.body)
        if (n.place < 0) n.place = t_.bytes + (-n.place - 1) * register_bytes();
    t_.bytes += most_registers_ * register_bytes();
    note_operands();
    return std::move(t_);
  }
  std::int64_t registers() const { return most_registers_; }

 private:
  kernel_view k_;
  part which_;
  slot_numbers slots_;
  tape t_;
  bool many_lines_ = false;          // in a tile
  int first_ = 0, last_ = 0;         // the loops that may turn inside a tile, but for the line's
  std::vector<bool> constant_;       // operands that do not move at all, and are splatted
  std::vector<std::int64_t> row_at_; // places of values that are one a row
  std::vector<bool> ready_;          // in this phase: slots of operands, and values spread over their rows
  std::ptrdiff_t splats_ = 0;        // in the body of this phase: they come first
  std::int64_t most_registers_ = 0;
  int widest_ = 1;  // bytes of an element

  int phases() const { return k_.q->kind == kernel_kind::rows ? k_.q->phases : 1; }
  // Registers begin at different places of a page, so that no store seems to meet a load of another one.
  std::int64_t register_bytes() const { return (t_.capacity * widest_ + 63) / 64 * 64 + 320; }
  bool across() const { return t_.layout == layout_of_tile::across; }

  void set_loops() {
    group const& q = *k_.q;
    kernel::launch const& l = *k_.l;
    if (q.kind == kernel_kind::product) {
      t_.line = l.map ? line_of_columns() : which_ == part::before_product ? q.rank - 1 : q.rank - 2;
      first_ = last_ = t_.line;
      t_.width = lanes;
      return;
    }
    t_.row_rank = q.kind == kernel_kind::rows ? q.row_rank : q.rank - 1;
    std::int64_t rows = 1, count = 1;
    for (int i = 0; i < t_.row_rank; ++i) rows *= l.extent[i];
    for (int i = t_.row_rank; i < q.rank; ++i) count *= l.extent[i];
    if (across()) {
      t_.line = t_.row_rank - 1;
      t_.width = t_.bundle = lanes;
      many_lines_ = true;
      first_ = t_.row_rank;
      last_ = q.rank;
      return;
    }
    t_.line = q.rank - 1;
    if (count > 0 && count <= t_.capacity) t_.bundle = std::clamp<std::int64_t>(t_.capacity / count, 1, std::max<std::int64_t>(rows, 1));
    t_.width = t_.bundle > 1 ? t_.bundle : lanes;
    many_lines_ = t_.bundle > 1 || (count > l.extent[t_.line] && l.extent[t_.line] < t_.capacity);
    first_ = t_.bundle > 1 ? 0 : t_.row_rank;
    last_ = t_.line;
  }

  // Of a product with a map both parts run along its columns: what comes before it along the innermost of these loops, as its windows do.
  int line_of_columns() const {
    int const end = k_.q->rank - k_.l->map->depth, first = end - k_.l->map->columns;
    int line = end - 1;
    while (which_ == part::after_product && line > first && k_.l->extent[line] == 1) --line;
    return line;
  }
  void note_operands() {
    std::vector<bool> moves(static_cast<std::size_t>(t_.operands) + 1, false);
    auto const note = [&](std::vector<instruction> const& all) {
      for (instruction const& n : all)
        if (n.operand >= 0) moves[static_cast<std::size_t>(n.operand)] = true;
    };
    note(t_.rows);
    for (tape::phase const& p : t_.phases) {
      note(p.begin);
      note(p.body);
    }
    for (int j = 0; j < t_.operands; ++j)
      if (moves[static_cast<std::size_t>(j)]) t_.moving.push_back({j, bytes_of(k_.at(j).type)});
    for (instruction const& n : t_.phases[0].body) t_.computations += n.what == action::compute;
    for (instruction const& n : t_.phases[0].body)
      if (n.what == action::point || (n.what == action::compute && n.operand >= 0)) t_.streams.push_back(n.operand);
  }

  // ---- how an operand's elements lie

  // A loop of one turn may begin outside of a window, where there is nothing to read beforehand.
  bool still(int j, int first, int last) const {
    for (int d = first; d < last; ++d)
      if ((k_.l->extent[d] != 1 || k_.at(j).windowed) && k_.stride(j, d) != 0) return false;
    return true;
  }
  // The same in all of a tile.
  bool is_one(int j) const {
    if (across()) return still(j, first_, last_);
    return (k_.l->extent[t_.line] == 1 || k_.stride(j, t_.line) == 0) && still(j, first_, last_);
  }
  bool never_moves(int j) const { return is_one(j) && !across() && still(j, 0, k_.l->rank); }
  bool is_dense(int j) const {
    if (across()) return false;
    if (k_.stride(j, t_.line) != 1 && (!many_lines_ || k_.l->extent[t_.line] != 1)) return false;
    std::int64_t n = k_.l->extent[t_.line];
    for (int d = last_ - 1; many_lines_ && d >= first_; n *= k_.l->extent[d], --d)
      if (k_.l->extent[d] != 1 && k_.stride(j, d) != n) return false;
    return true;
  }

  // ---- one phase

  bool runs(step_info const& s, int phase) const {
    if (k_.q->kind == kernel_kind::rows) return !s.row && s.op->kind != family::reduction && ((s.needed >> phase) & 1) != 0;
    if (k_.q->kind == kernel_kind::product) return s.op->kind != family::product && s.prologue == (which_ == part::before_product);
    return true;
  }
  static bool reduces(step_info const& s, int phase) { return s.op->kind == family::reduction && s.phase - 1 == phase; }
  static bool kept_before(step_info const& s, int phase) { return s.keep >= 0 && phase > s.phase; }
  std::int64_t new_place(std::int64_t bytes) {
    std::int64_t const at = t_.bytes;
    t_.bytes += (bytes + 63) / 64 * 64;
    return at;
  }
  std::int64_t row_place(int slot) {
    std::int64_t& at = row_at_[static_cast<std::size_t>(slot)];
    if (at < 0) at = new_place(std::max<std::int64_t>(t_.width, lanes) * 8);
    return at;
  }

  void write_phase(int p) {
    tape::phase& to = t_.phases[static_cast<std::size_t>(p)];
    ready_.assign(static_cast<std::size_t>(t_.slots), false);
    splats_ = 0;
    write_row_steps(to, p);
    std::vector<instruction> stores;
    for (int i = 0; i < k_.q->steps.n; ++i) {
      step_info const& s = k_.step(i);
      if (s.op->kind == family::product) write_stores(stores, i, p, -1);
      else if (reduces(s, p)) write_reduction(to, i, p);
      else if (runs(s, p) && !kept_before(s, p)) write_step(to, stores, i, p);
    }
    to.body.insert(to.body.end(), stores.begin(), stores.end());
    chain_up(to.body);
    most_registers_ = std::max(most_registers_, give_registers(to.body, t_.slots));
  }
  // Values of one a row that are ready when the phase begins: computed, then stored.
  void write_row_steps(tape::phase& to, int p) {
    if (k_.q->kind != kernel_kind::rows) return;
    for (int i = 0; i < k_.q->steps.n; ++i) {
      step_info const& s = k_.step(i);
      if (!s.row || s.phase != p || s.op->kind == family::reduction) continue;
      instruction n;
      n.value = slots_.step(i);
      n.place = row_place(n.value);
      n.loop = k_.loops[static_cast<std::size_t>(i)]->loop;
      for (; n.inputs < s.n; ++n.inputs) n.in[n.inputs] = row_source(s.from[n.inputs]);
      to.begin.push_back(n);
    }
    for (int i = 0; i < k_.q->steps.n; ++i) {
      step_info const& s = k_.step(i);
      if (!s.row || s.phase != p || s.store < 0) continue;
      to.begin.push_back(moving(action::store_row, slots_.step(i), s.store));
    }
  }
  instruction moving(action what, int value, int operand) const {
    instruction n;
    n.what = what;
    n.value = value;
    n.operand = operand;
    n.move = &mover_for(k_.at(operand).type);
    n.bytes = bytes_of(k_.at(operand).type);
    return n;
  }
  int row_source(int from) {
    if (from >= 0) return slots_.step(from);
    int const j = -1 - from, slot = slots_.row(j);
    if (row_at_[static_cast<std::size_t>(slot)] < 0) {
      instruction n = moving(action::load_row, slot, j);
      n.place = row_place(slot);
      t_.rows.push_back(n);
    }
    return slot;
  }
  // The slot of an operand of an elementwise step or a reduction; appends what fills it.
  int element_source(tape::phase& to, int from, int p) {
    if (from >= 0) {
      step_info const& s = k_.step(from);
      if (k_.q->kind == kernel_kind::rows && s.row) return t_.bundle > 1 && !across() ? spread_out(to, from, s.type) : slots_.step(from);
      if (k_.q->kind == kernel_kind::rows && kept_before(s, p)) return operand_source(to, s.keep);
      return slots_.step(from);
    }
    return operand_source(to, -1 - from);
  }
  int spread_out(tape::phase& to, int from, dtype t) {
    int const slot = slots_.spread(from);
    if (!ready_[static_cast<std::size_t>(slot)]) {
      ready_[static_cast<std::size_t>(slot)] = true;
      instruction n;
      n.what = action::spread;
      n.value = slot;
      n.in[n.inputs++] = slots_.step(from);
      n.move = &mover_for(t);
      n.bytes = bytes_of(t);
      to.body.push_back(n);
    }
    return slot;
  }
  int operand_source(tape::phase& to, int j) {
    int const slot = slots_.element(j);
    if (ready_[static_cast<std::size_t>(slot)] || constant_[static_cast<std::size_t>(j)]) return slot;
    bool const written = k_.at(j).written, constant = !written && never_moves(j);
    instruction n = moving(is_one(j) && !written ? action::splat : is_dense(j) ? action::point : action::load, slot, j);
    if (n.what == action::splat) {
      if (across()) n.what = action::load_row;
      std::int64_t& at = row_at_[static_cast<std::size_t>(slot)];
      if (at < 0) at = new_place(lanes * 8);
      n.place = at;
    }
    if (constant) constant_[static_cast<std::size_t>(j)] = true;
    else ready_[static_cast<std::size_t>(slot)] = true;
    if (constant) t_.constants.push_back(n);
    else if (n.what == action::splat) to.body.insert(to.body.begin() + splats_++, n);  // not between steps that make a chain
    else to.body.push_back(n);
    return slot;
  }
  void write_reduction(tape::phase& to, int i, int p) {
    step_info const& s = k_.step(i);
    instruction n;
    n.what = action::reduce;
    n.value = slots_.step(i);
    n.in[n.inputs++] = element_source(to, s.from[0], p);
    n.reducer = k_.loops[static_cast<std::size_t>(i)]->reducer;
    n.place = row_place(n.value);
    n.state = new_place(static_cast<std::int64_t>(n.reducer->bytes));
    to.body.push_back(n);
    if (t_.bundle > 1 && !across()) return;  // whole rows: the body has the results
    to.begin.push_back(n);
    to.end.push_back(n);
  }
  void write_step(tape::phase& to, std::vector<instruction>& stores, int i, int p) {
    step_info const& s = k_.step(i);
    instruction n;
    n.value = slots_.step(i);
    for (; n.inputs < s.n; ++n.inputs) n.in[n.inputs] = element_source(to, s.from[n.inputs], p);
    n.loop = k_.loops[static_cast<std::size_t>(i)]->loop;
    n.from = k_.loops[static_cast<std::size_t>(i)];
    n.bytes = bytes_of(s.type);
    if (which_ == part::before_product && is_first(i)) n.operand = t_.operands;
    else n.operand = straight_to(i, p);
    to.body.push_back(n);
    write_stores(stores, i, p, n.operand);
  }
  bool is_first(int i) const {
    for (int s = 0; s < k_.q->steps.n; ++s)
      if (k_.step(s).op->kind == family::product) return k_.step(s).from[0] == i;
    return false;
  }
  // Stores of step i that do not happen at once.
  void write_stores(std::vector<instruction>& stores, int i, int p, int done) {
    step_info const& s = k_.step(i);
    if (which_ == part::before_product || (k_.q->kind == kernel_kind::rows && s.phase != p)) return;
    int const keep = k_.q->kind == kernel_kind::rows ? s.keep : -1;
    for (int const to : {keep != s.store ? keep : -1, s.store})
      if (to >= 0 && to != done) stores.push_back(moving(action::store, slots_.step(i), to));
  }
  // The operand that step i can write while it is computed: its elements lie one behind the other, and nothing that runs later on the same
  // tile reads what they were before.
  int straight_to(int i, int p) const {
    step_info const& s = k_.step(i);
    if (which_ == part::before_product || (k_.q->kind == kernel_kind::rows && s.phase != p)) return -1;
    int const to = s.store >= 0 ? s.store : k_.q->kind == kernel_kind::rows ? s.keep : -1;
    if (to < 0 || !is_dense(to) || is_one(to)) return -1;
    for (int k = i + 1; k < k_.q->steps.n; ++k) {
      step_info const& later = k_.step(k);
      if (!reduces(later, p) && !(runs(later, p) && !kept_before(later, p))) continue;
      for (int j = 0; j < later.n; ++j)
        if (reads_shared(later.from[j], to, p)) return -1;
    }
    return to;
  }
  bool reads_shared(int from, int to, int p) const {
    if (from < 0) return k_.may_share(to, -1 - from);
    step_info const& s = k_.step(from);
    return k_.q->kind == kernel_kind::rows && !s.row && kept_before(s, p) && k_.may_share(to, s.keep);
  }

  // ---- neighbours that one loop computes

  void chain_up(std::vector<instruction>& body) const {
    std::vector<int> uses(static_cast<std::size_t>(t_.slots), 0);
    for (instruction const& n : body) each_input(n, [&](int slot) { ++uses[static_cast<std::size_t>(slot)]; });
    for (std::size_t i = 0; i < body.size(); ++i) {
      if (!may_chain(body[i], true)) continue;
      instruction all = body[i];  // what the operations up to here compute
      std::uint64_t const types = all.inputs > 1 && !is_still(all.in[1]) ? types_of<float, float, float> : types_of<float, float>;
      int const x = all.in[0];
      std::uint64_t name = all.from->op;
      std::size_t length = 1;
      if (all.inputs == 1) all.in[1] = x;
      for (; length < most_chained && i + length < body.size(); ++length) {
        instruction const &a = body[i + length - 1], &b = body[i + length];
        if (!may_chain(b, false) || a.operand >= 0 || b.in[0] != a.value || uses[static_cast<std::size_t>(a.value)] != 1) break;
        name = chain_of(name, b.from->op);
        entry const* const loop = find(name, types);
        if (!loop) break;
        all.loop = loop->loop;
        all.value = b.value;
        all.operand = b.operand;
        all.in[length + 1] = b.inputs > 1 ? b.in[1] : x;
      }
      if (length == 1) continue;
      all.from = nullptr;
      all.inputs = static_cast<int>(length) + 1;
      body[i] = all;
      auto const next = body.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      body.erase(next, next + static_cast<std::ptrdiff_t>(length) - 1);
    }
  }
  // An operation on floats that change, and on one that does not; the second of the first operation may change, too.
  bool may_chain(instruction const& n, bool is_first_of_chain) const {
    if (n.what != action::compute || !n.from || is_still(n.in[0])) return false;
    if (n.inputs == 1) return n.from->types == types_of<float, float>;
    return n.inputs == 2 && n.from->types == types_of<float, float, float> && (is_first_of_chain || is_still(n.in[1]));
  }
  bool is_still(int slot) const {
    int const j = slot - slots_.element(0);
    if (j >= 0) return j < t_.operands && (constant_[static_cast<std::size_t>(j)] || (!k_.at(j).written && is_one(j)));
    return slot < k_.q->steps.n && k_.q->kind == kernel_kind::rows && k_.step(slot).row;
  }
};

}  // namespace SINTER_ISA
}  // namespace sinter::interpreter
