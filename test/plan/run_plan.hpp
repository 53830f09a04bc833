// SPDX-License-Identifier: Apache-2.0
// Runs a plan without kernels: element by element in one arena, in a random one of the orders that plan/judge_kernel.hpp allows a backend.
#pragma once
#include <sinter/run/image_blocks.hpp>
#include "vector_sums.hpp"

#include <cstring>
#include <memory>
#include <random>
#include <vector>

namespace test {

constexpr operand& operand_of(plan& p, int kernel, int j) { return p.operands[p.groups[kernel].operands.at + j]; }
constexpr operand& result_of(plan& p, int kernel) { return operand_of(p, kernel, p.groups[kernel].inputs); }
// The operand of `kernel` that lies in a block.
constexpr operand& within(plan& p, int kernel) {
  for (int j = 0;; ++j)
    if (operand& o = operand_of(p, kernel, j); p.buffers[o.buffer].where == storage::block) return o;
}

class plan_runner {
 public:
  // `sums`: the order in which sums are added up, one element after the other unless said otherwise.
  plan_runner(plan const& p, binding const& b, extent const* sizes, unsigned seed, sampler inputs, vector_sums sums = {})
      : p_(p),
        b_(b),
        nodes_(p.g, sizes, interpreter::leaves_only, inputs),
        random_(seed),
        arena_(arena_at(p, plan_arena(p), b)),
        sums_(sums) {
    memory_.resize(static_cast<std::size_t>(arena_.bytes), std::byte{0xFF});
    own_.resize(static_cast<std::size_t>(p.buffers.size()));
    for (int i = 0; i < p.buffers.size(); ++i) {
      buffer_info const& f = p.buffers[i];
      if (f.where == storage::arena) continue;
      auto& bytes = own_[static_cast<std::size_t>(i)];
      bool const is_leaf = f.where != storage::output && f.where != storage::prepared && f.where != storage::block;
      std::int64_t const n = f.where == storage::constant && f.data == 1 ? 1 : b(f.elements);
      bytes.resize(static_cast<std::size_t>(n * bytes_of(f.type)), std::byte{0xFF});
      for (std::int64_t e = 0; is_leaf && e < n; ++e) {
        int const at = static_cast<int>(e);
        put(bytes.data(), f.type, e, f.where == storage::constant ? p.g.data[f.index + at] : nodes_.value[f.node][at]);
      }
    }
    for (int q = 0; q < p.groups.size(); ++q)
      if (int const last = p.groups[q].together; last < 0) run(p.groups[q]);
      else if (last == q) run_together(q);
  }
  static std::uint64_t get(std::byte const* p, dtype t, std::int64_t at) {
    return with_type(t, [&]<class T>(T*) -> std::uint64_t {
      std::byte const* const from = p + at * static_cast<std::int64_t>(sizeof(T));
      if constexpr (std::is_same_v<T, bool>) return *from != std::byte{};
      else {
        T x;
        std::memcpy(&x, from, sizeof(T));
        if constexpr (is_floating(dtype_of<T>)) return std::bit_cast<std::uint64_t>(static_cast<double>(x));
        else return static_cast<std::uint64_t>(static_cast<std::int64_t>(x));
      }
    });
  }
  arena_layout const& arena() const { return arena_; }
  // The elements of an input, as bytes.
  std::byte* input(int j) {
    for (int i = 0; i < p_.buffers.size(); ++i)
      if (p_.buffers[i].where == storage::input && p_.buffers[i].index == j) return own_[static_cast<std::size_t>(i)].data();
    return nullptr;
  }
  bits output(int j) const {
    bits r;
    for (int i = 0; i < p_.buffers.size(); ++i) {
      buffer_info const& f = p_.buffers[i];
      if (f.where != storage::output || f.index != j) continue;
      for (std::int64_t e = 0; e < b_(f.elements); ++e) r.push(get(own_[static_cast<std::size_t>(place_of(i))].data(), f.type, e));
    }
    return r;
  }

 private:
  plan const& p_;
  binding b_;
  interpreter nodes_;
  std::mt19937 random_;
  arena_layout arena_;
  vector_sums sums_;
  std::vector<std::byte> memory_;
  std::vector<std::vector<std::byte>> own_;  // of what is not in the arena
  std::int64_t first_row_ = 0, last_row_ = -1;  // of the block that kernels run on together; none otherwise

  using values = std::vector<std::uint64_t>;  // of a kernel's steps, for one element

  static void put(std::byte* p, dtype t, std::int64_t at, std::uint64_t v) {
    with_type(t, [&]<class T>(T*) {
      T const x = element_of<T>(v);
      std::memcpy(p + at * static_cast<std::int64_t>(sizeof(T)), &x, sizeof(T));
    });
  }
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::vector<std::int64_t> shuffled(std::int64_t n, bool in_order = false) {
    std::vector<std::int64_t> r(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = static_cast<std::int64_t>(i);
    for (std::size_t i = r.size(); !in_order && i > 1; --i) std::swap(r[i - 1], r[random_() % i]);
    return r;
  }

  operand const& operand_of(group const& q, int j) const { return p_.operands[q.operands.at + j]; }
  step_info const& step_of(group const& q, int i) const { return p_.steps[q.steps.at + i]; }
  std::byte* base(int buffer) {
    if (p_.buffers[buffer].where == storage::arena) return memory_.data() + arena_.offset[buffer];
    return own_[static_cast<std::size_t>(p_.buffers[buffer].where == storage::block ? home_of(p_.buffers, buffer) : place_of(buffer))]
        .data();
  }
  // A parameter that is changed where it is has one place, before and after.
  int place_of(int buffer) const {
    buffer_info const& f = p_.buffers[buffer];
    for (int u = 0; u < p_.updates.size(); ++u)
      if (p_.updates[u].in_place && p_.updates[u].number >= 0 && f.where == storage::output && f.index == p_.g.results() + u)
        for (int i = 0; i < p_.buffers.size(); ++i)
          if (p_.buffers[i].where == storage::parameter && p_.buffers[i].index == p_.updates[u].number) return i;
    return buffer;
  }
  std::int64_t count(group const& q, int first, int last) const {
    std::int64_t n = 1;
    for (int i = first; i < last; ++i) n *= extent_of(q, i);
    return n;
  }
  loop_map map_of(group const& q) const { return called_ && called_->map ? *called_->map : q.map >= 0 ? p_.maps[q.map] : loop_map{}; }
  // The turns of the loops, from that of those before `split` and that of those behind it.
  std::vector<std::int64_t> turns_at(group const& q, int split, std::int64_t outer, std::int64_t inner) const {
    std::vector<std::int64_t> r(static_cast<std::size_t>(q.rank));
    for (int i = q.rank - 1; i >= 0; --i) {
      std::int64_t& turn = i >= split ? inner : outer;
      r[static_cast<std::size_t>(i)] = turn % extent_of(q, i);
      turn /= extent_of(q, i);
    }
    return r;
  }
  bool outside(group const& q, int split, std::int64_t outer, std::int64_t inner) const {
    loop_map const m = map_of(q);
    std::vector<std::int64_t> const at = turns_at(q, split, outer, inner);
    for (int w = 0; w < m.windows; ++w) {
      window const& v = m.window_at[w];
      std::int64_t const place =
          at[static_cast<std::size_t>(v.outer)] * v.step + at[static_cast<std::size_t>(v.inner)] * v.dilation - v.shift;
      if (place < 0 || place >= v.extent) return true;
    }
    return false;
  }
  // Where operand j stands at turn `outer` of the loops before `split` and turn `inner` of those behind it.
  std::int64_t place(group const& q, int j, int split, std::int64_t outer, std::int64_t inner) const {
    operand const& o = operand_of(q, j);
    std::int64_t at = called_ ? 0 : b_(o.offset);
    for (int i = q.rank - 1; i >= 0; --i) {
      std::int64_t& turn = i >= split ? inner : outer;
      std::int64_t const extent_ = extent_of(q, i);
      if (extent_ == 0) continue;
      at += turn % extent_ * stride_of(q, j, i);
      turn /= extent_;
    }
    loop_map const m = map_of(q);
    for (int w = 0; o.windowed && w < m.windows; ++w)
      at -= m.window_at[w].shift * (stride_of(q, j, m.window_at[w].outer) / m.window_at[w].step);
    return at;
  }
  std::uint64_t load(group const& q, int j, int split, std::int64_t outer, std::int64_t inner) {
    operand const& o = operand_of(q, j);
    return get(called_ ? std::bit_cast<std::byte*>(at_[j]) : base(o.buffer), o.type, place(q, j, split, outer, inner));
  }
  void store(group const& q, int j, int split, std::int64_t outer, std::int64_t inner, std::uint64_t v) {
    operand const& o = operand_of(q, j);
    put(called_ ? std::bit_cast<std::byte*>(at_[j]) : base(o.buffer), o.type, place(q, j, split, outer, inner), v);
  }
  // An elementwise step; `operand(j)` reads operand j.
  template <class Read> std::uint64_t compute(step_info const& s, values const& v, Read const& operand) const {
    std::uint64_t in[max_step_operands]{};
    for (int k = 0; k < s.n; ++k) in[k] = s.from[k] >= 0 ? v[static_cast<std::size_t>(s.from[k])] : operand(-1 - s.from[k]);
    dtype const from = p_.g.nodes[p_.g.operand(p_.g.nodes[s.node], s.n - 1)].type.type;
    if (*s.op == ops::info<ops::cast>) return cast_bits(from, s.type, in[0]);
    if (*s.op == ops::info<ops::identity>) return in[0];
    if (sums_.function && !s.op->exact) return sums_.function(s.op, from, in);
    return fold_of(s.op)(from, in);
  }

  // ---- kernels over images that run together, by the runner of networks

  // The loops and addresses with which it calls the kernel that runs now, or nullptr.
  kernel::launch const* called_ = nullptr;
  kernel::pointer const* at_ = nullptr;
  std::int64_t extent_of(group const& q, int loop) const { return called_ ? called_->extent[loop] : b_(q.extents[loop]); }
  std::int64_t stride_of(group const& q, int j, int loop) const {
    return called_ ? called_->stride[j * max_loop + loop] : b_(operand_of(q, j).stride[loop]);
  }
  struct image_kernel {
    plan_runner* all;
    group const* q;
    kernel::launch loops;
    std::vector<std::int64_t> stride;
    std::vector<std::byte*> at;
  };
  // Some blocks after the other by one thread, then by another, each with memory in which nothing useful stands.
  struct image_backend {
    inline static std::mt19937 random{7};
    static std::int64_t threads() { return 1; }
    template <class F> static void share_blocks(std::int64_t n, double, std::size_t bytes, F const& f) {
      ++image_chains();
      for (std::int64_t from = 0, to = 0; from < n; from = to) {
        to = random() % 2 ? n : std::min(n, from + 1 + static_cast<std::int64_t>(random() % 5));
        auto* const memory = static_cast<std::byte*>(::operator new(bytes, std::align_val_t{64}));
        std::memset(memory, 0xFF, bytes);
        f(from, to, memory);
        ::operator delete(memory, std::align_val_t{64});
      }
    }
  };
  static void run_called(kernel::launch const& l, kernel::pointer const* p) {
    image_kernel const& k = *reinterpret_cast<image_kernel const*>(l.packed);
    k.all->called_ = &l;
    k.all->at_ = p;
    k.all->run(*k.q);
    k.all->called_ = nullptr;
  }
  void run_images(int last) {
    executor::image_block_runner runner(b_, p_.buffers.data());
    std::vector<std::unique_ptr<image_kernel>> kernels;
    for (int i = 0; i <= last; ++i) {
      group const& q = p_.groups[i];
      if (q.together != last) continue;
      kernels.push_back(std::make_unique<image_kernel>());
      image_kernel& k = *kernels.back();
      k.all = this;
      k.q = &q;
      k.loops.rank = q.rank;
      k.loops.row_rank = q.row_rank;
      for (int loop = 0; loop < q.rank; ++loop) k.loops.extent[loop] = b_(q.extents[loop]);
      for (int j = 0; j < q.operands.n; ++j) {
        operand const& o = operand_of(q, j);
        for (int loop = 0; loop < max_loop; ++loop) k.stride.push_back(b_(o.stride[loop]));
        bool const elsewhere = p_.buffers[o.buffer].where != storage::block && base(o.buffer);
        k.at.push_back(elsewhere ? base(o.buffer) + b_(o.offset) * bytes_of(o.type) : nullptr);
      }
      k.loops.stride = k.stride.data();
      k.loops.map = q.map >= 0 ? &p_.maps[q.map] : nullptr;
      runner.add({&k.loops, &q, p_.operands.data() + q.operands.at, k.at.data(), &run_called, nullptr, nullptr,
                  reinterpret_cast<std::byte const*>(&k)});
    }
    runner.run<image_backend>();
  }

 public:
  // How often kernels over images have run together.
  static long& image_chains() {
    static long n = 0;
    return n;
  }

 private:
  // Kernels that run together, for blocks of rows of any size in any order; what lies in a block is nothing behind it.
  void run_together(int last) {
    int first = 0;
    while (p_.groups[first].together != last) ++first;
    if (p_.groups[last].of_images.row >= 0) {  // nn/image_blocks.cpp runs them in blocks
      run_images(last);
      return;
    }
    std::int64_t const all = count(p_.groups[first], 0, p_.groups[first].rank - 2);
    std::vector<std::int64_t> ends;
    for (std::int64_t r = 0; r < all; r = ends.back()) ends.push_back(std::min<std::int64_t>(all, r + 1 + pick(5)));
    for (std::int64_t const block : shuffled(static_cast<std::int64_t>(ends.size()))) {
      auto const b = static_cast<std::size_t>(block);
      for (int i = 0; i < p_.buffers.size(); ++i)
        if (auto& bytes = own_[static_cast<std::size_t>(i)]; p_.buffers[i].where == storage::block)
          std::fill(bytes.begin(), bytes.end(), std::byte{0xFF});
      first_row_ = b ? ends[b - 1] : 0;
      last_row_ = ends[b];
      for (int q = first; q <= last; ++q)
        if (p_.groups[q].together == last) run(p_.groups[q]);
    }
    last_row_ = -1;
  }
  // Of elements of so many to a row, those of the rows of this block, or all.
  std::vector<std::int64_t> shuffled_rows(std::int64_t n, std::int64_t to_a_row) {
    std::vector<std::int64_t> r = shuffled(n);
    if (last_row_ >= 0) std::erase_if(r, [&](std::int64_t e) { return e / to_a_row < first_row_ || e / to_a_row >= last_row_; });
    return r;
  }
  void run(group const& q) {
    switch (q.kind) {
      case kernel_kind::pointwise: return pointwise(q);
      case kernel_kind::rows: return rows(q);
      case kernel_kind::product: return product(q);
      case kernel_kind::opaque: return opaque(q);
    }
  }
  // Some points at a time, as vectors take them: all of them are read before one is written.
  void pointwise(group const& q) {
    std::vector<std::int64_t> const points = shuffled(count(q, 0, q.rank));
    auto const together = static_cast<std::size_t>(1 + pick(8));
    for (std::size_t from = 0; from < points.size(); from += together) {
      std::size_t const to = std::min(points.size(), from + together);
      std::vector<values> v(to - from, values(static_cast<std::size_t>(q.steps.n)));
      for (std::size_t i = from; i < to; ++i)
        for (int s = 0; s < q.steps.n; ++s)
          v[i - from][static_cast<std::size_t>(s)] =
              compute(step_of(q, s), v[i - from], [&](int j) { return load(q, j, q.rank, points[i], 0); });
      for (std::size_t i = from; i < to; ++i)
        for (int s = 0; s < q.steps.n; ++s)
          if (step_of(q, s).store >= 0) store(q, step_of(q, s).store, q.rank, points[i], 0, v[i - from][static_cast<std::size_t>(s)]);
    }
  }
  // Bundles of rows in any order, the rows of a bundle phase by phase.
  void rows(group const& q) {
    std::vector<std::int64_t> const all = shuffled_rows(count(q, 0, q.row_rank), 1);
    auto const together = static_cast<std::size_t>(1 + pick(4));
    for (std::size_t from = 0; from < all.size(); from += together) {
      std::size_t const n = std::min(all.size() - from, together);
      std::vector<values> v(n, values(static_cast<std::size_t>(q.steps.n)));
      for (int phase = 0; phase < q.phases; ++phase) {
        for (std::size_t r = 0; r < n; ++r) begin(q, phase, all[from + r], v[r]);
        for (std::size_t r = 0; r < n; ++r) elements(q, phase, all[from + r], v[r]);
      }
    }
  }
  void begin(group const& q, int phase, std::int64_t row, values& v) {
    for (int pass = 0; pass < 2; ++pass)
      for (int i = 0; i < q.steps.n; ++i) {
        step_info const& s = step_of(q, i);
        if (!s.row || s.phase != phase) continue;
        auto& value = v[static_cast<std::size_t>(i)];
        if (pass == 0 && s.op->kind != family::reduction) value = compute(s, v, [&](int j) { return load(q, j, q.row_rank, row, 0); });
        if (pass == 1 && s.store >= 0) store(q, s.store, q.row_rank, row, 0, value);
      }
  }
  void elements(group const& q, int phase, std::int64_t row, values& v) {
    std::int64_t const n = count(q, q.row_rank, q.rank);
    std::vector<reduction_state> states;
    bool reduces = false;
    for (int i = 0; i < q.steps.n; ++i) {
      step_info const& s = step_of(q, i);
      bool const now = s.op->kind == family::reduction && s.phase - 1 == phase;
      states.emplace_back(now ? s.op : nullptr, p_.g.nodes[p_.g.operand(p_.g.nodes[s.node], 0)].type.type);
      reduces = reduces || now;
    }
    for (std::int64_t const e : shuffled(n, reduces)) {
      auto const read = [&](int j) { return load(q, j, q.row_rank, row, e); };
      for (int i = 0; i < q.steps.n; ++i) {
        step_info const& s = step_of(q, i);
        auto& value = v[static_cast<std::size_t>(i)];
        if (states[static_cast<std::size_t>(i)].op) {
          states[static_cast<std::size_t>(i)].take(s.from[0] >= 0 ? v[static_cast<std::size_t>(s.from[0])] : read(-1 - s.from[0]));
        } else if (!s.row && ((s.needed >> phase) & 1)) {
          if (s.keep >= 0 && phase > s.phase) value = load(q, s.keep, q.row_rank, row, e);
          else value = compute(s, v, read);
        }
      }
      for (int i = 0; i < q.steps.n; ++i) {
        step_info const& s = step_of(q, i);
        if (s.row || s.op->kind == family::reduction || s.phase != phase || !((s.needed >> phase) & 1)) continue;
        if (s.keep >= 0 && s.keep != s.store) store(q, s.keep, q.row_rank, row, e, v[static_cast<std::size_t>(i)]);
        if (s.store >= 0) store(q, s.store, q.row_rank, row, e, v[static_cast<std::size_t>(i)]);
      }
    }
    for (int i = 0; i < q.steps.n; ++i)
      if (auto const& state = states[static_cast<std::size_t>(i)]; state.op)
        v[static_cast<std::size_t>(i)] = sums_.lanes ? sums_.finish(state, extent_of(q, q.rank - 1), lies_across(q)) : state.finish();
  }
  // Whether a vector holds neighbouring rows: an operand jumps along a row, and all that do stand side by side from row to row.
  bool lies_across(group const& q) const {
    if (q.row_rank == 0 || extent_of(q, q.row_rank - 1) < (sums_.lanes < 8 ? 2 : sums_.lanes / 4)) return false;
    bool jumps = false, beside = true;
    for (int j = 0; j < q.operands.n; ++j)
      if (operand const& o = operand_of(q, j); o.mode == access::strided) {
        std::int64_t const step = b_(o.stride[q.row_rank - 1]);
        jumps = true;
        beside = beside && (step == 0 || step == 1);
      }
    return jumps && beside;
  }
  // A product as its kernel sees it: batches that follow on one another are one taller matrix. With a map there is one order of sums,
  // however large it is and its operands lie.
  vector_sums::matrix matrix_of(group const& q, int second) const {
    if (q.map >= 0) return {};
    int batch = q.rank - 3, rows = batch;
    vector_sums::matrix r{b_(q.extents[batch]), b_(q.extents[q.rank - 2]), b_(operand_of(q, second).stride[q.rank - 1]),
                          b_(operand_of(q, second).stride[q.rank - 2])};
    for (bool more = true; more && batch > 0;) {
      for (int j = 0; j < q.operands.n; ++j) {
        operand const& o = operand_of(q, j);
        std::int64_t const outer = b_(o.stride[batch - 1]);
        more = more && (j == second ? outer == 0 : r.m == 1 || outer == b_(o.stride[rows]) * r.m);
      }
      if (!more) break;
      if (r.m == 1) rows = batch - 1;
      r.m *= b_(q.extents[--batch]);
    }
    return r;
  }
  void product(group const& q) {
    int const last = q.rank - map_of(q).depth;
    std::int64_t const depth = count(q, last, q.rank);
    for (std::int64_t const e : shuffled_rows(count(q, 0, last), q.map < 0 ? extent_of(q, last - 1) : 1)) {
      values v(static_cast<std::size_t>(q.steps.n));
      for (int i = 0; i < q.steps.n; ++i) {
        step_info const& s = step_of(q, i);
        if (s.prologue) continue;
        if (s.op->kind == family::product) v[static_cast<std::size_t>(i)] = sum_of_products(q, i, e, depth);
        else v[static_cast<std::size_t>(i)] = compute(s, v, [&](int j) { return load(q, j, last, e, 0); });
      }
      for (int i = 0; i < q.steps.n; ++i)
        if (step_of(q, i).store >= 0) store(q, step_of(q, i).store, last, e, 0, v[static_cast<std::size_t>(i)]);
    }
  }
  std::uint64_t sum_of_products(group const& q, int product, std::int64_t e, std::int64_t depth) {
    step_info const& dot = step_of(q, product);
    std::uint64_t sum = 0;
    std::vector<std::uint64_t> left, right;
    for (std::int64_t k = 0; k < depth; ++k) {
      values v(static_cast<std::size_t>(q.steps.n));
      int const last = q.rank - map_of(q).depth;
      bool const padding = outside(q, last, e, k);
      auto const read = [&](int j) { return load(q, j, last, e, k); };
      for (int i = 0; i < q.steps.n; ++i)
        if (!padding && step_of(q, i).prologue) v[static_cast<std::size_t>(i)] = compute(step_of(q, i), v, read);
      std::uint64_t const both[]{padding            ? 0
                                 : dot.from[0] >= 0 ? v[static_cast<std::size_t>(dot.from[0])]
                                                    : read(-1 - dot.from[0]),
                                 read(-1 - dot.from[1])};
      left.push_back(both[0]);
      right.push_back(both[1]);
      std::uint64_t const terms[]{sum, ops::fold<ops::multiply>(dot.type, both)};
      sum = ops::fold<ops::add>(dot.type, terms);
    }
    if (sums_.lanes && is_floating(dot.type)) return sums_.dot(dot.type, left, right, matrix_of(q, -1 - dot.from[1]));
    return sum;
  }
  void opaque(group const& q) {
    int const i = step_of(q, 0).node;
    node const& k = p_.g.nodes[i];
    for (int j = 0; j < q.inputs; ++j) {
      int const o = p_.g.operand(k, j);
      bits from;
      for (std::int64_t e = 0; e < nodes_.shape[o].size(); ++e)
        from.push(get(base(operand_of(q, j).buffer), operand_of(q, j).type, b_(operand_of(q, j).offset) + e));
      nodes_.value[o] = from;
    }
    nodes_.run(i);
    if (sums_.sort && k.op == &ops::info<ops::sort>) {
      int const o = p_.g.operand(k, 0);
      nodes_.value[i] = sums_.sort(k.type.type, ops::attributes_in<ops::sort>(p_.g, k), nodes_.value[o], nodes_.shape[o]);
    }
    bits const& all = nodes_.value[i];  // the results one after the other
    for (int j = 0, from = 0; j < q.results(); ++j) {
      operand const& to = operand_of(q, q.inputs + j);
      std::int64_t n = 1;
      dims const& s = p_.shapes[q.shape_of(q.inputs + j)];
      for (int d = 0; d < s.rank; ++d) n *= b_(p_.g.dimensions.size_of(s.d[d]));
      for (std::int64_t e = 0; e < n; ++e) put(base(to.buffer), to.type, b_(to.offset) + e, all[from++]);
    }
  }
};

}  // namespace test
