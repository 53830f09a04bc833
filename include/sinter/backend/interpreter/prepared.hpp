// SPDX-License-Identifier: Apache-2.0
// A plan that was made while the program runs, run without a compiler: the kernels that compiled code has, with the same order of additions, so
// the same bits.
//
//     sinter::interpreter::program const f(sinter::make_plan(g));
//     sinter::interpreter::prepared at(f, f.bind(extents, shapes, inputs));  // for these extents of the dynamic dimensions
//     at.pack(parameters);                                                   // once, and again when parameters have changed
//     at.run(inputs, parameters, outputs, arena);                            // arena: at.arena_bytes() bytes, aligned to 64
#pragma once
#include "program.hpp"
#include "run_product.hpp"

namespace sinter::interpreter {
inline namespace SINTER_ISA {

// The numbers of a plan's loops, under the names of plan/geometry.hpp.
struct loop_numbers {
  list<kernel::launch> launches;
  list<std::int64_t> stride, offset;
  list<dims> shapes;

  loop_numbers(plan_lists const& p, binding const& b) {
    stride.resize(p.operands.size() * max_loop);
    offset.resize(p.operands.size());
    launches.resize(p.groups.size());
    shapes.resize(p.shapes.size());
    fill(*this, p, b);
    connect(*this, p);
  }
};

// A program for one choice of its dynamic dimensions. Runs are const and may come from several threads at once; after the first one in
// each thread none allocates. The program must outlive it.
class prepared {
 public:
  // `vectors`: the size of a tile, where it is not to be chosen: a test of the joints between tiles wants them small.
  prepared(program const& f, binding const& b, int vectors = 0) : f_(&f), at_(b), n_(plan_lists(f.plan), b) {
    std::int64_t const capacity = std::int64_t{vectors} * lanes;
    plan const& p = f.plan;
    for (int g = 0; g < p.groups.size(); ++g) {
      group const& q = p.groups[g];
      kernel_view const k{&p, &q, &n_.launches[g], f.loops(q)};
      one_kernel one;
      if (q.kind == kernel_kind::opaque) one.opaque = k.loops[0]->opaque;
      else if (q.kind == kernel_kind::product) one.product = make_product_kernel(k, capacity);
      else one.lines = make_line_kernel(k, capacity);
      kernels_.push_back(std::move(one));
      largest_ = std::max(largest_, q.operands.n);
    }
    arena_layout const arena = arena_at(p, f.residents, b);
    arena_bytes_ = arena.bytes;
    for (int j = 0; j < p.operands.size(); ++j) {
      operand const& o = p.operands[j];
      place_.push_back(n_.offset[j] * bytes_of(o.type) + (p.buffers[o.buffer].where == storage::arena ? arena.offset[o.buffer] : 0));
    }
  }
  prepared(prepared&&) = default;
  prepared& operator=(prepared&&) = default;

  std::int64_t arena_bytes() const { return arena_bytes_; }
  binding const& at() const { return at_; }

  // Copies the weights of products into the order in which these read them. Without it a run reads them as they are; the bits are the same.
  void pack(std::byte* const* parameters) {
    plan const& p = f_->plan;
    std::vector<kernel::pointer> operands(static_cast<std::size_t>(largest_));
    for (int g = 0; g < p.groups.size(); ++g) {
      group const& q = p.groups[g];
      one_kernel& k = kernels_[static_cast<std::size_t>(g)];
      if (q.kind != kernel_kind::product) continue;
      int const second = q.operands.at + k.product.second;
      storage const where = p.buffers[p.operands[second].buffer].where;
      if (where != storage::parameter && where != storage::constant) continue;
      n_.launches[g].packed = nullptr;
      product_call const c = call_of(k.product, q, n_.launches[g], operands.data());
      std::size_t const bytes = k.product.multiplier->packed_bytes(c);
      if (bytes == 0) continue;
      operands[static_cast<std::size_t>(k.product.second)] =
          std::bit_cast<kernel::pointer>(base(second, nullptr, parameters, nullptr, nullptr));
      k.packed = buffer<std::byte>(bytes, false);
      k.product.multiplier->pack(c, k.packed.data());
      n_.launches[g].packed = k.packed.data();
    }
  }
  // `arena`: arena_bytes() bytes, aligned to 64.
  void run(std::byte* const* inputs, std::byte* const* parameters, std::byte* const* outputs, std::byte* arena) const {
    std::size_t const most = static_cast<std::size_t>(largest_) + 1;
    std::byte* const memory = simd::kernels::scratch_of<2>(most * (sizeof(std::byte*) + sizeof(kernel::pointer)));
    auto** const bases = reinterpret_cast<std::byte**>(memory);
    auto* const pointers = reinterpret_cast<kernel::pointer*>(memory + most * sizeof(std::byte*));
    for (int g = 0; g < f_->plan.groups.size(); ++g) {
      group const& q = f_->plan.groups[g];
      for (int j = 0; j < q.operands.n; ++j) {
        ::new (bases + j) std::byte*(base(q.operands.at + j, inputs, parameters, outputs, arena));
        ::new (pointers + j) kernel::pointer(std::bit_cast<kernel::pointer>(bases[j]));
      }
      run_kernel(g, q, bases, pointers);
    }
  }

 private:
  struct one_kernel {
    line_kernel lines;
    product_kernel product;
    buffer<std::byte> packed;
    void (*opaque)(kernel::launch const& l, kernel::pointer const* p) = nullptr;
  };
  program const* f_;
  binding at_;
  loop_numbers n_;
  std::vector<std::int64_t> place_;  // of each operand, in bytes behind what it counts from
  std::vector<one_kernel> kernels_;
  std::int64_t arena_bytes_ = 0;
  int largest_ = 0;

  std::byte* base(int operand, std::byte* const* inputs, std::byte* const* parameters, std::byte* const* outputs, std::byte* arena) const {
    int const b = f_->plan.operands[operand].buffer;
    buffer_info const& f = f_->plan.buffers[b];
    std::byte* const from = f.where == storage::input       ? inputs[f.index]
                            : f.where == storage::parameter ? parameters[f.index]
                            : f.where == storage::output    ? outputs[f.index]
                            : f.where == storage::constant  ? f_->constant(b)
                                                            : arena;
    return from ? from + place_[static_cast<std::size_t>(operand)] : nullptr;  // of no elements there may be no memory
  }
  void run_kernel(int g, group const& q, std::byte* const* bases, kernel::pointer const* pointers) const {
    one_kernel const& k = kernels_[static_cast<std::size_t>(g)];
    kernel::launch const& l = n_.launches[g];
    if (k.opaque) return k.opaque(l, pointers);
    if (!k.product.multiplier) return run_lines(k.lines, f_->plan, q, l, bases);
    product_run const r{&k.product, &f_->plan, &q, bases};
    product_call c = call_of(k.product, q, l, pointers);
    c.context = &r;
    k.product.multiplier->go(c);
  }
};

}  // namespace SINTER_ISA
}  // namespace sinter::interpreter
