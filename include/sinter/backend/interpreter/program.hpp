// SPDX-License-Identifier: Apache-2.0
// A plan that the program made, run without a compiler: the same kernels in the same order of additions, so the same bits as compiled code.
//
//     sinter::interpreter::program const f(sinter::make_plan(g));
//     sinter::interpreter::prepared at(f, f.bind(extents, shapes, inputs));  // for these extents of the dynamic dimensions
//     at.pack(parameters);                                                   // once, and again when parameters have changed
//     at.run(inputs, parameters, outputs, arena);                            // at.arena_bytes bytes, aligned to 64
#pragma once
#include "../../core/buffer.hpp"
#include "../../plan/geometry.hpp"
#include "../../plan/make.hpp"
#include "run_product.hpp"

namespace sinter::interpreter {
inline namespace SINTER_ISA {

// The plan with the precompiled loops of its steps; throws where an operation has none.
class program {
 public:
  explicit program(sinter::plan p) : plan(std::move(p)), residents(plan_arena(plan)) {
    for (group const& q : plan.groups)
      for (int i = 0; i < q.steps.n; ++i) loops_.push_back(find_loop(q, plan.steps[q.steps.at + i]));
    place_constants();
  }
  sinter::plan const plan;
  list<resident> const residents;

  // The dynamic dimensions of a call whose inputs have these extents; `typed`: as the graph's inputs say them. See plan/geometry.hpp.
  binding bind(dims const* actual, dims const* typed, int inputs) const {
    struct {
      list<dimension> const& dimensions;
      list<equality> const& equalities;
    } const d{plan.g.dimensions.rows, plan.g.dimensions.equal};
    return sinter::bind(d, actual, typed, inputs);
  }
  std::span<entry const* const> loops(group const& q) const { return {loops_.data() + q.steps.at, static_cast<std::size_t>(q.steps.n)}; }
  std::byte* constant(int buffer) const { return constants_.data() + constant_at_[static_cast<std::size_t>(buffer)]; }

 private:
  std::vector<entry const*> loops_;
  std::vector<std::size_t> constant_at_;
  buffer<std::byte> constants_;

  dtype type_of_source(group const& q, int from) const {
    return from < 0 ? plan.operands[q.operands.at - 1 - from].type : plan.steps[q.steps.at + from].type;
  }
  entry const* find_loop(group const& q, step_info const& s) const {
    std::uint64_t types = add_type(0, s.type);
    for (int j = 0; j < s.n; ++j) types = add_type(types, type_of_source(q, s.from[j]));
    if (entry const* const e = find(s.op->id, types)) return e;
    std::string operands;
    for (int j = 0; j < s.n; ++j) (operands += j ? ", " : "") += name_of(type_of_source(q, s.from[j]));
    std::string sentence = "sinter: the interpreter has no loop for the operation ";
    sentence += s.op->name;
    sentence += " of (" + operands + "); call sinter::interpreter::knows<the operation>() before";
    throw error(sentence);
  }
  void place_constants() {
    constant_at_.resize(static_cast<std::size_t>(plan.buffers.size()));
    std::size_t bytes = 0;
    for (int i = 0; i < plan.buffers.size(); ++i) {
      constant_at_[static_cast<std::size_t>(i)] = bytes;
      if (plan.buffers[i].where == storage::constant)
        bytes += static_cast<std::size_t>((plan.buffers[i].data * bytes_of(plan.buffers[i].type) + 63) / 64 * 64);
    }
    constants_ = buffer<std::byte>(bytes + 1);
    for (int i = 0; i < plan.buffers.size(); ++i) {
      buffer_info const& f = plan.buffers[i];
      if (f.where != storage::constant) continue;
      with_type(f.type, [&]<class T>(T*) {
        for (int k = 0; k < f.data; ++k)
          ::new (constant(i) + static_cast<std::size_t>(k) * sizeof(T)) T(element_of<T>(plan.g.data[f.index + k]));
      });
    }
  }
};

// A program for one choice of its dynamic dimensions. Runs are const and may come from several threads at once; after the first one in
// each thread none allocates. The program must outlive it.
class prepared {
 public:
  // `vectors`: the size of a tile, where it is not to be chosen: a test of the joints between tiles wants them small.
  prepared(program const& f, binding const& b, int vectors = 0) : f_(&f), at_(b) {
    std::int64_t const capacity = std::int64_t{vectors} * lanes;
    plan const& p = f.plan;
    set_loops();
    arena_layout const arena = arena_at(p, f.residents, b);
    arena_bytes_ = arena.bytes;
    for (group const& q : p.groups) {
      kernel_view const k{&p, &q, &launches_[kernels_.size()], f.loops(q)};
      one_kernel one;
      if (q.kind == kernel_kind::opaque) one.opaque = k.loops[0]->opaque;
      else if (q.kind == kernel_kind::product) one.product = make_product_kernel(k, capacity);
      else one.lines = make_line_kernel(k, capacity);
      kernels_.push_back(std::move(one));
      largest_ = std::max(largest_, q.operands.n);
    }
    for (int j = 0; j < p.operands.size(); ++j) {
      operand const& o = p.operands[j];
      std::int64_t place = b(o.offset) * bytes_of(o.type);
      if (p.buffers[o.buffer].where == storage::arena) place += arena.offset[o.buffer];
      place_.push_back(place);
    }
  }
  prepared(prepared const&) = delete;
  prepared& operator=(prepared const&) = delete;

  std::int64_t arena_bytes() const { return arena_bytes_; }
  binding const& at() const { return at_; }

  // Copies the weights of products into the order in which these read them. Without it a run reads them as they are; the bits are the same.
  void pack(std::byte* const* parameters) {
    plan const& p = f_->plan;
    std::vector<kernel::pointer> operands(static_cast<std::size_t>(largest_));
    for (int g = 0; g < p.groups.size(); ++g) {
      group const& q = p.groups[g];
      one_kernel& k = kernels_[static_cast<std::size_t>(g)];
      if (q.kind != kernel_kind::product || !k.product.multiplier->packed_bytes) continue;
      int const second = q.operands.at + k.product.second;
      storage const where = p.buffers[p.operands[second].buffer].where;
      if (where != storage::parameter && where != storage::constant) continue;
      product_call c = call_of(k.product, q, launches_[static_cast<std::size_t>(g)], operands.data());
      std::size_t const bytes = k.product.multiplier->packed_bytes(c);
      if (bytes == 0) continue;
      operands[static_cast<std::size_t>(k.product.second)] =
          std::bit_cast<kernel::pointer>(base(second, nullptr, parameters, nullptr, nullptr));
      launches_[static_cast<std::size_t>(g)].packed = nullptr;
      k.packed = buffer<std::byte>(bytes, false);
      k.product.multiplier->pack(c, k.packed.data());
      launches_[static_cast<std::size_t>(g)].packed = k.packed.data();
    }
  }
  // `arena`: arena_bytes() bytes, aligned to 64.
  void run(std::byte* const* inputs, std::byte* const* parameters, std::byte* const* outputs, std::byte* arena) const {
    auto* const memory = simd::kernels::scratch_of<2>(static_cast<std::size_t>(largest_ + 1) * 2 * sizeof(std::byte*));
    auto** const bases = reinterpret_cast<std::byte**>(memory);
    auto* const pointers = reinterpret_cast<kernel::pointer*>(memory + static_cast<std::size_t>(largest_ + 1) * sizeof(std::byte*));
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
  std::vector<kernel::launch> launches_;
  std::vector<std::int64_t> stride_, place_;
  struct operand_shapes {
    dims of[graph::max_operands];
  };
  std::vector<operand_shapes> shapes_;
  std::vector<one_kernel> kernels_;
  std::int64_t arena_bytes_ = 0;
  int largest_ = 0;

  void set_loops() {
    plan const& p = f_->plan;
    for (operand const& o : p.operands)
      for (size const& s : o.stride) stride_.push_back(at_(s));
    shapes_.resize(static_cast<std::size_t>(p.groups.size()));
    for (int g = 0; g < p.groups.size(); ++g) {
      group const& q = p.groups[g];
      kernel::launch l;
      l.rank = q.rank;
      l.row_rank = q.row_rank;
      for (int d = 0; d < q.rank; ++d) l.extent[d] = at_(q.extents[d]);
      l.stride = stride_.data() + q.operands.at * max_loop;
      l.attrs = q.attrs >= 0 ? &p.g.attrs[q.attrs] : nullptr;
      dims* const shapes = shapes_[static_cast<std::size_t>(g)].of;
      for (int k = 0; q.kind == kernel_kind::opaque && k <= q.inputs; ++k) {
        shapes[k] = q.shapes[k];
        for (int d = 0; d < shapes[k].rank; ++d) shapes[k].d[d] = extent_in(p.g.dimensions.rows, at_, shapes[k].d[d]);
      }
      l.shapes = shapes;
      launches_.push_back(l);
    }
  }
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
    kernel::launch const& l = launches_[static_cast<std::size_t>(g)];
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
